// What layer normalisation passes back; see norm.hpp.
#pragma once

#include "nn/norm.hpp"

namespace heed::nn {

/// Of y = layer_norm_forward(params, x): dx is set, dgain and dshift, d_model each, are added to.
/// dx may be dy. Inside the calling thread.
template <class S>
void layer_norm_backward(const LayerNormParams<S>& params, const LayerNormCache<S>& cache,
                         const Matrix<S>& x, const Matrix<S>& dy, S* dgain, S* dshift,
                         Matrix<S>& dx);

} // namespace heed::nn
