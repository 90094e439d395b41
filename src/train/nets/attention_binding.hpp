// A module of attention that learns, tied to its places.
#pragma once

#include "models/model/resolve.hpp"
#include "nn/attention/attention.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/segment_attention.hpp"
#include "train/nets/binding.hpp"

#include <string>
#include <utility>

namespace heed::train {

/// A model's parameters of one module. `scores`: one a head.
struct AttentionSource {
    const nn::AttentionParams<float>& linear;
    const nn::ScoreParams<float>* scores;
    const num::Matrix<float>& relative;
};

/// Heads are as no control changes them. `name` is the place of the weights' dropout.
template <class S>
void bind_attention(Binding<S>& binding, const AttentionSource& from,
                    const models::HeadDefaults& usual, trace::AttentionKind kind, int layer,
                    int heads, std::string name, nn::SegmentAttention<S>& to,
                    nn::SegmentAttentionGradient<S>& g) {
    const models::Controls none;
    models::HeadResolver resolver(usual, none);
    const auto h = static_cast<std::size_t>(heads);
    to.name = std::move(name);
    to.directed = kind == trace::AttentionKind::decoder_self;
    to.heads.resize(h);
    binding.linear(from.linear.query, &from.linear.query_bias, to.query, g.query);
    binding.linear(from.linear.key, &from.linear.key_bias, to.key, g.key);
    binding.linear(from.linear.value, &from.linear.value_bias, to.value, g.value);
    binding.linear(from.linear.output, &from.linear.output_bias, to.output, g.output);
    bool relative = false, scored = false;
    for (std::size_t i = 0; i < h; ++i) {
        const trace::HeadId id{kind, layer, static_cast<int>(i)};
        to.heads[i] =
            nn::trained_settings<S>(resolver.settings(id, models::kMaxTokens, models::kMaxTokens));
        relative = relative || to.heads[i].positions == nn::Positions::relative;
        scored = scored || nn::has_parameters(to.heads[i].score);
    }
    if (relative) binding.copy(from.relative, to.relative, g.relative);
    if (!scored) return;
    to.scores.resize(h);
    g.scores.resize(h);
    for (std::size_t i = 0; i < h; ++i) {
        binding.score(to.heads[i].score, from.scores[i], to.scores[i], g.scores[i]);
    }
}

} // namespace heed::train
