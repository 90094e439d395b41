// The pace of frames: when the next one is due.
#pragma once

#include <chrono>
#include <thread>

namespace heed::ui {

/// No more frames than a display shows. Where swapping buffers waits for nothing, as without a
/// graphics card, a hand that drags would keep the window drawing on the cores that make its maps.
class Pace {
  public:
    /// Waits until the next frame is due; whether that took any time.
    bool wait() {
        constexpr std::chrono::microseconds kLeast{15500}; // below 1/60 s: no beat is missed
        const auto due = begun_ + kLeast;
        const bool early = Clock::now() < due;
        if (early) std::this_thread::sleep_until(due);
        return early;
    }
    void begin() { begun_ = Clock::now(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begun_;
};

} // namespace heed::ui
