#include "figure/parts/stripes.hpp"

#include <algorithm>
#include <memory>

namespace heed::figure {

Figure stripes(const Stripes& stripes, const Frame& frame) {
    Figure figure;
    figure.width = frame.width;
    figure.height = frame.height;
    const float height = frame.height / static_cast<float>(stripes.rows.size());
    float y = 0;
    for (const num::RowVector<float>& row : stripes.rows) {
        Heat heat;
        heat.box = {0, y + stripes.above, frame.width, height - stripes.above - stripes.below};
        heat.values = std::make_shared<const Matrix<float>>(row);
        heat.palette = frame.theme->stripes;
        heat.high = std::max(row.cwiseAbs().maxCoeff(), 1e-12f);
        heat.low = -heat.high;
        figure.items.emplace_back(std::move(heat));
        y += height;
    }
    return figure;
}

} // namespace heed::figure
