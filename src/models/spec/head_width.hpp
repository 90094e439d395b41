// The width that heads ask of a model.
#pragma once

#include "base/result.hpp"
#include "nn/attention/position_info.hpp"

#include <string>

namespace heed::models {

/// Errors: mismatch, with "d_model" or "positions" as the subject: where d_model is not divisible
/// by n_heads (both numbers named), or rotary positions meet an odd head width.
base::Result<void> check_head_width(int d_model, int n_heads, nn::Positions positions);

/// Reason why rotary positions do not fit this width.
std::string odd_rotary(int d_model, int n_heads);

} // namespace heed::models
