// The layers of a run as training has them (nn/layers/transformer_layer): the run's own weights,
// heads and settings, over variants of its sentence that lie one after another, and their way back.
#pragma once

#include "inside/readout.hpp"
#include "nn/layers/transformer_layer.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace heed::inside {

/// Errors: those of readout_of; mismatch, naming what passes nothing back: padding, dropout, edited
/// weights, a replaced activation, and what training's layers do not know (norms of heads or behind
/// sublayers, a softcap).
base::Result<void> check_passes(const models::Run& run);

template <class S> struct PassLayer {
    nn::TransformerLayer<S> layer;
    bool parallel = false; // feed-forward reads the layer's input; without a norm of its own what
                           // attention reads
    bool alone = false;    // attention without a residual, a norm or a feed-forward network
    std::shared_ptr<const void> kept = {}; // biases that are no float
};

/// Activations that a layer leaves for its way back.
template <class S> using PassCache = nn::TransformerLayerCache<S>;

/// Layer `layer` of a stack, as this run had it. Requires check_passes(run). The run keeps what it
/// reads alive.
template <class S> PassLayer<S> pass_layer(const models::Run& run, AttentionKind stack, int layer);
/// The layer with all that the way back reads.
template <class S> PassLayer<S> with_transposed(PassLayer<S> layer);

/// Stream behind attention (and cross-attention): rows × d_model.
template <class S>
const Matrix<S>& attended(const PassLayer<S>& layer, const Matrix<S>& x,
                          const nn::Segments& segments, const nn::Memory<S>& memory,
                          PassCache<S>& cache);
/// Stream behind feed-forward. `x`: the layer's input, read where it is parallel.
template <class S>
const Matrix<S>& fed_forward(const PassLayer<S>& layer, const Matrix<S>& x,
                             const Matrix<S>& attended, PassCache<S>& cache);
/// dy becomes dx; d_memory, null without cross-attention, is added to. `maps`: where the gradients
/// of the self-attention's weights and of the cross-attention's go, each null or as large as they.
template <class S>
void pass_back(const PassLayer<S>& layer, const PassCache<S>& cache, const Matrix<S>& x,
               const nn::Segments& segments, const nn::Memory<S>& memory, S* self_maps,
               S* cross_maps, Matrix<S>& dy, Matrix<S>* d_memory);

/// Parameters in S.
template <class S> nn::LayerNormParams<S> norm_in(const nn::LayerNormParams<float>& from);
template <class S> num::Weights<S> weights_in(const num::Weights<float>& from);

} // namespace heed::inside
