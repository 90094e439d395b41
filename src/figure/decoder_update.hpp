// The lower half of the Step view: a decoder's cell with its gates, and the words that follow.
#pragma once

#include "figure/decoder_step.hpp"
#include "figure/sheet.hpp"

#include <optional>

namespace heed::figure {

/// The height that it wants, points.
float update_height(const DecoderStepData& data);

/// `ordinal`: what the update is among the parts of a step. `context`: where c_i stands above, if
/// it stands anywhere. Of several layers the last alone has its gates where there is no room.
void draw_update(Sheet& sheet, const DecoderStepData& data, int ordinal,
                 const std::optional<Box>& context, const Box& place);

} // namespace heed::figure
