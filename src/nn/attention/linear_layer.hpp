// A linear map that learns: y = x W + b, and what it passes back. Rows are the tokens of all
// sentences of a batch, one sentence after another without padding. Training gives each thread
// sentences of its own, so nothing here is shared among threads.
#pragma once

#include "num/transposed.hpp"

#include <span>

namespace heed::nn {

using num::ConstView;
using num::Index;
using num::Matrix;
using num::RowVector;
using num::View;

template <class S> struct LinearLayer {
    num::Weights<S> weights;      // in × out
    num::Weights<S> transposed;   // the same, out × in: what is passed back reads it
    std::span<const S> bias = {}; // out, or empty

    /// Packs w, in × out, both ways.
    void set(ConstView<S> w, std::span<const S> b);
};

/// The places that a layer's gradients go to.
template <class S> struct LinearGradient {
    S* weights = nullptr; // in × out
    S* bias = nullptr;    // out; not read where the layer has none
};

/// The end of a product, before it is stored.
template <class S> struct LinearEnd {
    num::Epilogue epilogue = num::Epilogue::none;
    const Matrix<S>* residual = nullptr; // added last
};

/// x: rows × in, y: rows × out, which gets its size here.
template <class S>
void linear_forward(const LinearLayer<S>& layer, ConstView<S> x, const LinearEnd<S>& end,
                    Matrix<S>& y);
/// Into what is there already: rows × out.
template <class S>
void linear_forward(const LinearLayer<S>& layer, ConstView<S> x, const LinearEnd<S>& end,
                    View<S> y);

/// dW = xᵀ dy and db = Σ rows of dy, in place of what is there or added to it.
template <class S>
void linear_gradient(ConstView<S> x, ConstView<S> dy, num::Store store, bool has_bias,
                     const LinearGradient<S>& gradient);

/// dx = dy Wᵀ, in place of what is there or added to it. dx: rows × in, already of its size.
template <class S>
void linear_backward(const LinearLayer<S>& layer, ConstView<S> dy, num::Store store, Matrix<S>& dx);

/// A pool of the calling thread alone.
num::ThreadPool& alone();

} // namespace heed::nn
