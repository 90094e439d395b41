// Masks: keys that a query may attend to. Parts intersect: a cell is allowed when all allow it.
#pragma once

#include "num/matrix.hpp"

#include <memory>
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
    bool only_last = false; // forbids every key but the last that is no padding

    bool operator==(const Mask&) const = default;

    /// `valid_keys`: the number of keys that are no padding.
    bool allows(Index query, Index key, Index valid_keys) const;
    /// The half-open range of keys that padding, causal and window leave to a query; first == last
    /// when they leave none. Painted cells may forbid more inside it.
    std::pair<Index, Index> range(Index query, Index keys, Index valid_keys) const;
    /// The half-open ranges of keys that are forbidden to a query: ascending, none touching
    /// another.
    std::vector<std::pair<Index, Index>> forbidden(Index query, Index keys, Index valid_keys) const;
    /// The painted cells of one query. They may lie outside the map.
    std::span<const std::pair<Index, Index>> painted_in(Index query) const;
    bool empty() const { return !padding && !causal && !window && painted.empty() && !only_last; }
};

/// A mask that many heads share: its copies are one mask, which nobody changes, since one painted
/// by hand may have a cell for every pair of tokens. Equal masks are equal, shared or not.
class SharedMask {
  public:
    SharedMask() : SharedMask(Mask{}) {}
    SharedMask(Mask mask) : mask_(std::make_shared<const Mask>(std::move(mask))) {}

    const Mask& operator*() const { return *mask_; }
    const Mask* operator->() const { return mask_.get(); }
    bool operator==(const SharedMask& other) const {
        return mask_ == other.mask_ || *mask_ == *other.mask_;
    }

  private:
    std::shared_ptr<const Mask> mask_; // never null
};

} // namespace heed::nn
