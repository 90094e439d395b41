// Softmax of rows that are partly masked, and what it passes back (Vaswani et al. 2017, eq. 1).
#pragma once

#include "num/matrix.hpp"

#include <span>

namespace heed::nn {

/// The number that a row was divided by.
template <class S> struct SoftmaxSum {
    S max; // −inf where every number is masked
    S sum; // of exp(z − max); 0 there
};

/// exp(z − max) / Σ, in place; masked numbers are −inf and become 0, and so does a whole row of
/// them.
SoftmaxSum<float> softmax_row(std::span<float> row);
SoftmaxSum<double> softmax_row(std::span<double> row);

/// dz = y ∘ (dy − Σ y dy), the product of dy with diag(y) − y yᵀ. dz may be dy. Masked cells, whose
/// y is 0, get 0.
template <class S>
void softmax_row_backward(std::span<const S> y, std::span<const S> dy, std::span<S> dz);

} // namespace heed::nn
