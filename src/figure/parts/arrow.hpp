// Arrows for what flows from one part of a picture to the next.
#pragma once

#include "figure/base/sheet.hpp"

#include <vector>

namespace heed::figure {

/// Straight pieces with a head at the last point, which it touches. `width` in points; heads grow
/// with it. Fewer than two points draw nothing.
void draw_arrow(Sheet& sheet, std::vector<Point> points, Color color, float width = 1.2f);

/// A curve that leaves and arrives level, as branches of a tree that grows rightwards do; no head.
void draw_branch(Sheet& sheet, Point from, Point to, Color color, float width);

} // namespace heed::figure
