#include "app/engine/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::app {

namespace {

/// row: the weights of query i.
Index masked_with_weight(const trace::AttentionMap& map, const float* row, Index i) {
    const trace::HeadSettings& settings = map.head().settings;
    const nn::Mask& mask = *settings.mask;
    const Index keys = map.cols(trace::Stage::weights);
    const auto [first, last] = mask.range(i, keys, map.attention().valid_keys);
    const auto edits = nn::edits_of(settings.edits, i);
    const auto given = [&](Index j) {
        return std::any_of(edits.begin(), edits.end(), [&](const auto& e) { return e.key == j; });
    };
    Index count = 0;
    const auto look = [&](Index j) { count += row[j] != 0 && !given(j); };
    for (Index j = 0; j < first; ++j) look(j);
    for (Index j = last; j < keys; ++j) look(j);
    for (const auto& [query, key] : mask.painted_in(i)) {
        if (key >= first && key < last) look(key);
    }
    return count;
}

} // namespace

void look_for_faults(MapFaults& faults, const trace::AttentionMap& map, const Matrix<float>& rows,
                     Index first) {
    for (Index r = 0; r < rows.rows(); ++r) {
        const Index i = first + r;
        const float* row = rows.data() + r * rows.cols();
        double sum = 0;
        Index bad = 0;
        for (Index j = 0; j < rows.cols(); ++j) {
            bad += !std::isfinite(row[j]);
            sum += static_cast<double>(row[j]);
        }
        const Index masked = masked_with_weight(map, row, i);
        faults.not_finite += bad;
        faults.masked += masked;
        if (bad + masked > 0) faults.other_rows.push_back(i);
        if (bad > 0 || map.head().settings.dropout > 0 || !map.has_distribution(i)) continue;
        const auto distance = static_cast<float>(std::abs(sum - 1));
        if (distance <= kSumTolerance) continue;
        faults.rows.push_back(i);
        faults.farthest = std::max(faults.farthest, distance);
    }
}

MapFaults faults_of(const trace::AttentionMap& map, const Matrix<float>& weights) {
    MapFaults faults;
    look_for_faults(faults, map, weights, 0);
    return faults;
}

std::string fault_words(const MapFaults& faults) {
    constexpr std::size_t kMostTold = 5;
    std::string words;
    if (!faults.rows.empty()) {
        std::string list;
        for (std::size_t k = 0; k < std::min(faults.rows.size(), kMostTold); ++k) {
            list += fmt::format("{}{}", k == 0 ? "" : ", ", faults.rows[k] + 1);
        }
        if (faults.rows.size() > kMostTold) {
            list += fmt::format(" and {} more", faults.rows.size() - kMostTold);
        }
        words = fmt::format("The weights of {} {} do not sum to 1 (by up to {:.2g}). ",
                            faults.rows.size() == 1 ? "query" : "queries", list, faults.farthest);
    }
    if (faults.masked > 0) {
        words += fmt::format("{} masked cells have a weight. ", faults.masked);
    }
    if (faults.not_finite > 0) {
        words += fmt::format("{} weights are not finite. ", faults.not_finite);
    }
    if (!words.empty()) words.pop_back();
    return words;
}

} // namespace heed::app
