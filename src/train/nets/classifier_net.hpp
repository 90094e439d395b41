// A classifier that learns: forward, backward and its parameters, for one thread's sentences at a
// time.
#pragma once

#include "models/transformer/parameters.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <memory>

namespace heed::train {

/// A classifier's net, without controls, as it runs by itself. Both must outlive it; places are
/// asked for here.
template <class S>
std::unique_ptr<Net<S>> classifier_net(const models::Transformer::Parameters& parameters,
                                       ParameterLayout& places);

} // namespace heed::train
