// Everything that a classifier has learned, or was given by draws, and the list of it by name.
#pragma once

#include "models/classifier.hpp"
#include "models/slots.hpp"
#include "nn/attention.hpp"

#include <vector>

namespace heed::models {

struct Classifier::Parameters {
    ClassifierConfig config;
    text::Vocabulary vocabulary{text::everyday_words(), kOtherRows};
    static constexpr std::size_t kOtherRows = 61;
    std::vector<std::string> classes; // none has a line break

    Matrix<float> embedding; // vocabulary × d_model
    nn::AttentionParams<float> attention;
    num::Weights<float> dense; // read_width × dense
    RowVector<float> dense_bias;
    num::Weights<float> output; // dense × classes
    RowVector<float> output_bias;

    Matrix<float> learned_positions;            // length × d_model
    Matrix<float> relative;                     // buckets × heads
    std::vector<nn::ScoreParams<float>> scores; // one a head
};

Slots slots(Classifier::Parameters& parameters);
ConstSlots slots(const Classifier::Parameters& parameters);

/// Makes room for every head of parameters.config; nothing is filled yet.
void make_room(Classifier::Parameters& parameters);

} // namespace heed::models
