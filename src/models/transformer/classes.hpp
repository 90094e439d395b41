// Probabilities of the classes, from what a classifier's last layer made.
#pragma once

#include "models/transformer/parameters.hpp"
#include "nn/attention/dropout.hpp"
#include "trace/trace.hpp"

namespace heed::models {

/// x: the rows of the last layer's tokens that are no padding. The layer gets what stands between
/// them and the classes.
void record_classes(num::ThreadPool& pool, const Transformer::Parameters& parameters,
                    const Matrix<float>& x, const nn::DropoutSettings& dropout,
                    trace::Layer& layer);

} // namespace heed::models
