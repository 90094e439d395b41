// Everything that a transformer has learned, or was given by draws, and the one list of it by name.
#pragma once

#include "models/transformer.hpp"
#include "nn/decoder_layer.hpp"
#include "nn/encoder_layer.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace heed::models {

using num::Index;
using num::Matrix;
using num::RowVector;

struct Transformer::Parameters {
    TransformerConfig config;

    Matrix<float> embedding; // vocabulary × d_model
    Matrix<float> output;    // vocabulary × d_model: logits of the next token are x · outputᵀ
    std::vector<nn::EncoderLayerParams<float>> encoder;
    std::vector<nn::DecoderLayerParams<float>> decoder;
    nn::LayerNormParams<float> encoder_norm, decoder_norm; // after each stack, as in torch

    Matrix<float> learned_positions; // max_positions × d_model
    num::Weights<float> join;        // 2·d_model × d_model, of [embedding; position]
    Matrix<float> relative[3];       // by AttentionKind: buckets × heads
    /// By AttentionKind: layer · n_heads + head.
    std::vector<nn::ScoreParams<float>> scores[3];

    /// No parameter: rows of the sinusoidal table for every position that a run can have, made
    /// once, because sines cost more than a layer norm.
    Matrix<float> sinusoidal;
};

/// A matrix or vector that is, or is a part of, one tensor of a file. Weights lie out × in in a
/// file, as in torch, and in × out here.
template <class P> struct Part {
    template <class T> using To = std::conditional_t<std::is_const_v<P>, const T, T>*;
    std::variant<To<num::Weights<float>>, To<Matrix<float>>, To<RowVector<float>>> to;
    Index rows, cols; // in the file; a vector is one row
    float bound = 0;  // drawn uniformly from fill − bound to fill + bound
    float fill = 0;
};

/// One named tensor: its parts lie one after another.
template <class P> struct Slot {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<Part<P>> parts;
};

/// Every parameter of a model of this configuration, by its name in a file. Names that start with
/// "encoder." and "decoder." are exactly those of torch.nn.Transformer's state dict.
std::vector<Slot<Transformer::Parameters>> slots(Transformer::Parameters& parameters);
std::vector<Slot<const Transformer::Parameters>> slots(const Transformer::Parameters& parameters);

/// Makes room for every layer and head of parameters.config; nothing is filled yet.
void make_room(Transformer::Parameters& parameters);

/// Fills what follows from the configuration alone.
void derive(Transformer::Parameters& parameters, num::Team& team);

} // namespace heed::models
