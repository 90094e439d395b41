// Normalisation of each row, and what it passes back: to mean 0 and variance 1 (Ba et al. 2016), or
// to a mean square of 1 (Zhang and Sennrich 2019), then gain and shift.
#pragma once

#include "nn/layers/norm_order.hpp"
#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <vector>

namespace heed::nn {

using num::Index;
using num::Matrix;
using num::RowVector;

template <class S> struct LayerNormParams {
    RowVector<S> gain, shift; // d_model each: "weight" and "bias" in torch; shift may be empty
    S epsilon = S(1e-5);
    NormKind kind = NormKind::layer;
};

template <class S> struct LayerNormCache {
    /// A row: its mean, 0 for NormKind::rms, and 1/sqrt(mean of (x − mean)² + epsilon).
    std::vector<S> mean, rstd;
};

template <class S> struct LayerNorm {
    Matrix<S> y; // n × d_model
    LayerNormCache<S> cache;
};

/// y = (x − mean) · rstd · gain + shift along each row, with the biased variance.
/// With `added` (n × d_model) x + added is normalised, in one pass over both.
template <class S>
LayerNorm<S> layer_norm_forward(num::ThreadPool& pool, const LayerNormParams<S>& params,
                                const Matrix<S>& x, const Matrix<S>* added = nullptr);

/// Gradients of y = layer_norm_forward(params, x): dx is set, dgain and dshift, d_model each, are
/// added to; dshift is not read where there is no shift. dx may be dy. Inside the calling thread.
template <class S>
void layer_norm_backward(const LayerNormParams<S>& params, const LayerNormCache<S>& cache,
                         const Matrix<S>& x, const Matrix<S>& dy, S* dgain, S* dshift,
                         Matrix<S>& dx);

/// x + added; n × d_model.
template <class S>
Matrix<S> residual_sum(num::ThreadPool& pool, const Matrix<S>& x, const Matrix<S>& added);

} // namespace heed::nn
