#include "base/interrupts.hpp"

#include <atomic>

namespace heed::base {

namespace {
// Set by a signal, and read by more than the thread that it meets.
std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);
} // namespace

bool interrupted() { return was_interrupted; }

Interrupts::Interrupts() {
    struct sigaction action = {};
    action.sa_handler = [](int) { was_interrupted = true; };
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

} // namespace heed::base
