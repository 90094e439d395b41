// One layer of the encoder or the decoder for training, over sentences that lie one after another,
// and what it passes back. The formulas are those of encoder_layer.hpp and decoder_layer.hpp.
#pragma once

#include "nn/attention/segment_attention.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/sublayer_gradient.hpp"

#include <optional>
#include <string>

namespace heed::nn {

template <class S> struct TransformerLayer {
    std::string name; // "decoder.layers.0"
    NormOrder order = NormOrder::post;
    SegmentAttention<S> self;
    std::optional<SegmentAttention<S>> cross;
    LearnedFeedForward<S> feed_forward;
    LayerNormParams<S> self_norm, cross_norm, feed_forward_norm;
};

template <class S> struct TransformerLayerGradient {
    SegmentAttentionGradient<S> self, cross;
    FeedForwardGradient<S> feed_forward;
    NormGradient<S> self_norm, cross_norm, feed_forward_norm;
};

template <class S> struct TransformerLayerCache {
    SublayerCache<S> self_frame, cross_frame, feed_forward_frame;
    SegmentAttentionCache<S> self, cross;
    FeedForwardCache<S> feed_forward;
};

/// The result; rows × d_model.
template <class S>
const Matrix<S>& output_of(const TransformerLayer<S>& layer,
                           const TransformerLayerCache<S>& cache) {
    const auto& last = cache.feed_forward_frame;
    return layer.order == NormOrder::pre ? last.sum : last.norm.y;
}

/// The memory that the decoder's layers read.
template <class S> struct Memory {
    const Matrix<S>* rows = nullptr;
    const Segments* segments = nullptr;
};

/// x: rows × d_model. The result stands in the cache. Dropout's places are those of a live run.
template <class S>
const Matrix<S>& transformer_layer_forward(const TransformerLayer<S>& layer, const Matrix<S>& x,
                                           const Segments& segments, const Memory<S>& memory,
                                           const DropoutSettings& dropout,
                                           TransformerLayerCache<S>& cache);

/// dy becomes dx. d_memory, null without cross-attention, is added to.
template <class S>
void transformer_layer_backward(const TransformerLayer<S>& layer,
                                const TransformerLayerCache<S>& cache, const Matrix<S>& x,
                                const Segments& segments, const Memory<S>& memory,
                                const TransformerLayerGradient<S>& gradient, Matrix<S>& dy,
                                Matrix<S>* d_memory);

} // namespace heed::nn
