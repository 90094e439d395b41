// Memory that the arrays of `heed attend` take, told before a model runs for them.
#pragma once

#include "base/result.hpp"
#include "models/model/model.hpp"
#include "trace/trace.hpp"

#include <vector>

namespace heed::app {

enum class ArrayFormat { json, npz, safetensors };

/// Count of one stage's numbers, over all heads of all layers and kinds of attention.
double numbers_in(trace::Stage stage, const models::Config& config, const models::Input& input);

/// Errors: out_of_range with --stages as the subject, where the arrays and their file together
/// would take more memory than the limit; the message names it and what can be left out.
base::Result<void> check_memory(const models::Config& config, const models::Input& input,
                                const std::vector<trace::Stage>& stages, ArrayFormat format);

/// Errors: as above, of logits and probabilities, positions × vocabulary each; subject --logits.
base::Result<void> check_logits_memory(num::Index positions, num::Index vocabulary,
                                       ArrayFormat format);

} // namespace heed::app
