// One layer of the encoder: self-attention and feed-forward, each with its residual and norm.
#pragma once

#include "nn/attention/attention.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/norm.hpp"

namespace heed::nn {

template <class S> struct EncoderLayerParams {
    AttentionParams<S> self_attention;
    FeedForwardParams<S> feed_forward;
    LayerNormParams<S> norm1, norm2;
    LayerNormParams<S> after1 = {}, after2 = {}; // of what each sublayer gives; no gain: none
};

/// Post-norm (2017):  x1 = norm1(x + attention(x));     output = norm2(x1 + feed_forward(x1))
/// Pre-norm:          x1 = x + attention(norm1(x));     output = x1 + feed_forward(norm2(x1))
/// All n × d_model. In the trace: norm1.y is "<name>.norm1", residual1 is "<name>.residual1", …
template <class S> struct EncoderLayerCache {
    AttentionCache<S> self_attention;
    LayerNorm<S> norm1;  // post: x1; pre: what attention reads
    Matrix<S> residual1; // pre: x1; empty in post
    FeedForwardCache<S> feed_forward;
    LayerNorm<S> norm2;  // post: the output; pre: what feed-forward reads
    Matrix<S> residual2; // pre: the output; empty in post

    const Matrix<S>& output() const { return residual2.size() ? residual2 : norm2.y; }
};

template <class S> struct EncoderLayerOptions {
    std::string name; // "encoder.layers.0"
    NormOrder norm = NormOrder::post;
    Activation activation = Activation::relu;
    /// Pre-norm alone: feed-forward reads norm2(x) of the layer's own input, or, where norm2 has no
    /// gain, what attention read (Wang and Komatsuzaki 2021; "parallel residual" of GPT-NeoX).
    bool parallel = false;
    DropoutSettings dropout; // after each sublayer; that of weights is in the heads
    /// name becomes "<name>.self_attn" when it is empty.
    AttentionOptions<S> self_attention;
    Change<S> change_attention = {}, change_feed_forward = {}; // of what each sublayer gives
    const num::Weights<S>* next = nullptr; // the weights that are read next, see num::LinearOptions
};

/// x: n × d_model. Dropout's places are "<name>.dropout1" and "<name>.dropout2", as in torch.
template <class S>
EncoderLayerCache<S> encoder_layer_forward(num::ThreadPool& pool,
                                           const EncoderLayerParams<S>& params, const Matrix<S>& x,
                                           std::vector<Head<S>> heads,
                                           const EncoderLayerOptions<S>& options);

} // namespace heed::nn
