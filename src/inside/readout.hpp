// Readout of a model: the stack whose states become logits, and how.
#pragma once

#include "base/result.hpp"
#include "models/recurrent/recurrent.hpp"
#include "models/transformer/transformer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::inside {

using num::Index;
using num::Matrix;
using trace::AttentionKind;

/// The stack that says words: the decoder, or the encoder of a model that has none.
struct Readout {
    const models::Transformer* model = nullptr; // kept alive by the run
    AttentionKind stack = AttentionKind::decoder_self;
    int layers = 0;
    bool classes = false; // one class of the whole sentence, in place of words at tokens
    /// The model in place of `model` where each word is said at a step; `layers` are then the parts
    /// of its readout (models::readout_parts).
    const models::Recurrent* recurrent = nullptr;
};

/// Errors: mismatch, in words that say which models can: a recurrent one, attention from a file,
/// one that says nothing.
base::Result<Readout> readout_of(const models::Run& run);
/// The readout of a model that says words. Errors: also mismatch for one of classes.
base::Result<Readout> word_readout_of(const models::Run& run);
/// The readout also of a recurrent model: what it says can be asked about and read by the lens, but
/// it has no stream that parts could be taken from.
base::Result<Readout> any_readout_of(const models::Run& run);

/// Tokens that can be asked about, steps of a recurrent model; 1 of classes.
Index askable_tokens(const models::Run& run, const Readout& readout);
/// Names of the readout's layers where they are parts that a recurrent decoder's readout reads:
/// "state"; else none.
std::vector<std::string> part_names(const Readout& readout);

/// "encoder.layers.3"; of layer −1 "encoder.embedding".
std::string layer_name(AttentionKind stack, int layer);
/// Output of a layer, tokens × d_model; layer −1: the stack's input. The layer must be there.
const num::SharedRows<float>& residual_after(const models::Run& run, AttentionKind stack,
                                             int layer);
/// Output of the final norm: tokens × d_model.
const num::SharedRows<float>& final_states(const models::Run& run, AttentionKind stack);
/// The final norm, where there is one, of states that any layer passed on.
Matrix<float> normed_states(const Readout& readout, const Matrix<float>& states,
                            num::ThreadPool& pool);

/// The vocabulary's logits of final states, or of a recurrent readout's t.
Matrix<float> word_logits(const Readout& readout, const Matrix<float>& final_states,
                          num::ThreadPool& pool);

/// Question that is asked of a run: how much speaks for a word, or for it against another.
struct Question {
    Index token = 0; // of the stack that says words, from 0; the first of a model of classes
    Index word = 0;  // a row of the vocabulary, or a class
    std::optional<Index> against = {};
    bool operator==(const Question&) const = default;
};
/// Errors: out_of_range, with "token", "word" or "against" as the subject.
base::Result<void> check(const Question& question, const models::Run& run);
/// The most probable word, against nothing, at the first masked token; where none is masked at the
/// last one that is no padding, of an encoder no special token either, or, where only ⟨end⟩ and the
/// mark before it follow that, at the one before those.
base::Result<Question> usual_question(const models::Run& run, num::ThreadPool& pool);

struct Answer {
    float logit = 0;       // of the word, minus that of `against`
    float probability = 0; // of the word
    Index says = 0;        // the most probable word, and its probability
    float says_probability = 0;
};
/// One a row of logits.
std::vector<Answer> answers_of(const Matrix<float>& logits, const Question& question);
/// Answers of final states, as many rows as there are answers, the vocabulary read once for all.
std::vector<Answer> answers_of(const Readout& readout, const Matrix<float>& final_states,
                               const Question& question, num::ThreadPool& pool);
/// The row of a run that answers its question: 1 × d_model, 1 × hidden of a recurrent model, or
/// 1 × classes.
Matrix<float> asked_row(const models::Run& run, const Readout& readout, const Question& question);

} // namespace heed::inside
