#include "nn/feed_forward.hpp"

#include "base/check.hpp"
#include "nn/row_blocks.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace heed::nn {

std::string_view name(Activation activation) {
    return activation == Activation::relu ? "relu" : "gelu";
}

std::optional<Activation> activation_named(std::string_view wanted) {
    for (const Activation activation : {Activation::relu, Activation::gelu}) {
        if (name(activation) == wanted) return activation;
    }
    return std::nullopt;
}

template <class S> S gelu(S x) {
    return x / 2 * (1 + std::erf(x * static_cast<S>(1 / std::numbers::sqrt2)));
}

namespace {

template <class S> std::span<const S> span_of(const RowVector<S>& bias) {
    return {bias.data(), static_cast<std::size_t>(bias.size())};
}

/// x W1 + b1, through ReLU or not, into y, which gets its size here.
template <class S>
void first_linear(num::Team& team, const FeedForwardParams<S>& params, const Matrix<S>& x,
                  num::Epilogue epilogue, Matrix<S>& y) {
    HEED_CHECK(params.linear1.in() == x.cols(), "feed-forward takes rows of {}, these have {}",
               params.linear1.in(), x.cols());
    num::LinearOptions<S> options;
    options.bias = span_of(params.bias1);
    options.epilogue = epilogue;
    options.next = &params.linear2;
    y.resize(x.rows(), params.linear1.out());
    num::linear<S>(team, num::view(x), params.linear1, options, num::view(y));
}

} // namespace

template <class S>
Matrix<S> first_linear(num::Team& team, const FeedForwardParams<S>& params, const Matrix<S>& x) {
    Matrix<S> y;
    first_linear(team, params, x, num::Epilogue::none, y);
    return y;
}

template <class S>
FeedForwardCache<S> feed_forward(num::Team& team, const FeedForwardParams<S>& params,
                                 Activation activation, const Matrix<S>& x,
                                 const num::Weights<S>* next) {
    const Index d_ff = params.linear1.out();
    HEED_CHECK(params.linear2.in() == d_ff,
               "the first linear map makes {} values, the second "
               "takes {}",
               d_ff, params.linear2.in());
    FeedForwardCache<S> cache;
    if (activation == Activation::relu) {
        first_linear(team, params, x, num::Epilogue::relu, cache.hidden);
    } else {
        first_linear(team, params, x, num::Epilogue::none, cache.linear);
        cache.hidden.resize(x.rows(), d_ff);
        for_row_blocks(team, x.rows(), 8 * d_ff, [&](Index begin, Index end) {
            for (Index i = begin * d_ff; i < end * d_ff; ++i) {
                cache.hidden.data()[i] = gelu(cache.linear.data()[i]);
            }
        });
    }
    num::LinearOptions<S> second;
    second.bias = span_of(params.bias2);
    second.next = next;
    cache.output.resize(x.rows(), params.linear2.out());
    num::linear<S>(team, num::view(std::as_const(cache.hidden)), params.linear2, second,
                   num::view(cache.output));
    return cache;
}

template float gelu(float);
template double gelu(double);
template Matrix<float> first_linear(num::Team&, const FeedForwardParams<float>&,
                                    const Matrix<float>&);
template Matrix<double> first_linear(num::Team&, const FeedForwardParams<double>&,
                                     const Matrix<double>&);
template FeedForwardCache<float> feed_forward(num::Team&, const FeedForwardParams<float>&,
                                              Activation, const Matrix<float>&,
                                              const num::Weights<float>*);
template FeedForwardCache<double> feed_forward(num::Team&, const FeedForwardParams<double>&,
                                               Activation, const Matrix<double>&,
                                               const num::Weights<double>*);

} // namespace heed::nn
