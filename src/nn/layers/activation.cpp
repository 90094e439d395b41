#include "nn/layers/activation.hpp"

#include <cmath>
#include <numbers>

namespace heed::nn {

namespace {

/// Φ(x) of the normal distribution.
template <class S> S normal_share(S x) {
    return (1 + std::erf(x * static_cast<S>(1 / std::numbers::sqrt2))) / 2;
}
template <class S> S sigmoid(S x) { return 1 / (1 + std::exp(-x)); }

/// x σ(a x), and its derivative σ + a x σ (1 − σ).
template <class S> S swish(S a, S x) { return x * sigmoid(a * x); }
template <class S> S swish_slope(S a, S x) {
    const S share = sigmoid(a * x);
    return share + a * x * share * (1 - share);
}

constexpr double kTanhFactor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi; // √(2/π)
constexpr double kCubic = 0.044715, kQuick = 1.702;

template <class S> S tanh_share(S x) {
    return std::tanh(static_cast<S>(kTanhFactor) * (x + static_cast<S>(kCubic) * x * x * x));
}

} // namespace

std::string_view name(Activation activation) { return info(activation).name; }

std::optional<Activation> activation_named(std::string_view wanted) {
    for (const ActivationInfo& row : kActivationInfos) {
        if (row.name == wanted) return row.activation;
    }
    return std::nullopt;
}

template <class S> S activate(Activation activation, S x) {
    switch (activation) {
    case Activation::relu: return x > 0 ? x : S(0);
    case Activation::gelu:
        return x / 2 * (1 + std::erf(x * static_cast<S>(1 / std::numbers::sqrt2)));
    case Activation::gelu_tanh: return x / 2 * (1 + tanh_share(x));
    case Activation::silu: return swish(S(1), x);
    case Activation::quick_gelu: return swish(static_cast<S>(kQuick), x);
    }
    return x;
}

template <class S> S activation_slope(Activation activation, S x) {
    switch (activation) {
    case Activation::relu: return x > 0 ? S(1) : S(0);
    case Activation::gelu: {
        const S density = std::exp(-x * x / 2) *
                          static_cast<S>(std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2);
        return normal_share(x) + x * density;
    }
    case Activation::gelu_tanh: {
        const S t = tanh_share(x);
        const S inner = static_cast<S>(kTanhFactor) * (1 + static_cast<S>(3 * kCubic) * x * x);
        return (1 + t) / 2 + x / 2 * (1 - t * t) * inner;
    }
    case Activation::silu: return swish_slope(S(1), x);
    case Activation::quick_gelu: return swish_slope(static_cast<S>(kQuick), x);
    }
    return 1;
}

template float activate(Activation, float);
template double activate(Activation, double);
template float activation_slope(Activation, float);
template double activation_slope(Activation, double);

} // namespace heed::nn
