// Weights of 16 bits whose numbers come a few outputs at a time, so that those of a large table do
// not stand in memory twice while they are packed.
#pragma once

#include "num/half_weights.hpp"

#include <functional>

namespace heed::num {

/// `count` outputs from `first` on, count × in; nullptr gives up.
using OutputBlocks = std::function<const std::uint16_t*(Index first, Index count)>;

/// W of a linear map of finite numbers in bf16 or f16, asked for in order; of an empty map where
/// one of its blocks was given up. A block has at most about kBlockNumbers numbers.
inline constexpr Index kBlockNumbers = 1 << 19;
Weights<float> half_weights(Stored stored, Index in, Index out, const OutputBlocks& blocks);

} // namespace heed::num
