// Ctrl-C in a command that takes its time.
#pragma once

#include <atomic>
#include <csignal>
#include <iterator>
#include <stop_token>
#include <thread>

namespace heed::base {

/// Set by a signal, and read by more than the thread that it meets.
extern std::atomic<bool> interrupted;

/// While it lives, the first Ctrl-C asks for an end at the next step; a second one ends at once.
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
    StopWhenInterrupted();
    std::stop_token token() const { return stop_.get_token(); }

  private:
    std::stop_source stop_;
    std::jthread watch_;
};

} // namespace heed::base
