// Weights of 16 bits whose numbers come a few outputs or inputs at a time, so that those of a large
// table do not stand in memory twice while they are packed.
#pragma once

#include "num/half_weights.hpp"

#include <functional>

namespace heed::num {

/// `count` outputs, or inputs, from `first` on, all numbers of one after another; nullptr gives up.
using HalfBlocks = std::function<const std::uint16_t*(Index first, Index count)>;

/// W of a linear map of finite numbers in bf16 or f16, whose outputs are asked for in order; an
/// empty map where one of the blocks was given up. A block has at most about kBlockNumbers numbers.
inline constexpr Index kBlockNumbers = 1 << 19;
Weights<float> half_weights(Stored stored, Index in, Index out, const HalfBlocks& blocks);
/// W asked for by inputs, each `stride` numbers behind the one before, of which `out` count.
Weights<float> half_weights_by_inputs(Stored stored, Index in, Index out, Index stride,
                                      const HalfBlocks& blocks);

} // namespace heed::num
