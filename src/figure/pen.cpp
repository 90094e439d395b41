#include "figure/pen.hpp"

#include "figure/palette.hpp"

#include <algorithm>

namespace heed::figure {

Dashes dashes(float width) {
    const float unit = std::max(width, 1.0f);
    return {4 * unit, 3 * unit};
}

Hatching hatching(const Heat& heat, Index row) {
    const float height = heat.box.h / static_cast<float>(heat.values->rows());
    const Color ground = colour_of(heat.palette, (*heat.values)(row, 0), heat.low, heat.high);
    return {std::clamp(height / 2, 2.0f, 6.0f), std::clamp(height / 16, 0.5f, 1.0f),
            mixed(ground, ink_on(ground), 0.4f)};
}

} // namespace heed::figure
