// The Jacobian of a softmax as a map of its keys.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/views/softmax_room.hpp"

namespace heed::figure {

/// Weights down, scores across, with the names of the keys as far as these have room. Target: cells
/// of SoftmaxPart::jacobian.
void draw_jacobian(Sheet& sheet, const SoftmaxRoomData& data, const SoftmaxRoomOptions& options,
                   const Box& part);

} // namespace heed::figure
