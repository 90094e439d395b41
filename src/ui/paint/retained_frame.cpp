#include "ui/paint/retained_frame.hpp"

#include "base/check.hpp"
#include "ui/paint/gl_program.hpp"
#include "ui/paint/shader_source.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>

#include <bit>

namespace heed::ui {

RetainedFrame::RetainedFrame(const GlRenderer& renderer) : renderer_(renderer) {
    std::string trouble;
    program_ = link_program({"box.vert", shader_source::box_vert},
                            {"frame.frag", shader_source::frame_frag}, trouble);
    HEED_CHECK(program_ != 0, "a window needs its shaders: {}", trouble);
    glUseProgram(program_);
    glUniform4f(glGetUniformLocation(program_, "clip_box"), -1, -1, 1, 1); // row 0 is the lowest
    glGenVertexArrays(1, &vertex_array_);
}

RetainedFrame::~RetainedFrame() {
    if (frame_ != 0) glDeleteFramebuffers(1, &frame_);
    if (color_ != 0) glDeleteTextures(1, &color_);
    glDeleteVertexArrays(1, &vertex_array_);
    glDeleteProgram(program_);
}

void RetainedFrame::resize(int width, int height) {
    if (width == width_ && height == height_) return;
    width_ = width;
    height_ = height;
    forget();
    if (frame_ == 0) {
        glGenFramebuffers(1, &frame_);
        glGenTextures(1, &color_);
    }
    glBindTexture(GL_TEXTURE_2D, color_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_, 0);
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
    glBindFramebuffer(GL_FRAMEBUFFER, static_cast<unsigned>(target));
    show();
}

/// A program rather than a blit: Mesa keeps programs compiled from one start to the next, but
/// compiles what its blits are made of at every start, which takes software OpenGL 50 ms.
void RetainedFrame::show() {
    for (const GLenum state : {GL_SCISSOR_TEST, GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST}) {
        glDisable(state);
    }
    glUseProgram(program_);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, color_);
    glBindSampler(0, 0);
    glBindVertexArray(vertex_array_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

} // namespace heed::ui
