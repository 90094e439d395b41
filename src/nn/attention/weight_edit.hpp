// Weights that a person set by hand, as an intervention on one head.
#pragma once

#include "num/matrix.hpp"

#include <span>
#include <vector>

namespace heed::nn {

using num::Index;

struct WeightEdit {
    Index query = 0, key = 0;
    float weight = 0; // 0 to 1
    bool operator==(const WeightEdit&) const = default;
};

/// The edits of one query, of edits sorted by query.
std::span<const WeightEdit> edits_of(const std::vector<WeightEdit>& edits, Index query);

/// One query's weights as its edits make them: the edited keys have the weight they were given, and
/// the others share what is left in the proportion that they had, so that the row sums to one
/// again. Where more than one was given away, or nobody is there to share the rest, the given
/// weights are scaled to sum to one. A masked key may be given weight; its score stays masked.
/// row: one number a key.
template <class S> void apply_edits(std::span<const WeightEdit> edits, S* row, Index keys);

} // namespace heed::nn
