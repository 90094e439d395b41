// What a model says comes next.
#pragma once

#include "models/transformer.hpp"

namespace heed::models {

/// softmax(x · outputᵀ), where x is the decoder_output of the target's last token that is no
/// padding: the probability of every row of the vocabulary to come after it (Vaswani et al. 2017,
/// section 3.4). Empty where the model has no decoder or the target no token.
num::RowVector<float> next_token_probabilities(const Run& run, num::Team& team);

} // namespace heed::models
