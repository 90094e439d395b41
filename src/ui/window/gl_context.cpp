#include "ui/window/gl_context.hpp"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heed::ui {

namespace {

using base::ErrorKind;

/// Surfaceless first: it needs neither a device nor a display server. The default display is the
/// second try, for drivers that do not know that platform.
EGLDisplay open_display() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (extensions != nullptr && std::strstr(extensions, "EGL_MESA_platform_surfaceless")) {
        const EGLDisplay display =
            eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    }
    const EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr)) return display;
    return EGL_NO_DISPLAY;
}

tl::unexpected<base::Error> no_gl(const std::string& step) {
    return base::fail(ErrorKind::unavailable, "OpenGL",
                      fmt::format("{} failed (EGL error 0x{:x}); install libegl1, libgl1 and "
                                  "libgl1-mesa-dri",
                                  step, static_cast<unsigned>(eglGetError())));
}

} // namespace

base::Result<std::unique_ptr<OffscreenContext>> OffscreenContext::open(int width, int height) {
    std::unique_ptr<OffscreenContext> result(new OffscreenContext);
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) return no_gl("opening a display without a screen");
    result->display_ = display;
    if (!eglBindAPI(EGL_OPENGL_API)) return no_gl("choosing OpenGL");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) config = nullptr;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) return no_gl("making an OpenGL 3.3 core context");
    result->context_ = context;
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        return no_gl("using the context without a surface");
    }

    GLint largest = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (width < 1 || height < 1 || std::max(width, height) > largest) {
        return base::fail(ErrorKind::out_of_range, fmt::format("{}x{}", width, height),
                          fmt::format("a side is 1 to {} pixels", largest));
    }
    glGenRenderbuffers(1, &result->color_);
    glBindRenderbuffer(GL_RENDERBUFFER, result->color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glGenFramebuffers(1, &result->frame_);
    glBindFramebuffer(GL_FRAMEBUFFER, result->frame_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              result->color_);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        return no_gl("making a frame to draw into");
    }
    result->width_ = width;
    result->height_ = height;
    glViewport(0, 0, width, height);
    return result;
}

OffscreenContext::~OffscreenContext() {
    if (display_ == nullptr) return;
    if (frame_ != 0) glDeleteFramebuffers(1, &frame_);
    if (color_ != 0) glDeleteRenderbuffers(1, &color_);
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != nullptr) eglDestroyContext(display_, context_);
    eglTerminate(display_);
}

std::vector<std::uint8_t> OffscreenContext::read_pixels() const {
    const std::size_t row = static_cast<std::size_t>(width_) * 4;
    std::vector<std::uint8_t> pixels(row * static_cast<std::size_t>(height_));
    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (int top = 0, bottom = height_ - 1; top < bottom; ++top, --bottom) {
        std::swap_ranges(pixels.begin() + static_cast<std::ptrdiff_t>(top * row),
                         pixels.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                         pixels.begin() + static_cast<std::ptrdiff_t>(bottom * row));
    }
    return pixels;
}

std::string OffscreenContext::renderer() const {
    const GLubyte* name = glGetString(GL_RENDERER);
    return name == nullptr ? "" : reinterpret_cast<const char*>(name);
}

} // namespace heed::ui
