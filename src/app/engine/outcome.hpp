// The outcome of a run, and how it stands to another run's: the next word where there is a decoder,
// the encoder's memory where there is none.
#pragma once

#include "app/engine/engine.hpp"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heed::app {

struct Outcome {
    std::shared_ptr<const Prediction> prediction; // null without a decoder
    std::shared_ptr<const trace::Tensor> memory;  // null without an encoder
};
/// The outcome of the snapshot's run, or of its reference's; empty where there is none.
Outcome outcome_of(const Snapshot& snapshot);
Outcome outcome_of(const ReferencePicture& reference);

/// True where both have the same text and picture, so that their outcomes can be compared.
bool reads_alike(const Document& a, const Document& b);

/// ‖now − former‖ / ‖former‖ (Frobenius); none where one is missing or their shapes differ.
std::optional<float> memory_change(const Outcome& now, const Outcome& former);

/// Probabilities as they are told: of a row that sampling keeps what it is drawn with, of one that
/// it cuts what it had before that.
float told(const Prediction& prediction, num::Index row);
float told_entropy(const Prediction& prediction); // bits, of the rows that are kept

struct Candidate {
    num::Index row; // of the vocabulary
    float probability;
    std::optional<float> former; // what the former run gave it
    bool kept = true;            // by sampling
    num::Index rank = 0;         // by its probability, from 0
    num::Index former_rank = 0;  // in the former run, where it has `former`
};
struct NextWord {
    std::vector<Candidate> candidates; // the most probable first
    float rest;                        // what all other rows share; where some are cut, of these
};
/// The `most` most probable rows, and the former run's first one where it is not among them. A
/// former prediction over another vocabulary says nothing.
NextWord next_word(const Prediction& now, const Prediction* former, std::size_t most);

/// The words that were seen, since a row of the vocabulary need not have one of its own: a token
/// finds its row by a hash (models::Model::vocabulary_row).
class SeenWords {
  public:
    void note(const std::vector<text::Token>& tokens);
    /// Words that fall on the row, up to three, "cat, sat"; else "row 4711", counted from 0 as in
    /// the model's file. The tokens of `now` come first.
    std::string name(num::Index row, const models::Run& now) const;

  private:
    std::unordered_set<std::string> known_;
    std::vector<std::string> words_;
    mutable std::shared_ptr<const models::Model> model_; // that by_row_ is for
    mutable std::unordered_map<num::Index, std::vector<std::string>> by_row_;
};

} // namespace heed::app
