// The recurrent encoder-decoder as its gradients are computed; see models/recurrent.hpp for the
// equations. Under dropout features fall of both embeddings and of what the words are told from.
#pragma once

#include "models/recurrent/recurrent_parameters.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <memory>

namespace heed::train {

/// Context, score and order of steps are the configuration's. `places`, which are of these
/// parameters, get what learns; both must outlive the net.
template <class S>
std::unique_ptr<Net<S>> recurrent_net(const models::Recurrent::Parameters& parameters,
                                      ParameterLayout& places);

} // namespace heed::train
