// Ctrl-C as a wish to stop, of commands that take their time.
#pragma once

#include <chrono>
#include <csignal>
#include <iterator>
#include <stop_token>
#include <thread>

namespace heed::base {

/// True where somebody interrupted since an Interrupts lives.
bool interrupted();

/// Scope in which the first Ctrl-C asks for an end at the next step; a second one ends at once.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM};
    struct sigaction before_[std::size(kSignals)] = {};
};

/// Asks for a stop as soon as somebody interrupts; a signal's handler itself may not.
class StopWhenInterrupted {
  public:
    std::stop_token token() const { return stop_.get_token(); }

  private:
    std::stop_source stop_;
    std::jthread watch_{[this](const std::stop_token& done) {
        while (!done.stop_requested()) {
            if (interrupted()) stop_.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }};
};

} // namespace heed::base
