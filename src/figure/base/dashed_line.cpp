#include "figure/base/dashed_line.hpp"

#include <cmath>
#include <utility>

namespace heed::figure {

namespace {

/// Dashes that go on from one short piece to the next, as those of a dashed line do not everywhere.
void draw_dashes(Sheet& sheet, const std::vector<Point>& points, Color color, float width,
                 const Dash& pattern) {
    bool on = true;
    float left = pattern.on;
    std::vector<Point> dash = {points[0]};
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Point a = points[i - 1], b = points[i];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        float gone = 0;
        for (; length - gone >= left; on = !on, left = on ? pattern.on : pattern.off) {
            gone += left;
            const float share = gone / length;
            const Point end{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
            dash.push_back(end);
            if (on) sheet.line(dash, color, width);
            dash = {end};
        }
        left -= length - gone;
        dash.push_back(b);
    }
    if (on) sheet.line(std::move(dash), color, width);
}

} // namespace

void draw_piece(Sheet& sheet, const std::vector<Point>& points, Color color, float width,
                const std::optional<Dash>& dash) {
    if (points.size() == 1) {
        sheet.fill({points[0].x - 2.5f, points[0].y - 2.5f, 5, 5}, color, 2.5f);
    } else if (!points.empty()) {
        dash ? draw_dashes(sheet, points, color, width, *dash) : sheet.line(points, color, width);
    }
}

} // namespace heed::figure
