#include "ui/paint/lettering.hpp"

#include "ui/paint/canvas.hpp"
#include "ui/paint/label_cache.hpp"

namespace heed::ui {

Lettering load_lettering() {
    Lettering made;
    made.fonts = std::make_unique<Fonts>();
    for (int face = 0; face < static_cast<int>(Face::count); ++face) {
        label_bitmap("Heed 0", style_of(static_cast<Face>(face)), 1);
    }
    made.shaper = figure::take_shaper();
    return made;
}

} // namespace heed::ui
