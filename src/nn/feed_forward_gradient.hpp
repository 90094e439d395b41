// The feed-forward network for training: f(x W1 + b1) W2 + b2 and what it passes back.
#pragma once

#include "nn/feed_forward.hpp"
#include "nn/linear_layer.hpp"

namespace heed::nn {

template <class S> struct LearnedFeedForward {
    LinearLayer<S> linear1, linear2;
    Activation activation = Activation::relu;
};
template <class S> struct FeedForwardGradient {
    LinearGradient<S> linear1, linear2; // set
};

/// x Φ(x) differentiated: Φ(x) + x φ(x).
template <class S> S gelu_slope(S x);

/// cache.linear is filled for GELU alone; cache.output gets the output + residual.
template <class S>
void feed_forward_forward(const LearnedFeedForward<S>& layer, const Matrix<S>& x,
                          const Matrix<S>* residual, FeedForwardCache<S>& cache, Matrix<S>& output);

/// Adds to dx.
template <class S>
void feed_forward_backward(const LearnedFeedForward<S>& layer, const FeedForwardCache<S>& cache,
                           const Matrix<S>& x, const Matrix<S>& d_output,
                           const FeedForwardGradient<S>& gradient, Matrix<S>& dx);

} // namespace heed::nn
