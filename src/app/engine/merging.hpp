// Tokens that are pieces merge to their words, in every picture of weights: what is computed with,
// chosen and pointed at stays tokens.
#pragma once

#include "app/engine/engine.hpp"
#include "text/words.hpp"
#include "trace/trace.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace heed::app {

/// The words of both sides of a run.
struct TokenWords {
    text::Words source, target;

    const text::Words& queries(trace::AttentionKind kind) const {
        return kind == trace::AttentionKind::encoder_self ? source : target;
    }
    const text::Words& keys(trace::AttentionKind kind) const {
        return kind == trace::AttentionKind::decoder_self ? target : source;
    }
    bool operator==(const TokenWords&) const = default;
};

/// Null where the document's tokens are words already.
std::shared_ptr<const TokenWords> token_words_of(const Document& document, const models::Run& run);

/// Whether pictures of weights are between words.
bool merges(const Snapshot& snapshot);
/// Whether the focused map is: another stage's numbers are not merged, since no sum or mean of
/// scores is what the softmax of any score was.
bool merges_map(const Focus& focus, const TokenWords* words);
bool merges_map(const Snapshot& snapshot);

/// What a picture's rows and columns are: tokens or, merged, words. Requires snapshot.run.
class Units {
  public:
    Units(const Snapshot& snapshot, bool merged);
    int of_query(int token) const;
    int of_key(int token) const;
    /// The first token of a unit; of one past the last, the number of tokens.
    int first_query(int unit) const;
    int first_key(int unit) const;
    /// The tokens of a cell: as many rows and columns as the words have pieces.
    num::Rect tokens(int query, int key) const;
    const std::vector<text::Token>& queries() const;
    const std::vector<text::Token>& keys() const;
    bool merged() const { return words_ != nullptr; }
    std::size_t n_query_tokens() const; // of the run, merged or not
    std::size_t n_key_tokens() const;

  private:
    const Snapshot& snapshot_;
    const TokenWords* words_;
    trace::AttentionKind kind_;
};

/// What one unit's queries give another's keys in the focused head: a cell of
/// trace::merged_weights(), read from the snapshot's map where that shows it, since a word of many
/// pieces takes its time. Requires snapshot.run.
float merged_weight(const Snapshot& snapshot, const Units& units, int query, int key);

/// Of the tokens of a cell of a merged map, the query and key whose weight is the largest in the
/// focused head: what stands for the cell where a formula is of tokens. In a word of a thousand
/// pieces only the first queries are looked through. Requires snapshot.run.
std::pair<int, int> strongest_token_cell(const Snapshot& snapshot, const Units& units,
                                         std::pair<int, int> cell);

} // namespace heed::app
