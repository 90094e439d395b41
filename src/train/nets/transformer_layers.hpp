// Layers of a transformer that learn, bound to their parameters.
#pragma once

#include "models/transformer/parameters.hpp"
#include "nn/layers/transformer_layer.hpp"
#include "train/nets/binding.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed::train {

/// Everything that learns, by the names of Transformer::Parameters.
template <class S> struct TransformerLayers {
    std::deque<nn::TransformerLayer<S>> encoder, decoder; // refreshed where they stand
    nn::LayerNormParams<S> encoder_norm, decoder_norm;
    nn::LinearLayer<S> join;
    num::Weights<S> logits, logits_back; // outputᵀ and output
};
template <class S> struct TransformerGradients {
    std::vector<nn::TransformerLayerGradient<S>> encoder, decoder;
    nn::NormGradient<S> encoder_norm, decoder_norm;
    nn::LinearGradient<S> join;
    S *embedding = nullptr, *output = nullptr, *learned_positions = nullptr;
};

template <class S> class TransformerNet final : public Net<S> {
  public:
    TransformerNet(const models::Transformer::Parameters& p, ParameterLayout& places);

    Index size() const override { return size_; }
    void set(num::ThreadPool& pool, const S* values) override {
        values_ = values;
        refresh_all(pool, refresh_, values);
    }
    std::unique_ptr<Pass<S>> pass(S* gradients) override;
    Index judged(const Example& e) const override {
        if (!models::has_decoder(config_)) return static_cast<Index>(e.target.size());
        return static_cast<Index>(e.target.size()) + 1;
    }

  private:
    template <class> friend class TransformerPass;
    void bind(Binding<S>& binding, TransformerGradients<S>& g);
    void bind_encoder(Binding<S>& binding, TransformerGradients<S>& g);
    void bind_decoder(Binding<S>& binding, TransformerGradients<S>& g);

    bool concatenates() const {
        return positions_ != nn::Positions::none && config_.join == nn::Join::concatenate;
    }
    void frame(nn::TransformerLayer<S>& layer, std::string name) const;
    void attention(const models::Transformer::Parameters& p, trace::AttentionKind kind,
                   std::size_t index, const nn::AttentionParams<float>& from,
                   nn::SegmentAttention<S>& to, std::string name, Binding<S>& binding,
                   nn::SegmentAttentionGradient<S>& g);
    void feed_forward(const nn::FeedForwardParams<float>& from, nn::TransformerLayer<S>& layer,
                      Binding<S>& binding, nn::TransformerLayerGradient<S>& g);

    const models::Transformer::Parameters& p_;
    ParameterLayout& places_;
    const models::ModelSpec& config_;
    nn::Positions positions_;
    TransformerLayers<S> layers_;
    Refresh<S> refresh_;
    std::vector<std::pair<Index, Index>> added_;
    Index size_ = 0, embedding_ = 0, output_ = 0, learned_positions_ = 0;
    const S* values_ = nullptr;
};

} // namespace heed::train
