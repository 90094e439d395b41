// The divisors of rotary frequencies, as GGUF has it: one number a pair of features, where a
// config.json has the rule that it follows.
#pragma once

#include "models/spec/spec.hpp"

#include <span>

namespace heed::models {

/// Finds the scaling of LLaMA 3 that comes to these divisors, for the base and the width that
/// `attention` has. False where none does.
bool fit_rotary_scaling(std::span<const float> divisors, AttentionSpec& attention);

} // namespace heed::models
