// Which keys a query may attend to. Parts intersect: a cell is allowed when every part allows it.
#pragma once

#include "num/matrix.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace heed::nn {

using num::Index;

struct Mask {
    /// Keys at and past the sentence's end get nothing. Empty: the run's own end, if it has one.
    bool padding = false;
    bool causal = false;             // forbids j > i
    std::optional<Index> window;     // forbids |i − j| > window
    std::vector<std::pair<Index, Index>> painted; // forbidden cells (query, key), sorted, unique

    bool operator==(const Mask&) const = default;

    /// `valid_keys`: the number of keys that are no padding.
    bool allows(Index query, Index key, Index valid_keys) const;
    /// The half-open range of keys that padding, causal and window leave to a query.
    std::pair<Index, Index> range(Index query, Index keys, Index valid_keys) const;
    bool empty() const { return !padding && !causal && !window && painted.empty(); }
};

} // namespace heed::nn
