// Softmax as one factor on all scores grows.
#pragma once

#include "num/matrix.hpp"

#include <optional>
#include <vector>

namespace heed::num {

/// ‖diag(y) − y yᵀ‖, the Frobenius norm of the Jacobian of softmax at the weights y, without making
/// it: √(Σ y_i² (1 − y_i)² + 2 Σ_{i<j} y_i² y_j²).
template <class S> S jacobian_norm(const RowVector<S>& y);

struct SoftmaxSweep {
    std::vector<float> factors;
    Matrix<float> weights;            // factors × keys: softmax(factor · logits)
    std::vector<float> jacobian_norm; // one a factor
    std::vector<float> entropy_bits;
};

/// Factors from `low` to `high`, both above 0, in equal steps of their logarithm, but for the one
/// nearest to `through`, in whose place that stands where it lies between. −inf stays masked at
/// every factor. ContractError when steps < 2 or the ends are not 0 < low < high.
SoftmaxSweep softmax_sweep(const RowVector<float>& logits, float low, float high, int steps,
                           std::optional<float> through = {});

} // namespace heed::num
