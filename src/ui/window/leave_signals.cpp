#include "ui/window/leave_signals.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

#include <pthread.h> // with what <csignal> has of POSIX

namespace heed::ui {

namespace {
/// Never heard, only used to end the thread's wait.
constexpr int kEnd = SIGUSR2;

using Clock = std::chrono::steady_clock;
/// Time in which signals are one wish: who passes one on (timeout, a shell) may send it twice.
constexpr std::chrono::seconds kInsists{1};
} // namespace

LeaveSignals::LeaveSignals(std::function<void()> arrived) : arrived_(std::move(arrived)) {
    ::sigemptyset(&heard_);
    ::sigaddset(&heard_, kEnd);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction now {};
        // Once blocked, an ignored signal would be heard after all.
        const bool ignored = ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
        if (!ignored) ::sigaddset(&heard_, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &heard_, &before_);
    thread_ = std::thread([this] { wait(); });
}

LeaveSignals::~LeaveSignals() {
    ending_ = true;
    ::pthread_kill(thread_.native_handle(), kEnd);
    thread_.join();
    // A program that leaves is not to be killed by what came a moment later.
    if (!asked_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void LeaveSignals::wait() {
    Clock::time_point first;
    while (true) {
        int signal = 0;
        if (::sigwait(&heard_, &signal) != 0 || ending_) return;
        if (signal == kEnd) continue;
        const auto now = Clock::now();
        if (!asked_.exchange(true)) {
            first = now;
            arrived_();
        } else if (now - first >= kInsists) {
            std::_Exit(128 + signal);
        }
    }
}

} // namespace heed::ui
