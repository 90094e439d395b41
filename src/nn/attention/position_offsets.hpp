// The products of two places of a sentence, by how far they lie apart.
#pragma once

#include "nn/attention/position.hpp"

#include <vector>

namespace heed::nn {

/// One number for each offset j − i from −(n − 1) to n − 1: element offset + (n − 1).
template <class S> struct OffsetProfile {
    std::vector<S> mean, least, most; // over all pairs of places that lie so far apart
};

/// p(t) · p(t + offset) of the rows of a table, n × d. Of sinusoidal positions it is the same at
/// every t: Σ cos(offset · θ_c) over the pairs c.
template <class S> OffsetProfile<S> position_products(const Matrix<S>& table);

/// True where products tell how near two places are: that at offset 0, element `zero`, is above its
/// neighbour's, and of nine of ten pairs of offsets from 1 to `far` the larger has the smaller one.
template <class S> bool falls_with_distance(const std::vector<S>& products, Index zero, Index far);

/// q · R(offset) k / d_k for q and k of ones: the mean of cos(offset · θ_c) over the pairs, where
/// features that are not rotated count as 1. `offsets` of them, from 0 on; the other side is its
/// mirror.
template <class S>
std::vector<S> rotary_products(Index offsets, Index d_k, const RotarySettings& settings = {});

} // namespace heed::nn
