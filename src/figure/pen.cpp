#include "figure/pen.hpp"

#include "figure/palette.hpp"
#include "figure/viewport.hpp"

#include <algorithm>

namespace heed::figure {

Dashes dashes(float width) {
    const float unit = std::max(width, 1.0f);
    return {4 * unit, 3 * unit};
}

Hatching hatching(const Heat& heat, Index row) {
    const float height = heat.box.h / shown(heat).rows;
    const Color ground = colour_of(heat.palette, (*heat.values)(row, 0), heat.low, heat.high);
    return {std::clamp(height / 2, 2.0f, 6.0f), std::clamp(height / 16, 0.5f, 1.0f),
            mixed(ground, ink_on(ground), 0.4f)};
}

std::vector<HatchedBox> hatched_boxes(const Heat& heat) {
    constexpr float kThin = 1; // points
    std::vector<HatchedBox> boxes;
    Index last = -2;
    for (const Index row : heat.hatched_rows) {
        if (!heat.values || row < 0 || row >= heat.values->rows()) continue;
        const Box box = row_box(heat, row);
        if (!(box.w > 0 && box.h > 0)) continue;
        if (row == last + 1 && !boxes.empty() && boxes.back().box.h < kThin) {
            boxes.back().box.h += box.h;
        } else {
            boxes.push_back({box, hatching(heat, row)});
        }
        last = row;
    }
    return boxes;
}

} // namespace heed::figure
