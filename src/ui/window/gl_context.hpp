// OpenGL 3.3 core without a display: EGL's surfaceless platform and a frame of our own, for
// `heed screenshot` and for the picture tests.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heed::ui {

class OffscreenContext {
  public:
    /// A context that is current on this thread, drawing into a frame of width × height pixels.
    /// Errors: unavailable, with what the system said.
    static base::Result<std::unique_ptr<OffscreenContext>> open(int width, int height);
    ~OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    /// The frame, RGBA, 4 bytes a pixel, the top row first.
    std::vector<std::uint8_t> read_pixels() const;
    /// The driver's own name: "llvmpipe (LLVM 15.0.6, 256 bits)".
    std::string renderer() const;

  private:
    OffscreenContext() = default;
    void* display_ = nullptr;
    void* context_ = nullptr;
    unsigned frame_ = 0, color_ = 0;
    int width_ = 0, height_ = 0;
};

} // namespace heed::ui
