// Photographs as textures, for as long as frames show them.
#pragma once

#include "figure/base/figure.hpp"
#include "ui/paint/renderer.hpp"

#include <memory>
#include <unordered_map>

namespace heed::ui {

class ImageCache {
  public:
    explicit ImageCache(Renderer& renderer) : renderer_(renderer) {}
    ~ImageCache();
    ImageCache(const ImageCache&) = delete;
    ImageCache& operator=(const ImageCache&) = delete;

    /// Drops images that two frames did not show.
    void begin_frame();
    /// Uploaded when it is first asked for.
    unsigned texture_of(const std::shared_ptr<const figure::Pixels>& pixels);

  private:
    /// Holding the pixels keeps their address from being used again.
    struct Upload {
        std::shared_ptr<const figure::Pixels> pixels;
        unsigned texture = 0;
        int unused_frames = 0;
    };
    Renderer& renderer_;
    std::unordered_map<const void*, Upload> uploads_;
};

} // namespace heed::ui
