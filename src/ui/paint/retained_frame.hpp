// The window's frame, kept from one to the next: only what differs is drawn again.
#pragma once

#include "ui/paint/damage.hpp"
#include "ui/paint/gl_renderer.hpp"

#include <vector>

namespace heed::ui {

class RetainedFrame {
  public:
    /// Requires a current context, here and in every later call.
    explicit RetainedFrame(const GlRenderer& renderer);
    ~RetainedFrame();
    RetainedFrame(const RetainedFrame&) = delete;
    RetainedFrame& operator=(const RetainedFrame&) = delete;

    /// Puts ImGui's newest frame, upon `ground`, into the framebuffer that is bound, whatever that
    /// one holds.
    void draw(figure::Color ground);
    /// The next frame is drawn whole: a texture's pixels are others than they were.
    void forget() { damage_.forget(); }
    /// Boxes that the last frame drew again.
    const std::vector<PixelBox>& drawn() const { return drawn_; }

  private:
    void resize(int width, int height);
    void show();

    const GlRenderer& renderer_;
    Damage damage_;
    std::vector<PixelBox> drawn_;
    unsigned frame_ = 0, color_ = 0, vertex_array_ = 0;
    unsigned program_ = 0; // puts color_ on the screen
    int width_ = 0, height_ = 0;
    int textures_ = 0; // as the renderer counted them when the last frame was drawn
};

} // namespace heed::ui
