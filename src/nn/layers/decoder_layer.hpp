// One layer of the decoder: self-attention, cross-attention to the encoder's memory, feed-forward,
// each with its residual and norm. Without memory (decoder-only) the middle part is left out.
#pragma once

#include "nn/attention/attention.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/norm.hpp"

namespace heed::nn {

template <class S> struct DecoderLayerParams {
    AttentionParams<S> self_attention, cross_attention; // cross_attention.empty(): decoder-only
    FeedForwardParams<S> feed_forward;
    LayerNormParams<S> norm1, norm2, norm3; // norm2 belongs to cross-attention
    /// Norms of what each sublayer gives; no gain: none.
    LayerNormParams<S> after1 = {}, after2 = {}, after3 = {};
};

/// Post-norm (2017):  x1 = norm1(x + self(x));          x2 = norm2(x1 + cross(x1, memory));
///                    output = norm3(x2 + feed_forward(x2))
/// Pre-norm:          x1 = x + self(norm1(x));          x2 = x1 + cross(norm2(x1), memory);
///                    output = x2 + feed_forward(norm3(x2))
/// All n × d_model. Residuals are kept in pre-norm alone, where they are the stream.
template <class S> struct DecoderLayerCache {
    AttentionCache<S> self_attention;
    LayerNorm<S> norm1;
    Matrix<S> residual1;
    AttentionCache<S> cross_attention; // no heads when there is no memory
    LayerNorm<S> norm2;
    Matrix<S> residual2;
    FeedForwardCache<S> feed_forward;
    LayerNorm<S> norm3;
    Matrix<S> residual3;

    const Matrix<S>& output() const { return residual3.size() ? residual3 : norm3.y; }
};

template <class S> struct DecoderLayerOptions {
    std::string name; // "decoder.layers.0"
    NormOrder norm = NormOrder::post;
    Activation activation = Activation::relu;
    /// Pre-norm alone: feed-forward reads norm3(x) of the layer's own input, or, where norm3 has no
    /// gain, what attention read (Wang and Komatsuzaki 2021; "parallel residual" of GPT-NeoX).
    bool parallel = false;
    DropoutSettings dropout;
    /// name becomes "<name>.self_attn" when it is empty. `directed` is for the caller to set.
    AttentionOptions<S> self_attention;
    AttentionOptions<S> cross_attention; // "<name>.multihead_attn"
    /// Changes of what each sublayer gives, which begins behind kept rows.
    Change<S> change_self = {}, change_cross = {}, change_feed_forward = {};
    const num::Weights<S>* next = nullptr; // the weights that are read next, see num::LinearOptions
};

/// x: n × d_model; memory: m × d_model, null without cross-attention. Dropout's places are
/// "<name>.dropout1", "<name>.dropout2" and "<name>.dropout3", as in torch.
template <class S>
DecoderLayerCache<S>
decoder_layer_forward(num::ThreadPool& pool, const DecoderLayerParams<S>& params,
                      const Matrix<S>& x, const Matrix<S>* memory, std::vector<Head<S>> self_heads,
                      std::vector<Head<S>> cross_heads, const DecoderLayerOptions<S>& options);

} // namespace heed::nn
