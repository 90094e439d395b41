#include "nn/layers/feed_forward.hpp"

#include "base/check.hpp"
#include "nn/attention/row_blocks.hpp"
#include "num/rows.hpp"

#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace heed::nn {

namespace {

/// x W + b, through ReLU or not, into y, which gets its size here.
template <class S>
void linear_map(num::ThreadPool& pool, const Matrix<S>& x, const num::Weights<S>& w,
                const RowVector<S>& bias, num::Epilogue epilogue, const num::Weights<S>* next,
                Matrix<S>& y) {
    HEED_CHECK(w.in() == x.cols(), "feed-forward takes rows of {}, these have {}", w.in(),
               x.cols());
    num::LinearOptions<S> options;
    options.bias = num::row_span(bias);
    options.epilogue = epilogue;
    options.next = next;
    y.resize(x.rows(), w.out());
    num::linear<S>(pool, num::view(x), w, options, num::view(y));
}

/// Plain ReLU is a part of the product, and what it reads is not kept.
bool ends_the_product(Activation activation, bool gated) {
    return activation == Activation::relu && !gated;
}

std::optional<num::Curve> curve_of(Activation activation) {
    switch (activation) {
    case Activation::gelu: return num::Curve::gelu;
    case Activation::gelu_tanh: return num::Curve::gelu_tanh;
    case Activation::silu: return num::Curve::silu;
    case Activation::quick_gelu: return num::Curve::quick_gelu;
    case Activation::relu: break;
    }
    return std::nullopt;
}

/// hidden = f(linear) ∘ gate of the elements [begin, end).
template <class S>
void activate_elements(Activation activation, FeedForwardCache<S>& c, Index begin, Index end) {
    if constexpr (std::is_same_v<S, float>) {
        if (const auto curve = curve_of(activation)) {
            const auto part = [&](auto& m) { return std::span(m.data() + begin, m.data() + end); };
            num::curve_row(*curve, part(c.linear),
                           c.gate.size() > 0 ? part(c.gate) : std::span<float>(), part(c.hidden));
            return;
        }
    }
    for (Index i = begin; i < end; ++i) {
        c.hidden.data()[i] = activate(activation, c.linear.data()[i]);
    }
    if (c.gate.size() == 0) return;
    for (Index i = begin; i < end; ++i) c.hidden.data()[i] *= c.gate.data()[i];
}

} // namespace

template <class S>
Matrix<S> first_linear(num::ThreadPool& pool, const FeedForwardParams<S>& p, const Matrix<S>& x) {
    Matrix<S> y;
    linear_map(pool, x, p.linear1, p.bias1, num::Epilogue::none, &p.linear2, y);
    return y;
}

template <class S>
FeedForwardCache<S> feed_forward(num::ThreadPool& pool, const FeedForwardParams<S>& p,
                                 Activation activation, const Matrix<S>& x,
                                 const num::Weights<S>* next) {
    const Index d_ff = p.linear1.out();
    HEED_CHECK(p.linear2.in() == d_ff,
               "the first linear map makes {} values, the second "
               "takes {}",
               d_ff, p.linear2.in());
    HEED_CHECK(!p.gated() || p.gate.out() == d_ff,
               "the first linear map makes {} values, the gate {}", d_ff, p.gate.out());
    FeedForwardCache<S> cache;
    if (ends_the_product(activation, p.gated())) {
        linear_map(pool, x, p.linear1, p.bias1, num::Epilogue::relu, &p.linear2, cache.hidden);
    } else {
        linear_map(pool, x, p.linear1, p.bias1, num::Epilogue::none,
                   p.gated() ? &p.gate : &p.linear2, cache.linear);
        if (p.gated()) {
            linear_map(pool, x, p.gate, p.gate_bias, num::Epilogue::none, &p.linear2, cache.gate);
        }
        cache.hidden.resize(x.rows(), d_ff);
        for_row_blocks(pool, x.rows(), 8 * d_ff, [&](Index begin, Index end) {
            activate_elements(activation, cache, begin * d_ff, end * d_ff);
        });
    }
    linear_map(pool, cache.hidden, p.linear2, p.bias2, num::Epilogue::none, next, cache.output);
    return cache;
}

template <class S>
void feed_forward_forward(const LearnedFeedForward<S>& layer, const Matrix<S>& x,
                          const Matrix<S>* residual, FeedForwardCache<S>& cache,
                          Matrix<S>& output) {
    if (ends_the_product(layer.activation, layer.gated())) {
        linear_forward<S>(layer.linear1, num::view(x), {.epilogue = num::Epilogue::relu},
                          cache.hidden);
    } else {
        linear_forward<S>(layer.linear1, num::view(x), {}, cache.linear);
        if (layer.gated()) linear_forward<S>(layer.gate, num::view(x), {}, cache.gate);
        cache.hidden.resize(cache.linear.rows(), cache.linear.cols());
        activate_elements(layer.activation, cache, 0, cache.linear.size());
    }
    linear_forward<S>(layer.linear2, num::view(std::as_const(cache.hidden)), {.residual = residual},
                      output);
}

template <class S>
void feed_forward_backward(const LearnedFeedForward<S>& layer, const FeedForwardCache<S>& cache,
                           const Matrix<S>& x, const Matrix<S>& d_output,
                           const FeedForwardGradient<S>& gradient, Matrix<S>& dx) {
    const auto map_back = [&](const LinearLayer<S>& map, const Matrix<S>& dy,
                              const LinearGradient<S>& to) {
        linear_gradient<S>(num::view(x), num::view(dy), num::Store::set, !map.bias.empty(), to);
        linear_backward<S>(map, num::view(dy), num::Store::add, dx);
    };
    linear_gradient<S>(num::view(cache.hidden), num::view(d_output), num::Store::set,
                       !layer.linear2.bias.empty(), gradient.linear2);
    Matrix<S> d_hidden(cache.hidden.rows(), cache.hidden.cols());
    linear_backward<S>(layer.linear2, num::view(d_output), num::Store::set, d_hidden);
    S* d = d_hidden.data();
    if (ends_the_product(layer.activation, layer.gated())) {
        const S* y = cache.hidden.data();
        for (Index i = 0; i < d_hidden.size(); ++i) d[i] = y[i] > 0 ? d[i] : S(0);
    } else {
        const S* z = cache.linear.data();
        if (layer.gated()) {
            Matrix<S> d_gate(d_hidden.rows(), d_hidden.cols());
            for (Index i = 0; i < d_hidden.size(); ++i) {
                d_gate.data()[i] = d[i] * activate(layer.activation, z[i]);
                d[i] *= cache.gate.data()[i];
            }
            map_back(layer.gate, d_gate, gradient.gate);
        }
        for (Index i = 0; i < d_hidden.size(); ++i) {
            d[i] *= activation_slope(layer.activation, z[i]);
        }
    }
    map_back(layer.linear1, d_hidden, gradient.linear1);
}

#define HEED_FEED_FORWARD(S)                                                                       \
    template Matrix<S> first_linear(num::ThreadPool&, const FeedForwardParams<S>&,                 \
                                    const Matrix<S>&);                                             \
    template FeedForwardCache<S> feed_forward(num::ThreadPool&, const FeedForwardParams<S>&,       \
                                              Activation, const Matrix<S>&,                        \
                                              const num::Weights<S>*);                             \
    template void feed_forward_forward(const LearnedFeedForward<S>&, const Matrix<S>&,             \
                                       const Matrix<S>*, FeedForwardCache<S>&, Matrix<S>&);        \
    template void feed_forward_backward(const LearnedFeedForward<S>&, const FeedForwardCache<S>&,  \
                                        const Matrix<S>&, const Matrix<S>&,                        \
                                        const FeedForwardGradient<S>&, Matrix<S>&);
HEED_FEED_FORWARD(float)
HEED_FEED_FORWARD(double)
#undef HEED_FEED_FORWARD

} // namespace heed::nn
