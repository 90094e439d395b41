// The frame around every sublayer f of a transformer, for training: with z = x + dropout(f(·)),
// post-norm reads f(x) and gives norm(z), pre-norm reads f(norm(x)) and gives z.
#pragma once

#include "nn/attention/dropout.hpp"
#include "nn/layers/norm.hpp"

#include <string>
#include <vector>

namespace heed::nn {

template <class S> struct NormGradient {
    S *gain = nullptr, *shift = nullptr; // d_model each; added to
};

template <class S> struct SublayerCache {
    Matrix<S> sum;     // z
    LayerNorm<S> norm; // of x in pre-norm, of z in post-norm
    Matrix<S> factors; // of dropout; empty where there is none
};

/// The input of f.
template <class S>
const Matrix<S>& sublayer_read(NormOrder order, const LayerNormParams<S>& norm, const Matrix<S>& x,
                               SublayerCache<S>& cache);

/// The wish that f gives f(·) alone, or x + f(·), which its last product can.
inline bool adds_itself(const DropoutSettings& dropout) { return dropout.rate == 0; }

/// Takes what f gave in cache.sum, with x in it or not as adds_itself() says; returns the output.
template <class S>
const Matrix<S>& sublayer_finish(NormOrder order, const LayerNormParams<S>& norm,
                                 const DropoutSettings& dropout, const std::string& place,
                                 const Matrix<S>& x, SublayerCache<S>& cache);

/// dy becomes the gradient of z, which is what the residual passes on, and d_made that of f(·).
/// Returns d_made, or dy itself when they are the same.
template <class S>
const Matrix<S>& sublayer_backward(NormOrder order, const LayerNormParams<S>& norm,
                                   const SublayerCache<S>& cache, const NormGradient<S>& gradient,
                                   Matrix<S>& dy, Matrix<S>& d_made);

/// Pre-norm alone: dx += what the norm before f passes back of d_read, which is used up.
template <class S>
void sublayer_read_backward(const LayerNormParams<S>& norm, const SublayerCache<S>& cache,
                            const Matrix<S>& x, const NormGradient<S>& gradient, Matrix<S>& d_read,
                            Matrix<S>& dx);

} // namespace heed::nn
