// One step of a decoder, picked out of a trace: everything that stands between what it reads and
// the words that it might say. Of a recurrent one the cell and its attention (Bahdanau et al. 2015,
// section 3.1), of a transformer one head and the layers' outputs (Vaswani et al. 2017, section 3).
#pragma once

#include "trace/neurons.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::trace {

/// Parts of an additive or concat score of one query: e = v · tanh(W s + U h).
struct AdditiveParts {
    num::RowVector<float> query; // W s, a numbers
    Matrix<float> key;           // U h, m × a
    num::RowVector<float> v;     // a numbers

    /// W s + U h, m × a, and its tanh.
    Matrix<float> sum() const;
    Matrix<float> hidden() const;
};

/// Parts for one query of a map whose score is additive or concat; nothing of any other. At the
/// cost of the product U h. ContractError where the map has no such query.
std::optional<AdditiveParts> additive_parts(const AttentionMap& map, Index query);

/// One gate or part of a cell, by its usual name: "r", "z", "n"; "i", "f", "g", "o".
struct StepGate {
    std::string name;
    num::RowVector<float> values; // hidden numbers
};

/// One layer of the decoder at a step, each array hidden numbers wide. Of a transformer's there is
/// `after` alone, what the layer passes on.
struct StepLayer {
    num::RowVector<float> before, after;               // s(i−1), s(i)
    num::RowVector<float> memory_before, memory_after; // c of an LSTM, else empty
    std::vector<StepGate> gates;                       // none of an Elman cell
};

struct DecoderStep {
    Index step = 0, n_steps = 0;    // from 0
    num::RowVector<float> embedded; // E y(i−1); of a transformer with its position
    std::vector<StepLayer> layers;  // the lowest first
    num::RowVector<float> output;   // t(i), which the words are read from

    // Of a decoder that attends; else empty.
    std::optional<Neurons> row;    // scores and weights of this step
    num::RowVector<float> context; // c(i); of a head what it sums of its values, times its gain
    /// The largest magnitude of what is summed, α(ij) v(j), and of the sum c(i); 1 where all are 0.
    float largest_weighted = 1;

    // Of a recurrent one that attends.
    std::shared_ptr<const Tensor> states;       // h, m × features
    std::shared_ptr<const Attention> attention; // its v is what is weighed, m × d_v
    std::optional<AdditiveParts> additive;
    num::RowVector<float> context_before; // c(i−1), which is 0 before the first step

    // Of a transformer.
    std::optional<HeadId> head;
    num::RowVector<float> query; // its q, rotated where it is rotary
    Matrix<float> values;        // its v, m × d_v
    float gain = 1;              // on its context

    bool values_are_states() const; // v is h itself, and no linear map of it
    /// The keys of the step, m × features: h, or a head's keys as its score reads them.
    Matrix<float> keys() const;
    Matrix<float> weighed() const; // what the weights sum, m × d_v
    /// m numbers: the scores e, or what a head's softmax reads, scaled, biased and masked.
    const std::vector<float>& scores() const;
};

/// `head`: of a transformer's decoder. Null where the trace has no decoder, or not this head or
/// step of it; of a transformer without layers of this kind, too.
std::shared_ptr<const DecoderStep> decoder_step(const Trace& trace, Index step,
                                                const HeadId& head = {AttentionKind::cross, 0, 0});

} // namespace heed::trace
