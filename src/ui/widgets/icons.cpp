#include "ui/widgets/icons.hpp"

namespace heed::ui {

namespace {

constexpr float kReach = 5;

/// A triangle that points right, or left where `way` is −1.
void triangle(Canvas& canvas, Point middle, float way, Color ink) {
    const float back = middle.x - way * 0.8f * kReach;
    const ImVec2 top = canvas.pixels({back, middle.y - kReach - 0.5f}),
                 bottom = canvas.pixels({back, middle.y + kReach + 0.5f}),
                 tip = canvas.pixels({middle.x + way * kReach, middle.y});
    if (way > 0) {
        canvas.list().AddTriangleFilled(top, bottom, tip, packed(ink));
    } else {
        canvas.list().AddTriangleFilled(bottom, top, tip, packed(ink));
    }
}

/// A triangle with a wall that it runs into.
void triangle_to_wall(Canvas& canvas, Point middle, float way, Color ink) {
    triangle(canvas, {middle.x - way, middle.y}, way, ink);
    const float wall = middle.x + way * (kReach + 0.5f);
    canvas.fill({wall - 1, middle.y - kReach, 2, 2 * kReach}, ink, 0.5f);
}

} // namespace

void draw_icon(Canvas& canvas, Icon icon, Point middle, Color ink) {
    const float left = middle.x - kReach, top = middle.y - kReach;
    switch (icon) {
    case Icon::none: return;
    case Icon::pause:
        canvas.fill({left + 0.5f, top, 3, 2 * kReach}, ink, 1);
        canvas.fill({left + 6.5f, top, 3, 2 * kReach}, ink, 1);
        return;
    case Icon::play:
    case Icon::next: return triangle(canvas, middle, 1, ink);
    case Icon::previous: return triangle(canvas, middle, -1, ink);
    case Icon::first: return triangle_to_wall(canvas, middle, -1, ink);
    case Icon::last: return triangle_to_wall(canvas, middle, 1, ink);
    }
}

} // namespace heed::ui
