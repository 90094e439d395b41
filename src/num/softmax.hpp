// Softmax along a row and what belongs to it.
#pragma once

#include "num/matrix.hpp"

#include <span>
#include <vector>

namespace heed::num {

/// y = exp(x − max x) / Σ. A row whose x are all −inf has no distribution: all 0.
template <class S> RowVector<S> softmax(const RowVector<S>& x);

/// ∂y/∂x = diag(y) − y yᵀ, m × m.
template <class S> Matrix<S> softmax_jacobian(const RowVector<S>& y);

/// −Σ y log2 y; 0 for a row without a distribution.
template <class S> S entropy_bits(const RowVector<S>& y);

} // namespace heed::num
