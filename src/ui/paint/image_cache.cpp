#include "ui/paint/image_cache.hpp"

namespace heed::ui {

ImageCache::~ImageCache() {
    for (const auto& [address, upload] : uploads_) renderer_.delete_texture(upload.texture);
}

void ImageCache::begin_frame() {
    for (auto it = uploads_.begin(); it != uploads_.end();) {
        if (++it->second.unused_frames > 2) {
            renderer_.delete_texture(it->second.texture);
            it = uploads_.erase(it);
        } else {
            ++it;
        }
    }
}

unsigned ImageCache::texture_of(const std::shared_ptr<const figure::Pixels>& pixels) {
    Upload& upload = uploads_[pixels.get()];
    upload.unused_frames = 0;
    if (upload.pixels) return upload.texture;
    upload.pixels = pixels;
    upload.texture = renderer_.make_texture(pixels->width, pixels->height);
    renderer_.update_texture(upload.texture, 0, 0, pixels->width, pixels->height,
                             pixels->rgba.data());
    return upload.texture;
}

} // namespace heed::ui
