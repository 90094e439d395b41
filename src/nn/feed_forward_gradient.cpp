#include "nn/feed_forward_gradient.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace heed::nn {

template <class S> S gelu_slope(S x) {
    const S phi =
        std::exp(-x * x / 2) * static_cast<S>(std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2);
    return (1 + std::erf(x * static_cast<S>(1 / std::numbers::sqrt2))) / 2 + x * phi;
}

template <class S>
void feed_forward_forward(const LearnedFeedForward<S>& layer, const Matrix<S>& x,
                          const Matrix<S>* residual, FeedForwardCache<S>& cache,
                          Matrix<S>& output) {
    if (layer.activation == Activation::relu) {
        linear_forward<S>(layer.linear1, num::view(x), {.epilogue = num::Epilogue::relu},
                          cache.hidden);
    } else {
        linear_forward<S>(layer.linear1, num::view(x), {}, cache.linear);
        cache.hidden = cache.linear.unaryExpr([](S value) { return gelu(value); });
    }
    linear_forward<S>(layer.linear2, num::view(std::as_const(cache.hidden)), {.residual = residual},
                      output);
}

template <class S>
void feed_forward_backward(const LearnedFeedForward<S>& layer, const FeedForwardCache<S>& cache,
                           const Matrix<S>& x, const Matrix<S>& d_output,
                           const FeedForwardGradient<S>& gradient, Matrix<S>& dx) {
    const ConstView<S> dy = num::view(d_output);
    linear_gradient<S>(num::view(cache.hidden), dy, num::Store::set, !layer.linear2.bias.empty(),
                       gradient.linear2);
    Matrix<S> d_hidden(cache.hidden.rows(), cache.hidden.cols());
    linear_backward<S>(layer.linear2, dy, num::Store::set, d_hidden);
    if (layer.activation == Activation::relu) {
        const S* y = cache.hidden.data();
        S* d = d_hidden.data();
        for (Index i = 0; i < d_hidden.size(); ++i) d[i] = y[i] > 0 ? d[i] : S(0);
    } else {
        d_hidden = d_hidden.cwiseProduct(
            cache.linear.unaryExpr([](S value) { return gelu_slope(value); }));
    }
    const ConstView<S> d_first = num::view(std::as_const(d_hidden));
    linear_gradient<S>(num::view(x), d_first, num::Store::set, !layer.linear1.bias.empty(),
                       gradient.linear1);
    linear_backward<S>(layer.linear1, d_first, num::Store::add, dx);
}

#define HEED_FEED_FORWARD(S)                                                                       \
    template S gelu_slope(S);                                                                      \
    template void feed_forward_forward(const LearnedFeedForward<S>&, const Matrix<S>&,             \
                                       const Matrix<S>*, FeedForwardCache<S>&, Matrix<S>&);        \
    template void feed_forward_backward(const LearnedFeedForward<S>&, const FeedForwardCache<S>&,  \
                                        const Matrix<S>&, const Matrix<S>&,                        \
                                        const FeedForwardGradient<S>&, Matrix<S>&);
HEED_FEED_FORWARD(float)
HEED_FEED_FORWARD(double)
#undef HEED_FEED_FORWARD

} // namespace heed::nn
