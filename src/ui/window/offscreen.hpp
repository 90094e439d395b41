// The window's content without a window: for screenshots and for the picture tests.
#pragma once

#include "base/result.hpp"
#include "ui/paint/retained_frame.hpp"
#include "ui/window/gl_context.hpp"
#include "ui/window/shell.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace heed::ui {

class Offscreen {
  public:
    /// A frame of width × height points at `scale` pixels each.
    /// Errors: unavailable and out_of_range, as OffscreenContext::open.
    static base::Result<std::unique_ptr<Offscreen>> open(int width, int height, float scale,
                                                         app::Document document, app::Focus focus,
                                                         app::ViewState view);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// One frame, with the fonts it needs.
    void frame();
    /// Frames until the engine has answered and nothing changes any more, or till `until` with what
    /// is measured by then.
    void settle(std::optional<std::chrono::steady_clock::time_point> until = {});
    /// True while something is still measured.
    bool measures() const { return engine_->refining(); }
    /// Waits until the engine has answered the newest request, what it adds later left aside.
    void wait_for_map() { engine_->wait_for(shell_->work.requested_revision()); }
    std::vector<std::uint8_t> pixels() const { return context_->read_pixels(); }

    Shell& shell() { return *shell_; }
    OffscreenContext& context() { return *context_; }
    GlRenderer& renderer() { return *renderer_; }
    RetainedFrame& retained() { return *retained_; }

  private:
    Offscreen() = default;
    float scale_ = 1;
    std::unique_ptr<OffscreenContext> context_;
    std::unique_ptr<Fonts> fonts_;
    std::unique_ptr<GlRenderer> renderer_;
    std::unique_ptr<RetainedFrame> retained_;
    std::unique_ptr<app::Engine> engine_;
    std::unique_ptr<Shell> shell_;
};

} // namespace heed::ui
