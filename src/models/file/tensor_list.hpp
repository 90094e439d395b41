// Words in which the lists of parameters are written: tensors by their names, and what draws of a
// model that nobody has trained are bounded by.
#pragma once

#include "models/file/named_tensors.hpp"
#include "nn/attention/attention.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace heed::models {

/// Uniform draws in ±bound have the variance bound²/3.
inline float bound_of_variance(double variance) {
    return static_cast<float>(std::sqrt(3 * variance));
}

// A head's scaled logit q·k/sqrt(d_k) has the standard deviation sd(q)·sd(k). Xavier's bounds give
// 0.5, and every map of an untrained model is an even grey. With sd(q) = sd(k) = sqrt(1.75) on
// layer-normed input it is 1.75: at ten keys the largest weight of a row is then about 0.3 to 0.6,
// heads differ, and switching the scale off visibly saturates them.
inline constexpr double kQueryKeyVariance = 1.75;

// Relative biases are added to such logits and must be seen beside them.
inline constexpr float kRelativeBound = 2;

// As much as a sinusoidal position: half a sine's square.
inline constexpr double kPositionVariance = 0.5;

/// NamedTensors in the order in which they are asked for. Linear maps of `in` to `out` features lie
/// as torch's, out × in.
template <bool kConst> class TensorList {
  public:
    std::vector<NamedTensor<kConst>> take() { return std::move(slots_); }

    template <class M> void table(std::string name, M& to, Index rows, Index cols, float bound) {
        slots_.push_back({std::move(name), {rows, cols}, {{&to, rows, cols, bound}}});
    }
    template <class W> void linear(std::string name, W& to, Index in, Index out, float bound) {
        slots_.push_back({std::move(name), {out, in}, {{&to, out, in, bound}}});
    }
    template <class V> void vector(std::string name, V& to, Index size, float fill = 0) {
        slots_.push_back({std::move(name), {size}, {{&to, 1, size, 0, fill}}});
    }

    /// The last tensor is one that a file may lack.
    void last_is_optional(bool optional = true) { slots_.back().optional = optional; }

    /// Widths of an attention module: of tokens, of all queries, of all keys (and all values).
    struct AttentionWidths {
        Index d, queries, keys;
        bool bias = true, output_bias = true;
    };
    /// The tensors of torch.nn.MultiheadAttention. `residual`: a factor on the bound of what the
    /// module gives.
    template <class A>
    void attention(const std::string& at, A& a, const AttentionWidths& widths, float residual) {
        const auto [d, q, k, bias, output_bias] = widths;
        const float sharp = bound_of_variance(kQueryKeyVariance / static_cast<double>(d));
        const float even = bound_of_variance(1.0 / static_cast<double>(d));
        slots_.push_back(
            {at + ".in_proj_weight",
             {q + 2 * k, d},
             {{&a.query, q, d, sharp}, {&a.key, k, d, sharp}, {&a.value, k, d, even}}});
        if (bias) {
            slots_.push_back({at + ".in_proj_bias",
                              {q + 2 * k},
                              {{&a.query_bias, 1, q}, {&a.key_bias, 1, k}, {&a.value_bias, 1, k}}});
        }
        const float joined = bound_of_variance(1.0 / static_cast<double>(q));
        linear(at + ".out_proj.weight", a.output, q, d, joined * residual);
        if (output_bias) vector(at + ".out_proj.bias", a.output_bias, d);
    }

    /// The score parameters of h heads, which follow one another from `first` on. One tensor holds
    /// all heads of a module: heads × rows × cols.
    template <class P> void scores(const std::string& module, P* first, Index h, Index d_k) {
        const double width = static_cast<double>(d_k);
        // Queries and keys have the variance above; the hidden layer's sums get 2, so its tangents
        // about a half, and additive logits the spread of the scaled dot product.
        const float into_hidden = bound_of_variance(1 / (kQueryKeyVariance * width));
        const float out_of_hidden =
            bound_of_variance(kQueryKeyVariance * kQueryKeyVariance / (0.5 * width));
        const float square = bound_of_variance(1 / width);
        NamedTensor<kConst> query{"scores." + module + ".query", {h, d_k, d_k}, {}};
        NamedTensor<kConst> key{"scores." + module + ".key", {h, d_k, d_k}, {}};
        NamedTensor<kConst> hidden{"scores." + module + ".hidden", {h, d_k}, {}};
        NamedTensor<kConst> bilinear{"scores." + module + ".bilinear", {h, d_k, d_k}, {}};
        for (P* s = first; s != first + h; ++s) {
            query.parts.push_back({&s->query, d_k, d_k, into_hidden});
            key.parts.push_back({&s->key, d_k, d_k, into_hidden});
            hidden.parts.push_back({&s->hidden, 1, d_k, out_of_hidden});
            bilinear.parts.push_back({&s->bilinear, d_k, d_k, square});
        }
        for (auto* tensor : {&query, &key, &hidden, &bilinear}) {
            tensor->optional = true; // a transformer's own score has none
            slots_.push_back(std::move(*tensor));
        }
    }

  private:
    std::vector<NamedTensor<kConst>> slots_;
};

} // namespace heed::models
