// One query's way from scores to weights, which every attention of this folder goes between its two
// products. The fused kernel of num/attention.hpp is another writing of it, held to it by tests.
#pragma once

#include "nn/attention/dropout.hpp"
#include "nn/attention/head_settings.hpp"
#include "num/rows.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace heed::nn {

/// Cells of one query's row of a map.
template <class S> struct WeightRow {
    const HeadSettings<S>& settings;
    Index query = 0;                  // its row of the map
    Index first = 0;                  // the first key of the cells at hand
    Index n_keys = 0, valid_keys = 0; // of the map
    const S* bias = nullptr;          // of the cells at hand; null where positions add none
};

inline void add_scaled(std::span<float> row, float factor, const float* other) {
    num::add_row(row, factor, {other, row.size()});
}
inline void add_scaled(std::span<double> row, double factor, const double* other) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += factor * other[j];
}

/// row + bias_factor · bias where the mask allows, −inf where it does not. `row` holds scores times
/// gamma, or times gamma / temperature with a bias_factor of 1 / temperature.
template <class S> void bias_and_mask(const WeightRow<S>& at, S bias_factor, std::span<S> row) {
    if (at.bias) add_scaled(row, bias_factor, at.bias);
    const Mask& mask = *at.settings.mask;
    if (mask.empty()) return;
    constexpr S kMasked = -std::numeric_limits<S>::infinity();
    const auto cells = static_cast<Index>(row.size());
    const auto [first, last] = mask.range(at.query, at.n_keys, at.valid_keys);
    const Index before = std::clamp(first - at.first, Index(0), cells);
    const Index after = std::clamp(last - at.first, Index(0), cells);
    std::fill(row.begin(), row.begin() + before, kMasked);
    std::fill(row.begin() + after, row.end(), kMasked);
    for (const auto& [query, key] : mask.painted_in(at.query)) {
        if (key >= at.first && key < at.first + cells) {
            row[static_cast<std::size_t>(key - at.first)] = kMasked;
        }
    }
}

/// Weights times the factors of dropout; `element`: where the map's row begins in what is dropped.
template <class S>
void drop_row(const WeightRow<S>& at, const Dropout& dropout, Index element, std::span<S> row) {
    if (!dropout.active()) return;
    for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] *= dropout.factor<S>(element + at.first + static_cast<Index>(j));
    }
}

} // namespace heed::nn
