#include "ui/paint/lettering.hpp"

#include "ui/paint/canvas.hpp"
#include "ui/paint/label_cache.hpp"

namespace heed::ui {

std::unique_ptr<Fonts> load_lettering() {
    auto fonts = std::make_unique<Fonts>();
    for (int face = 0; face < static_cast<int>(Face::count); ++face) {
        label_bitmap("Heed 0", style_of(static_cast<Face>(face)), 1);
    }
    return fonts;
}

} // namespace heed::ui
