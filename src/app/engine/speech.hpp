// The words that a decoder which speaks said at each step, and what it might have said: the word
// probabilities behind every row of an alignment, and the same sentence under other scores.
#pragma once

#include "app/engine/engine.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::app {

struct SaidWord {
    std::string word;
    float probability;
    bool can_be_said = true; // false of rows that many words share, and of ⟨pad⟩ and ⟨start⟩
    num::Index row = -1;     // of the vocabulary
};
/// The name of a row of the vocabulary in a list of what might be said: Model::candidate(), or its
/// number.
std::string candidate_name(const models::Model& model, num::Index row);
/// The name of a beam's hypothesis, from 0: "hypothesis 3".
std::string hypothesis_name(int hypothesis);
/// ", hypothesis 3": the one that is followed, unless it is the best.
std::string hypothesis_words(const models::Run& run);
/// "num_beam_groups of the model's file: not followed": settings that change what is said. Empty
/// where all are followed.
std::string not_followed_words(const models::Model& model);
struct SpokenStep {
    std::vector<SaidWord> likeliest; // at most kLikeliest, the most probable first
    float rest = 0;                  // what all other words of the vocabulary share
    SaidWord said;
};
inline constexpr std::size_t kLikeliest = 6;

/// One a decoder step. Null where the model is not recurrent or does not speak.
std::shared_ptr<const std::vector<SpokenStep>> spoken_steps(const models::Run& run);
/// The word of a transformer's decoder at one token that it reads, from 0: the next token of the
/// run, or the most probable one behind the last. Null where the model says no words.
std::shared_ptr<const SpokenStep> spoken_step(const models::Run& run, num::Index row,
                                              num::ThreadPool& pool);
/// The step of either kind of model as the snapshot has it; null where it has none such.
const SpokenStep* spoken_at(const Snapshot& snapshot, num::Index step);

/// The words that a decoder says at each token that it reads: the next token that it was given or
/// found, and after the last one what `prediction` gives most. Null where a token is what was said
/// already, and of a model that says no words.
std::shared_ptr<const std::vector<text::Token>> said_at_rows(const models::Run& run,
                                                             const Prediction* prediction);
/// The tokens that the rows of a kind of attention are named by: what the decoder says there, in
/// cross-attention where `said` is known and the focus does not ask for what it reads.
const std::vector<text::Token>& row_tokens(const models::Run& run, const Focus& focus,
                                           const std::vector<text::Token>* said,
                                           trace::AttentionKind kind);
/// The tokens that the rows of the focused kind are named by.
const std::vector<text::Token>& row_tokens(const Snapshot& snapshot);

/// The words that were said; marks such as ⟨end⟩ are left out.
std::vector<std::string> said_words(const models::Run& run);
/// Words of them that the model added by itself, behind the target that it was given.
std::vector<std::string> added_words(const models::Run& run);
/// The target as it was written and what the model added behind it, as one text.
std::string with_added(const models::Run& run, const Document& document);
/// The words that were said, as one line, and those that the model added.
std::string said_line(const models::Run& run, text::Segmentation segmentation);
std::string added_line(const models::Run& run, text::Segmentation segmentation);
/// The target as it was written, and what the model said behind it, as one text. Of a model with
/// a tokeniser of the target.
std::string written_and_said(const models::Run& run, const std::string& written);

/// The weights that one score makes of the same model, the same words, said ones too, and other
/// controls.
struct ScoreMap {
    nn::Score score;
    std::shared_ptr<const Matrix<float>> weights; // at most 64 × 64; null where it has none
    std::optional<base::Error> error;             // why
};
/// The maps of all scores, in the order of nn::kScores. Null where the model is not recurrent
/// or has no attention, or when stopped.
std::shared_ptr<const std::vector<ScoreMap>>
score_gallery(const std::shared_ptr<const models::Run>& run, num::ThreadPool& pool,
              const std::stop_token& stop);

/// The document in which step `step`, from 0, says this word, and the model goes on from there.
/// Nothing where the target cannot be typed so that it is read as just these words: a word that
/// would be several tokens. Of a recurrent model, or a transformer that says words of its own.
std::optional<Document> forced(Document document, const models::Run& run, int step,
                               const std::string& word);

} // namespace heed::app
