#include "ui/widgets/icons.hpp"

namespace heed::ui {

void draw_icon(Canvas& canvas, Icon icon, Point middle, Color ink) {
    constexpr float kReach = 5;
    const float left = middle.x - kReach, top = middle.y - kReach;
    switch (icon) {
    case Icon::none: return;
    case Icon::pause:
        canvas.fill({left + 0.5f, top, 3, 2 * kReach}, ink, 1);
        canvas.fill({left + 6.5f, top, 3, 2 * kReach}, ink, 1);
        return;
    case Icon::play:
        canvas.list().AddTriangleFilled(canvas.pixels({left + 1, top - 0.5f}),
                                        canvas.pixels({left + 1, top + 2 * kReach + 0.5f}),
                                        canvas.pixels({left + 2 * kReach, middle.y}), packed(ink));
        return;
    }
}

} // namespace heed::ui
