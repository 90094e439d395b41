#include "train/nets/transformer_net.hpp"

#include "train/nets/attention_binding.hpp"
#include "train/nets/transformer_layers.hpp"
#include "train/nets/transformer_pass.hpp"

namespace heed::train {

using num::Matrix;
using trace::AttentionKind;
using Parameters = models::Transformer::Parameters;

template <class S>
TransformerNet<S>::TransformerNet(const Parameters& p, ParameterLayout& places)
    : p_(p), places_(places), config_(p.config), positions_(models::joined_positions(config_, {})) {
    layers_.encoder.resize(p.encoder.size());
    layers_.decoder.resize(p.decoder.size());
    Binding<S> binding(places, &refresh_, nullptr);
    TransformerGradients<S> nowhere;
    bind(binding, nowhere);
    added_ = binding.added();
    size_ = places.size();
}

template <class S> void TransformerNet<S>::bind(Binding<S>& binding, TransformerGradients<S>& g) {
    const Parameters& p = p_;
    const auto table = [&](const auto& m, Index& at, S*& gradient, bool added) {
        gradient = added ? binding.added_gradient(&m, m.size()) : binding.set_gradient(&m);
        at = binding.place(&m);
    };
    table(p.embedding, embedding_, g.embedding, true);
    table(p.output, output_, g.output, false);
    binding.on_move([this](const S* values) {
        const num::ConstView<S> rows(values + output_, config_.vocabulary, config_.d_model,
                                     Eigen::OuterStride<>(config_.d_model));
        num::repack_transposed<S>(layers_.logits, rows);
        num::repack<S>(layers_.logits_back, rows);
    });
    if (positions_ == nn::Positions::learned) {
        table(p.learned_positions, learned_positions_, g.learned_positions, true);
    }
    if (concatenates()) {
        binding.linear(p.join, nullptr, layers_.join, g.join);
        binding.added_gradient(&p.join, p.join.in() * p.join.out()); // by both stacks
    }
    if (models::has_encoder(config_)) bind_encoder(binding, g);
    if (models::has_decoder(config_)) bind_decoder(binding, g);
}

template <class S>
void TransformerNet<S>::bind_encoder(Binding<S>& binding, TransformerGradients<S>& g) {
    const Parameters& p = p_;
    g.encoder.resize(p.encoder.size());
    for (std::size_t i = 0; i < p.encoder.size(); ++i) {
        auto& layer = layers_.encoder[i];
        const auto& from = p.encoder[i];
        frame(layer, "encoder.layers." + std::to_string(i));
        attention(p, AttentionKind::encoder_self, i, from.self_attention, layer.self,
                  layer.name + ".self_attn", binding, g.encoder[i].self);
        feed_forward(from.feed_forward, layer, binding, g.encoder[i]);
        binding.norm(from.norm1, layer.self_norm, g.encoder[i].self_norm);
        binding.norm(from.norm2, layer.feed_forward_norm, g.encoder[i].feed_forward_norm);
    }
    binding.norm(p.encoder_norm, layers_.encoder_norm, g.encoder_norm);
}

template <class S>
void TransformerNet<S>::bind_decoder(Binding<S>& binding, TransformerGradients<S>& g) {
    const Parameters& p = p_;
    g.decoder.resize(p.decoder.size());
    for (std::size_t i = 0; i < p.decoder.size(); ++i) {
        auto& layer = layers_.decoder[i];
        const auto& from = p.decoder[i];
        frame(layer, "decoder.layers." + std::to_string(i));
        attention(p, AttentionKind::decoder_self, i, from.self_attention, layer.self,
                  layer.name + ".self_attn", binding, g.decoder[i].self);
        if (models::has_cross(config_)) {
            if (!layer.cross) layer.cross.emplace();
            attention(p, AttentionKind::cross, i, from.cross_attention, *layer.cross,
                      layer.name + ".multihead_attn", binding, g.decoder[i].cross);
            binding.norm(from.norm2, layer.cross_norm, g.decoder[i].cross_norm);
        }
        feed_forward(from.feed_forward, layer, binding, g.decoder[i]);
        binding.norm(from.norm1, layer.self_norm, g.decoder[i].self_norm);
        binding.norm(from.norm3, layer.feed_forward_norm, g.decoder[i].feed_forward_norm);
    }
    binding.norm(p.decoder_norm, layers_.decoder_norm, g.decoder_norm);
}

template <class S>
void TransformerNet<S>::frame(nn::TransformerLayer<S>& layer, std::string name) const {
    layer.name = std::move(name);
    layer.order = config_.norm;
    layer.feed_forward.activation = config_.activation;
}

template <class S>
void TransformerNet<S>::attention(const Parameters& p, AttentionKind kind, std::size_t index,
                                  const nn::AttentionParams<float>& from,
                                  nn::SegmentAttention<S>& to, std::string name,
                                  Binding<S>& binding, nn::SegmentAttentionGradient<S>& g) {
    const auto at = static_cast<std::size_t>(kind);
    const auto* scores = p.scores[at].data() + index * static_cast<std::size_t>(config_.n_heads);
    bind_attention<S>(binding, {from, scores, p.relative[at]}, models::head_defaults(config_), kind,
                      static_cast<int>(index), config_.n_heads, std::move(name), to, g);
}

template <class S>
void TransformerNet<S>::feed_forward(const nn::FeedForwardParams<float>& from,
                                     nn::TransformerLayer<S>& layer, Binding<S>& binding,
                                     nn::TransformerLayerGradient<S>& g) {
    binding.linear(from.linear1, &from.bias1, layer.feed_forward.linear1, g.feed_forward.linear1);
    binding.linear(from.linear2, &from.bias2, layer.feed_forward.linear2, g.feed_forward.linear2);
    if (!from.gated()) return;
    binding.linear(from.gate, &from.gate_bias, layer.feed_forward.gate, g.feed_forward.gate);
}

template <class S> std::unique_ptr<Pass<S>> TransformerNet<S>::pass(S* gradients) {
    Binding<S> binding(places_, nullptr, gradients);
    TransformerGradients<S> bound;
    bind(binding, bound);
    return std::make_unique<TransformerPass<S>>(*this, gradients, std::move(bound));
}

template <class S>
std::unique_ptr<Net<S>> transformer_net(const Parameters& parameters, ParameterLayout& places) {
    return std::make_unique<TransformerNet<S>>(parameters, places);
}
template std::unique_ptr<Net<float>> transformer_net(const Parameters&, ParameterLayout&);
template std::unique_ptr<Net<double>> transformer_net(const Parameters&, ParameterLayout&);

} // namespace heed::train
