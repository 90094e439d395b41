// A line of many short pieces, dashed as if it were one.
#pragma once

#include "figure/base/sheet.hpp"

#include <optional>
#include <vector>

namespace heed::figure {

/// Lengths in points.
struct Dash {
    float on = 6, off = 4;
    bool operator==(const Dash&) const = default;
};

/// A line through the points, whole or dashed; of one point alone a dot.
void draw_piece(Sheet& sheet, const std::vector<Point>& points, Color color, float width,
                const std::optional<Dash>& dash);

} // namespace heed::figure
