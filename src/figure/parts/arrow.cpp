#include "figure/parts/arrow.hpp"

#include <cmath>
#include <utility>

namespace heed::figure {

void draw_arrow(Sheet& sheet, std::vector<Point> points, Color color, float width) {
    if (points.size() < 2) return;
    const Point tip = points.back(), from = points[points.size() - 2];
    const float dx = tip.x - from.x, dy = tip.y - from.y, length = std::hypot(dx, dy);
    sheet.line(std::move(points), color, width);
    if (!(length > 0)) return;
    const float reach = 3 + 1.6f * width, along_x = dx / length, along_y = dy / length;
    const auto barb = [&](float side) {
        return Point{tip.x - reach * (along_x + 0.62f * side * along_y),
                     tip.y - reach * (along_y - 0.62f * side * along_x)};
    };
    sheet.line({barb(1), tip, barb(-1)}, color, width);
}

void draw_branch(Sheet& sheet, Point from, Point to, Color color, float width) {
    const float half = (from.x + to.x) / 2;
    sheet.curve(from, {half, from.y}, {half, to.y}, to, color, width);
}

} // namespace heed::figure
