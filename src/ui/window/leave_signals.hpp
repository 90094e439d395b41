// SIGTERM, SIGINT and SIGHUP as a wish to leave: the event loop ends as if the window were closed,
// and everything is saved.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace heed::ui {

/// Make it before any other thread, so that every thread leaves the signals to it. A signal that
/// the program was started to ignore (nohup, a shell's background job) stays ignored.
class LeaveSignals {
  public:
    /// `arrived` is called on a thread of its own, where everything is allowed; it may wake the
    /// loop, which then reads asked(). A signal a second later or more ends the program at once: it
    /// hangs, and somebody insists.
    explicit LeaveSignals(std::function<void()> arrived);
    ~LeaveSignals();
    LeaveSignals(const LeaveSignals&) = delete;
    LeaveSignals& operator=(const LeaveSignals&) = delete;

    bool asked() const { return asked_; }

  private:
    void wait();

    std::function<void()> arrived_;
    std::atomic<bool> asked_ = false, ending_ = false;
    sigset_t heard_{}, before_{};
    std::thread thread_;
};

} // namespace heed::ui
