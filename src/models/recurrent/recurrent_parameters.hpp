// Everything that a recurrent model has learned, or was given by draws, and the list of it by name.
#pragma once

#include "models/file/named_tensors.hpp"
#include "models/recurrent/recurrent.hpp"
#include "nn/attention/score.hpp"
#include "nn/layers/recurrent.hpp"

#include <vector>

namespace heed::models {

struct Recurrent::Parameters {
    RecurrentConfig config;
    text::Vocabulary vocabulary{text::everyday_words(), kOtherRows}; // of both sides
    static constexpr std::size_t kOtherRows = 61;

    Matrix<float> source_embedding, target_embedding; // vocabulary × embedding
    nn::RecurrentStackParams<float> encoder, decoder;
    /// The maps to the first state of each layer of the decoder: directions·hidden × hidden,
    /// hidden; without an encoder embedding × hidden.
    std::vector<num::Weights<float>> bridge;
    std::vector<RowVector<float>> bridge_bias;
    num::Weights<float> key, value; // state width × hidden, as far as the projection needs them
    nn::ScoreParams<float> score;
    /// (hidden + key width + embedding) × hidden; without a decoder directions·hidden × hidden.
    num::Weights<float> readout;
    RowVector<float> readout_bias;
    num::Weights<float> output; // hidden × vocabulary
    RowVector<float> output_bias;
};

NamedTensors named_tensors(Recurrent::Parameters& parameters);
ConstNamedTensors named_tensors(const Recurrent::Parameters& parameters);

/// Makes room for every layer of parameters.config; nothing is filled yet.
void make_room(Recurrent::Parameters& parameters);

/// Biases of drawn gates that let more of every word in; left half open, one after another, they
/// leave states that hardly move.
void open_gates(Recurrent::Parameters& parameters);

} // namespace heed::models
