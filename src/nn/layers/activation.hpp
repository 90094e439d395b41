// The activations of feed-forward networks as a table, and what they pass back.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace heed::nn {

enum class Activation { relu, gelu, gelu_tanh, silu, quick_gelu };

struct ActivationInfo {
    Activation activation;
    std::string_view name;  // of flags and files
    std::string_view label; // in the window
    std::string_view formula, citation;
    std::string_view tip; // what it does to a number, in one sentence
};

inline constexpr ActivationInfo kActivationInfos[] = {
    {Activation::relu, "relu", "ReLU", "max(0, x)", "Nair and Hinton 2010",
     "Negative numbers become zero, positive ones pass."},
    {Activation::gelu, "gelu", "GELU", "x Φ(x)", "Hendrycks and Gimpel 2016, eq. 1",
     "Like ReLU with a rounded corner: small negative numbers pass a little."},
    {Activation::gelu_tanh, "gelu_tanh", "GELU (tanh)",
     "x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2", "Hendrycks and Gimpel 2016, section 2",
     "A quick approximation of GELU by tanh."},
    {Activation::silu, "silu", "SiLU", "x σ(x)", "Elfwing et al. 2018",
     "Each number times its own sigmoid: a smooth ReLU."},
    {Activation::quick_gelu, "quick_gelu", "quick GELU", "x σ(1.702 x)",
     "Hendrycks and Gimpel 2016, section 2", "A quick approximation of GELU by a sigmoid."},
};

constexpr const ActivationInfo& info(Activation activation) {
    for (const ActivationInfo& row : kActivationInfos) {
        if (row.activation == activation) return row;
    }
    return kActivationInfos[0];
}

std::string_view name(Activation activation); // "relu", "gelu", "gelu_tanh", "silu", "quick_gelu"
std::optional<Activation> activation_named(std::string_view name);

/// f(x), and its derivative f'(x).
template <class S> S activate(Activation activation, S x);
template <class S> S activation_slope(Activation activation, S x);

} // namespace heed::nn
