// The position-wise feed-forward network: f(x W1 + b1) W2 + b2 (Vaswani et al. 2017, eq. 2).
#pragma once

#include "num/product.hpp"

#include <optional>
#include <string_view>

namespace heed::nn {

using num::Index;
using num::Matrix;
using num::RowVector;

enum class Activation {
    relu,
    gelu, // x Φ(x), with the error function (Hendrycks and Gimpel 2016, eq. 1)
};
std::string_view name(Activation activation); // "relu", "gelu"
std::optional<Activation> activation_named(std::string_view name);

template <class S> S gelu(S x);

template <class S> struct FeedForwardParams {
    num::Weights<S> linear1; // d_model × d_ff
    num::Weights<S> linear2; // d_ff × d_model
    RowVector<S> bias1, bias2;
};

template <class S> struct FeedForwardCache {
    Matrix<S> linear; // n × d_ff, x W1 + b1; empty for ReLU: first_linear() makes it again
    Matrix<S> hidden; // n × d_ff, after the activation
    Matrix<S> output; // n × d_model
};

/// x W1 + b1, n × d_ff: what the activation reads, in the very numbers of feed_forward().
template <class S>
Matrix<S> first_linear(num::Team& team, const FeedForwardParams<S>& params, const Matrix<S>& x);

/// The result is the cache's `output`. `next`: the weights that are read next, as in
/// num::LinearOptions.
template <class S>
FeedForwardCache<S> feed_forward(num::Team& team, const FeedForwardParams<S>& params,
                                 Activation activation, const Matrix<S>& x,
                                 const num::Weights<S>* next = nullptr);

} // namespace heed::nn
