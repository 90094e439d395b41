// Everything that a transformer has learned, or was given by draws, and the one list of it by name.
#pragma once

#include "models/file/named_tensors.hpp"
#include "models/transformer/sine_rows.hpp"
#include "models/transformer/transformer.hpp"
#include "nn/layers/decoder_layer.hpp"
#include "nn/layers/encoder_layer.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::models {

/// The layers from one vector of a sentence to its classes.
struct ClassifierHead {
    std::vector<std::string> classes; // their names; none has a line break
    num::Weights<float> dense;        // pooled width × dense
    RowVector<float> dense_bias;
    num::Weights<float> output; // dense × classes
    RowVector<float> output_bias;
    num::Weights<float> distilled; // d_model × classes, of an image's second leading token
    RowVector<float> distilled_bias;
};

struct Transformer::Parameters {
    ModelSpec config;
    std::optional<text::Vocabulary> vocabulary; // where it speaks
    TextToIds text_to_ids;                      // where it reads ids

    WordTable embedding;       // vocabulary × embedding width
    Matrix<float> token_types; // types × embedding width
    num::Weights<float> widen; // embedding width × d_model; empty where they are the same
    RowVector<float> widen_bias;
    num::Weights<float> patch; // channels · size · size × d_model, of models of images
    RowVector<float> patch_bias;
    Matrix<float> leading; // tokens before the patches × d_model
    /// vocabulary × embedding width: logits of the next token are x · outputᵀ. Empty where they
    /// are tied.
    WordTable output;
    RowVector<float> output_bias;  // of the logits
    num::Weights<float> transform; // d_model × embedding width, before the logits
    RowVector<float> transform_bias;
    nn::LayerNormParams<float> transform_norm;
    ClassifierHead head; // in place of output where there are classes
    std::vector<nn::EncoderLayerParams<float>> encoder;
    std::vector<nn::DecoderLayerParams<float>> decoder;
    nn::LayerNormParams<float> encoder_norm, decoder_norm; // after each stack, as in torch
    nn::LayerNormParams<float> encoder_embedding_norm, decoder_embedding_norm;

    Matrix<float> learned_positions; // max_positions × embedding width
    Matrix<float> decoder_positions; // the decoder's, where it has a table of its own
    num::Weights<float> join;        // 2·d_model × d_model, of [embedding; position]
    Matrix<float> relative[3];       // by AttentionKind: buckets × heads
    /// Score parameters by AttentionKind: layer · n_heads + head.
    std::vector<nn::ScoreParams<float>> scores[3];

    std::shared_ptr<const SineRows> sines; // no parameter
};

/// Every parameter of a model of this configuration, by its name in a file. Names that start with
/// "encoder." and "decoder." are exactly those of torch.nn.Transformer's state dict.
NamedTensors named_tensors(Transformer::Parameters& parameters);
ConstNamedTensors named_tensors(const Transformer::Parameters& parameters);

/// Makes room for every layer and head of parameters.config; nothing is filled yet.
void make_room(Transformer::Parameters& parameters);

/// Gives layers that share their weights the parameters of one layer's scores.
void share_scores(Transformer::Parameters& parameters);

/// Fills what follows from the configuration alone.
void derive(Transformer::Parameters& parameters);

/// x · outputᵀ · factor + bias, rows × vocabulary, with what LogitSpec says of x and a bound.
Matrix<float> word_logits(num::ThreadPool& pool, const Transformer::Parameters& parameters,
                          const Matrix<float>& x);
/// softmax(x · outputᵀ · factor + bias) of every row of x (Vaswani et al. 2017, section 3.4): rows
/// × vocabulary.
Matrix<float> word_probabilities(num::ThreadPool& pool, const Transformer::Parameters& parameters,
                                 const Matrix<float>& x);

} // namespace heed::models
