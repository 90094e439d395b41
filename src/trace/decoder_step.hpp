// One step of a recurrent decoder, picked out of a trace: everything that stands between the state
// before it and the words that it might say (Bahdanau et al. 2015, section 3.1).
#pragma once

#include "trace/neurons.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::trace {

/// What an additive or concat score of one query is made of: e = v · tanh(W s + U h).
struct AdditiveParts {
    num::RowVector<float> query; // W s, a numbers
    Matrix<float> key;           // U h, m × a
    num::RowVector<float> v;     // a numbers

    /// W s + U h, m × a, and its tanh.
    Matrix<float> sum() const;
    Matrix<float> hidden() const;
};

/// Of one query of a map whose score is additive or concat; nothing of any other. At the cost of
/// the product U h. ContractError where the map has no such query.
std::optional<AdditiveParts> additive_parts(const AttentionMap& map, Index query);

/// One gate or part of a cell, by its usual name: "r", "z", "n"; "i", "f", "g", "o".
struct StepGate {
    std::string name;
    num::RowVector<float> values; // hidden numbers
};

/// What a step does to one layer of the decoder; each hidden numbers wide.
struct StepLayer {
    num::RowVector<float> before, after;               // s(i−1), s(i)
    num::RowVector<float> memory_before, memory_after; // c of an LSTM, else empty
    std::vector<StepGate> gates;                       // none of an Elman cell
};

struct DecoderStep {
    Index step = 0, n_steps = 0;    // from 0
    num::RowVector<float> embedded; // E y(i−1)
    std::vector<StepLayer> layers;  // the lowest first
    num::RowVector<float> output;   // t(i), which the words are read from

    // Of a decoder that reads the source at every step; else empty.
    std::shared_ptr<const Tensor> states;       // h, m × features
    std::shared_ptr<const Attention> attention; // its v is what is weighed, m × d_v
    std::optional<Neurons> row;                 // scores and weights of this step
    std::optional<AdditiveParts> additive;
    num::RowVector<float> context, context_before; // c(i), c(i−1), which is 0 before the first step

    bool values_are_states() const; // v is h itself, and no linear map of it
};

/// Null where the trace has no decoder that goes step by step, or not this step.
std::shared_ptr<const DecoderStep> decoder_step(const Trace& trace, Index step);

} // namespace heed::trace
