#include "base/interrupts.hpp"

#include <chrono>

namespace heed::base {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

Interrupts::Interrupts() {
    struct sigaction action = {};
    action.sa_handler = [](int) { interrupted = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
}

Interrupts::~Interrupts() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        sigaction(kSignals[i], &before_[i], nullptr);
    }
}

StopWhenInterrupted::StopWhenInterrupted()
    : watch_([this](const std::stop_token& done) {
          while (!done.stop_requested()) {
              if (interrupted) stop_.request_stop();
              std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
      }) {}

} // namespace heed::base
