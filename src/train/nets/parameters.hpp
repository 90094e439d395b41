// Parameters as an optimiser sees them: numbers and their gradients, tensor by tensor.
#pragma once

#include "num/threads.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heed::train {

/// One tensor. Spans of one length, in any layout, as long as both have the same.
struct Parameter {
    std::string name; // "encoder.layers.0.linear1.weight"
    std::span<float> values;
    std::span<const float> gradients;
};

/// Numbers in all.
std::size_t count(std::span<const Parameter> parameters);

/// The Euclidean norm of some gradients taken together.
struct LayerGradient {
    std::string layer;
    double norm = 0;
    bool operator==(const LayerGradient&) const = default;
};
struct GradientNorms {
    double total = 0; // of all; NaN or infinite when a gradient is
    std::vector<LayerGradient> layers;
};

/// "encoder.layers.0" of "encoder.layers.0.linear1.weight": a name up to its first number, or,
/// where it has none, without its last part; "output" of "output".
std::string layer_of(const std::string& name);

/// Layers in the order of their first tensor. The same for every size of the pool.
GradientNorms gradient_norms(num::ThreadPool& pool, std::span<const Parameter> parameters);

/// The factor on gradients of this norm that brings theirs to max_norm at most: min(1, max_norm /
/// (norm + 1e-6)), as torch.nn.utils.clip_grad_norm_ does (Pascanu et al. 2013). 1 where max_norm
/// is 0: no clipping.
float clip_factor(double norm, double max_norm);

} // namespace heed::train
