// Which keys a query may attend to. Parts intersect: a cell is allowed when every part allows it.
#pragma once

#include "num/matrix.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heed::nn {

using num::Index;

struct Mask {
    bool padding = false;        // forbids keys at and past the end of the sentence
    bool causal = false;         // forbids j > i
    std::optional<Index> window; // forbids |i − j| > window
    std::vector<std::pair<Index, Index>> painted; // forbidden cells (query, key), sorted, unique

    bool operator==(const Mask&) const = default;

    /// `valid_keys`: the number of keys that are no padding.
    bool allows(Index query, Index key, Index valid_keys) const;
    /// The half-open range of keys that padding, causal and window leave to a query; first == last
    /// when they leave none. Painted cells may forbid more inside it.
    std::pair<Index, Index> range(Index query, Index keys, Index valid_keys) const;
    /// The painted cells of one query. They may lie outside the map.
    std::span<const std::pair<Index, Index>> painted_in(Index query) const;
    bool empty() const { return !padding && !causal && !window && painted.empty(); }
};

} // namespace heed::nn
