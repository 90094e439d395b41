#include "app/cli/interrupts.hpp"

#include <chrono>

namespace heed::app {

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

std::string progress_bar(double share) {
    constexpr int kWidth = 28;
    const int full = static_cast<int>(share * kWidth);
    std::string text;
    for (int i = 0; i < kWidth; ++i) text += i < full ? "█" : "░";
    return text;
}

} // namespace heed::app
