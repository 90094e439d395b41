// Parameters of nn's layers from state dictionaries of PyTorch: matrices are out × in there.
#pragma once

#include "nn/layers/decoder_layer.hpp"
#include "nn/layers/encoder_layer.hpp"
#include "reference_arrays.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace heed::tests {

template <class S> nn::AttentionParams<S> attention_params(const std::string& prefix) {
    const auto& a = nn_arrays();
    const num::Matrix<S> in = a.at<S>(prefix + "in_proj_weight").transpose();
    const num::Matrix<S> bias = a.at<S>(prefix + "in_proj_bias");
    const num::Matrix<S> out = a.at<S>(prefix + "out_proj.weight").transpose();
    const num::Index d = in.rows();
    const auto part = [&](num::Index i) { return num::Weights<S>(in.middleCols(i * d, d)); };
    return {part(0),
            part(1),
            part(2),
            num::Weights<S>(out),
            bias.middleCols(0, d),
            bias.middleCols(d, d),
            bias.middleCols(2 * d, d),
            a.at<S>(prefix + "out_proj.bias")};
}

template <class S> nn::FeedForwardParams<S> feed_forward_params(const std::string& prefix) {
    const auto& a = nn_arrays();
    const num::Matrix<S> w1 = a.at<S>(prefix + "linear1.weight").transpose();
    const num::Matrix<S> w2 = a.at<S>(prefix + "linear2.weight").transpose();
    return {num::Weights<S>(w1), num::Weights<S>(w2), a.at<S>(prefix + "linear1.bias"),
            a.at<S>(prefix + "linear2.bias")};
}

template <class S> nn::LayerNormParams<S> norm_params(const std::string& prefix) {
    return {nn_arrays().at<S>(prefix + ".weight"), nn_arrays().at<S>(prefix + ".bias"), S(1e-5)};
}

template <class S>
std::vector<nn::Head<S>> scaled_heads(std::size_t count, num::Index d_k, nn::Mask mask = {}) {
    std::vector<nn::Head<S>> heads(count);
    for (auto& head : heads) {
        head.settings.gamma = 1 / std::sqrt(static_cast<S>(d_k));
        head.settings.mask = mask;
    }
    return heads;
}

template <class S> std::shared_ptr<const nn::ScoreParams<S>> reference_score_params() {
    const auto& a = nn_arrays();
    return std::make_shared<const nn::ScoreParams<S>>(nn::ScoreParams<S>{
        a.at<S>("scores/W"), a.at<S>("scores/U"), a.at<S>("scores/v"), a.at<S>("scores/B")});
}

} // namespace heed::tests
