// The decoder of a recurrent model, one step at a time, for one hypothesis or several side by side.
#pragma once

#include "models/recurrent/recurrent_parameters.hpp"
#include "nn/attention/step_attention.hpp"

#include <functional>
#include <span>
#include <vector>

namespace heed::models {

/// The state that a step leaves to the next one; a row is a hypothesis.
struct DecoderState {
    std::vector<nn::CellState<float>> layers;
    Matrix<float> context; // c of the step before, rows × key width
};

struct DecoderStep {
    Matrix<float> input;          // E y_{i−1}, rows × embedding
    nn::Attended<float> attended; // its q is the state that was compared
    std::vector<nn::CellStep<float>> layers;
    Matrix<float> output; // t_i, rows × hidden

    DecoderState state() const;
};

class Decoder {
  public:
    /// Reads all three as long as it lives. `attention` is null where there is no encoder.
    Decoder(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
            const nn::StepAttention<float>* attention)
        : pool_(pool), p_(parameters), attention_(attention) {}

    /// `last`: of the encoder, as RecurrentStackCache::last.
    DecoderState start(const nn::CellState<float>& last) const;
    /// The state that the vector of one word begins, 1 × embedding.
    DecoderState start(const Matrix<float>& vector) const;
    /// `words`: the row of the vocabulary that each hypothesis said last, ⟨start⟩ at first;
    /// `index`: how many words they have said, the query's place in the map.
    DecoderStep step(const DecoderState& before, std::span<const Index> words, Index index) const;
    /// ln p(y) of every row of the vocabulary, rows × vocabulary, for rows of t.
    Matrix<float> log_probabilities(const Matrix<float>& output) const;

  private:
    DecoderState start_layers(const std::vector<Matrix<float>>& ends) const;
    void attend(DecoderStep& step, const Matrix<float>& queries,
                std::span<const Index> index) const;

    num::ThreadPool& pool_;
    const Recurrent::Parameters& p_;
    const nn::StepAttention<float>* attention_;
};

/// tanh(x W + b) of the readout, for rows of what it reads: rows × hidden.
Matrix<float> readout(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
                      const Matrix<float>& x);
/// t O + b, rows × vocabulary.
Matrix<float> word_logits(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
                          const Matrix<float>& output);
/// softmax(t O + b), rows × vocabulary.
Matrix<float> word_probabilities(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
                                 const Matrix<float>& output);
/// The rows of a table of embeddings.
Matrix<float> rows_of(const Matrix<float>& table, std::span<const Index> rows);

} // namespace heed::models
