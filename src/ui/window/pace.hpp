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
    void end() { cost_ = Clock::now() - begun_; }
    /// Seconds for which a window that nobody touches leaves the cores to those who work: twice
    /// what its last frame took. With a graphics card that is less than a beat.
    float rest() const {
        const std::chrono::duration<float> left = begun_ + 3 * cost_ - Clock::now();
        return left.count() > 0 ? left.count() : 0;
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begun_;
    Clock::duration cost_{};
};

} // namespace heed::ui
