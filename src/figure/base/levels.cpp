#include "figure/base/levels.hpp"

#include "figure/base/value_range.hpp"

#include <algorithm>

namespace heed::figure {

std::shared_ptr<const Levels> make_levels(const Matrix<float>& values) {
    constexpr Index kCoarsest = 64;
    auto levels = std::make_shared<Levels>();
    const Matrix<float>* finer = &values;
    while (std::max(finer->rows(), finer->cols()) > kCoarsest) {
        levels->coarser.push_back(
            std::make_shared<const Matrix<float>>(strongest_of_blocks(*finer, 2, 2)));
        finer = levels->coarser.back().get();
    }
    return levels;
}

Level level_for(const std::shared_ptr<const Matrix<float>>& values, const Levels* levels,
                float pixels) {
    Level level{values, 1};
    if (levels == nullptr) return level;
    for (const auto& coarser : levels->coarser) {
        if (static_cast<float>(2 * level.cells) * pixels > 1) break;
        level = {coarser, 2 * level.cells};
    }
    return level;
}

std::shared_ptr<const PreparedMap> prepared(const std::shared_ptr<const Matrix<float>>& values,
                                            bool with_logarithms) {
    constexpr Index kSmall = Index{256} * 256;
    if (!values || values->size() <= kSmall) return nullptr;
    auto map = std::make_shared<PreparedMap>();
    map->values = values;
    map->levels = make_levels(*values);
    const Ends ends = finite_ends(values->data(), values->size());
    map->low = ends.low;
    map->high = ends.high;
    map->by_row = by_row(*values);
    map->row_largest = largest_of_rows(*values);
    map->by_row_levels = make_levels(*map->by_row);
    if (with_logarithms) {
        map->logarithms = std::make_shared<const Logarithms>(
            Logarithms{decades(values, map->levels.get(), 1),
                       decades(values, map->levels.get(), map->high > 0 ? map->high : 1),
                       decades(map->by_row, map->by_row_levels.get(), 1)});
    }
    return map;
}

} // namespace heed::figure
