// The transformer as its gradients are computed. What it reads and says is what a live run of a
// model that speaks does: the decoder reads ⟨start⟩ and the target, and is to say the target and
// ⟨end⟩. A decoder alone reads the source before that, and is not judged by what it says there; an
// encoder alone says one word of the target at each word of the source.
#pragma once

#include "models/transformer/parameters.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <memory>

namespace heed::train {

/// Heads, positions and norms are those of a run without controls. `places`, which are of these
/// parameters, get what learns; both must outlive the net.
template <class S>
std::unique_ptr<Net<S>> transformer_net(const models::Transformer::Parameters& parameters,
                                        ParameterLayout& places);

} // namespace heed::train
