#include "nn/attention/weight_edit.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace heed::nn {

std::span<const WeightEdit> edits_of(const std::vector<WeightEdit>& edits, Index query) {
    const auto begin = std::partition_point(edits.begin(), edits.end(),
                                            [&](const WeightEdit& e) { return e.query < query; });
    const auto end = std::partition_point(begin, edits.end(),
                                          [&](const WeightEdit& e) { return e.query == query; });
    return {begin, end};
}

template <class S> void apply_edits(std::span<const WeightEdit> edits, S* row, Index keys) {
    S given = 0;
    for (const WeightEdit& edit : edits) {
        HEED_CHECK(edit.key >= 0 && edit.key < keys, "an edited weight of key {} of {}", edit.key,
                   keys);
        row[edit.key] = 0;
        given += static_cast<S>(edit.weight);
    }
    S others = 0;
    for (Index j = 0; j < keys; ++j) others += row[j];
    const bool alone = !(others > 0) || given >= 1;
    if (alone && given == 0) return; // no key at all: still no distribution
    const S rest = alone ? 0 : (1 - given) / others;
    for (Index j = 0; j < keys; ++j) row[j] *= rest;
    for (const WeightEdit& edit : edits) {
        row[edit.key] = static_cast<S>(edit.weight) / (alone ? given : 1);
    }
}

template void apply_edits(std::span<const WeightEdit>, float*, Index);
template void apply_edits(std::span<const WeightEdit>, double*, Index);

} // namespace heed::nn
