// The position-wise feed-forward network and what it passes back: f(x W1 + b1) W2 + b2 (Vaswani et
// al. 2017, eq. 2), or gated: (f(x W1 + b1) ∘ (x V + c)) W2 + b2 (Shazeer 2020, eq. 5 and 6).
#pragma once

#include "nn/attention/linear_layer.hpp"
#include "nn/layers/activation.hpp"
#include "num/product.hpp"

namespace heed::nn {

template <class S> struct FeedForwardParams {
    num::Weights<S> linear1;   // d_model × d_ff; W1
    num::Weights<S> linear2;   // d_ff × d_model; W2
    RowVector<S> bias1, bias2; // each may be empty
    num::Weights<S> gate = {}; // d_model × d_ff; V of a gated network, else empty
    RowVector<S> gate_bias = {};

    bool gated() const { return gate.out() > 0; }
};

template <class S> struct FeedForwardCache {
    Matrix<S> linear; // n × d_ff, x W1 + b1; empty for plain ReLU: first_linear() makes it again
    Matrix<S> gate;   // n × d_ff, x V + c; empty where it is not gated
    Matrix<S> hidden; // n × d_ff, after the activation and the gate: what W2 reads
    Matrix<S> output; // n × d_model
};

/// x W1 + b1, n × d_ff: what the activation reads, in the very numbers of feed_forward().
template <class S>
Matrix<S> first_linear(num::ThreadPool& pool, const FeedForwardParams<S>& params,
                       const Matrix<S>& x);

/// The result is the cache's `output`. `next`: the weights that are read next, as in
/// num::LinearOptions.
template <class S>
FeedForwardCache<S> feed_forward(num::ThreadPool& pool, const FeedForwardParams<S>& params,
                                 Activation activation, const Matrix<S>& x,
                                 const num::Weights<S>* next = nullptr);

/// The network as it learns. `gate`: V, empty where it is not gated.
template <class S> struct LearnedFeedForward {
    LinearLayer<S> linear1, linear2;
    Activation activation = Activation::relu;
    LinearLayer<S> gate = {};

    bool gated() const { return gate.weights.out() > 0; }
};
template <class S> struct FeedForwardGradient {
    LinearGradient<S> linear1, linear2, gate; // set
};

/// `output` gets the output + residual, which may be null.
template <class S>
void feed_forward_forward(const LearnedFeedForward<S>& layer, const Matrix<S>& x,
                          const Matrix<S>* residual, FeedForwardCache<S>& cache, Matrix<S>& output);

/// Adds to dx.
template <class S>
void feed_forward_backward(const LearnedFeedForward<S>& layer, const FeedForwardCache<S>& cache,
                           const Matrix<S>& x, const Matrix<S>& d_output,
                           const FeedForwardGradient<S>& gradient, Matrix<S>& dx);

} // namespace heed::nn
