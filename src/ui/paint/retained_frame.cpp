#include "ui/paint/retained_frame.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include <bit>

namespace heed::ui {

RetainedFrame::~RetainedFrame() {
    if (frame_ != 0) glDeleteFramebuffers(1, &frame_);
    if (color_ != 0) glDeleteRenderbuffers(1, &color_);
}

void RetainedFrame::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    forget();
    if (frame_ == 0) {
        glGenFramebuffers(1, &frame_);
        glGenRenderbuffers(1, &color_);
    }
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
}

void RetainedFrame::draw(figure::Color ground) {
    ImDrawData& data = *ImGui::GetDrawData();
    const int width = static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x);
    const int height = static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y);
    if (width <= 0 || height <= 0) return;
    int target = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
    resize(width, height);
    if (textures_ != renderer_.textures_made()) forget(); // a name may stand for another texture
    textures_ = renderer_.textures_made();
    drawn_ = damage_.keep_changes(data, std::bit_cast<ImU32>(ground), GlRenderer::drawing);

    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glViewport(0, 0, width, height);
    const auto unit = [](std::uint8_t v) { return static_cast<float>(v) / 255.0f; };
    glClearColor(unit(ground.r), unit(ground.g), unit(ground.b), 1);
    glEnable(GL_SCISSOR_TEST);
    for (const PixelBox& b : drawn_) {
        glScissor(b.left, height - b.bottom, b.right - b.left, b.bottom - b.top);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame_);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<unsigned>(target));
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<unsigned>(target));
}

} // namespace heed::ui
