// The results of a forward pass, moved into a layer of the trace under its names: nothing is
// copied. Matrices that this kind of layer does not have are empty, and are left out.
#pragma once

#include "nn/layers/decoder_layer.hpp"
#include "nn/layers/encoder_layer.hpp"
#include "trace/trace.hpp"

#include <memory>
#include <string>

namespace heed::models {

/// One tensor, tokens × features, of the layer's side.
void record(trace::Layer& layer, std::string name, num::Matrix<float>&& values, trace::Axis rows);

/// An attention module of the layer. Its output, a part of the sum that follows, is not kept.
void record(trace::Layer& layer, int index, trace::AttentionKind kind,
            nn::AttentionCache<float>&& cache);

/// Shared with the model that they belong to, which they keep alive.
using FeedForwardParams = std::shared_ptr<const nn::FeedForwardParams<float>>;

/// A layer's attention modules and tensors; what ReLU overwrote is made again with `params`. Its
/// output becomes the last one. `index` counts the layers of its stack, layer.name is
/// "encoder.layers.<index>" or "decoder.layers.<index>".
void record(trace::Layer& layer, int index, nn::EncoderLayerCache<float>&& cache,
            FeedForwardParams params);
void record(trace::Layer& layer, int index, nn::DecoderLayerCache<float>&& cache,
            FeedForwardParams params);

} // namespace heed::models
