// Tokens that are pieces merge to their words, and special tokens can be left out, in every picture
// of weights: what is computed with, chosen and pointed at stays tokens.
#pragma once

#include "app/engine/engine.hpp"
#include "text/words.hpp"
#include "trace/trace.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

/// The words of both sides of a run.
struct TokenWords {
    text::Words source, target;
    bool merged = true, hides = false; // pieces of words, special tokens
    /// The tokens that are not hidden, where words are merged and tokens hidden: what pictures are
    /// between that merge nothing. Null otherwise.
    std::shared_ptr<const TokenWords> tokens{};
    /// The target by what is said at each token, where rows of cross-attention are named so.
    std::optional<text::Words> said{};

    const text::Words& queries(trace::AttentionKind kind) const {
        if (kind == trace::AttentionKind::cross && said) return *said;
        return kind == trace::AttentionKind::encoder_self ? source : target;
    }
    const text::Words& keys(trace::AttentionKind kind) const {
        return kind == trace::AttentionKind::decoder_self ? target : source;
    }
    bool operator==(const TokenWords& other) const;
};

/// Null where the document's tokens are words already.
std::shared_ptr<const TokenWords> token_words_of(const Document& document, const models::Run& run);

/// The units that pictures of weights are between, where that is not the tokens: the words, where
/// the focus merges them, without special tokens where it hides them. A row that says a special
/// token is hidden where rows are named by what is said. `words` and `said`: as in the snapshot;
/// `said` may be null.
std::shared_ptr<const TokenWords> units_of(const Focus& focus, const models::Run& run,
                                           const std::shared_ptr<const TokenWords>& words,
                                           const std::vector<text::Token>* said);
/// True where the run has tokens that can be hidden: BOS, EOS, CLS, SEP, PAD, codes of languages.
bool has_special(const models::Run& run);
/// The share of weights, tokens × tokens, that goes to keys that are left out: the mean over the
/// queries that are not. Nothing where no key is left out.
std::optional<float> share_left_out(const Matrix<float>& weights, const text::Words& queries,
                                    const text::Words& keys);

/// The tokens, from 0, that pictures of tokens leave out: of the queries of a kind of attention,
/// and of its keys. `units` may be null: none.
std::vector<int> hidden_queries(const TokenWords* units, trace::AttentionKind kind);
std::vector<int> hidden_keys(const TokenWords* units, trace::AttentionKind kind);
/// The queries that are left out of pictures of what is read there, whatever is said.
inline std::vector<int> hidden_read(const TokenWords* units, trace::AttentionKind kind) {
    using enum trace::AttentionKind;
    return hidden_queries(units, kind == cross ? decoder_self : kind);
}
/// The tokens of `count` that are not among the hidden ones.
std::vector<int> without(const std::vector<int>& hidden, num::Index count);
/// The values without these rows and columns.
Matrix<float> without(const Matrix<float>& values, const std::vector<int>& rows,
                      const std::vector<int>& cols);
/// The word that each key of a kind of attention is a piece of; empty where words are not joined.
std::vector<int> word_of_keys(const TokenWords* units, trace::AttentionKind kind);
/// " · without special tokens, to which 31 % goes": of one query's weights; nothing where none are
/// hidden.
std::string left_out_words(const std::vector<float>& weights, const std::vector<int>& hidden);
/// " · 12 % goes to special tokens, which are hidden": the mean over these heads of a kind; nothing
/// where none are hidden.
std::string special_share_words(const Thumbnails* thumbnails);

/// True where pictures of weights are between other units than tokens.
bool merges(const Snapshot& snapshot);
/// True where they are between words.
bool joins_words(const Snapshot& snapshot);
/// The words behind the title of a picture between units: " · merged to words" where a word has
/// several tokens; nothing where `units` is null.
std::string unit_words(const TokenWords* units);
/// The share of its attention that a query of the focused head's map gives to tokens that are
/// hidden; nothing where none are, or heads are combined.
std::optional<float> share_to_hidden(const Snapshot& snapshot, int query_unit);
/// The tokens that are not hidden; null where none are.
const TokenWords* token_units(const TokenWords* units);
const TokenWords* token_units(const Snapshot& snapshot);
/// The units of a stage's rows, and of its columns where they are no features; null where these are
/// tokens, all of them. Weights alone are between words: no sum or mean of scores is what the
/// softmax of any score was, nor one of features the vector of any word, so that a piece of a word
/// keeps a row of its own there. Special tokens that are hidden leave every stage.
const TokenWords* stage_units(trace::Stage stage, const TokenWords* units);
/// True where a stage's rows are keys: of K and V.
bool has_key_rows(trace::Stage stage);
/// The tokens, from 0, that a stage of an attention leaves out, of its rows and of its columns.
std::pair<std::vector<int>, std::vector<int>> hidden_in(trace::Stage stage, const TokenWords* units,
                                                        trace::AttentionKind kind);
/// The stage's map between its units, or as it is.
Matrix<float> between_units(const trace::AttentionMap& map, trace::Stage stage,
                            const TokenWords* units);
/// The units of the focused map, or null. `units`: those of weights.
const TokenWords* map_units(const Focus& focus, const TokenWords* units);
const TokenWords* map_units(const Snapshot& snapshot);
inline bool merges_map(const Snapshot& snapshot) { return map_units(snapshot) != nullptr; }
/// True where the focused map is between other units than tokens, and is of weights.
bool merges_weights(const Snapshot& snapshot);

/// The units of a picture's rows and columns: tokens, all of them or those that are shown, or
/// words. Requires snapshot.run.
class Units {
  public:
    /// `units`: the snapshot's own, or null for all tokens.
    Units(const Snapshot& snapshot, const TokenWords* units);
    Units(const Snapshot& snapshot, bool merged); // those of weights
    int of_query(int token) const;                // of one that is hidden a neighbour
    int of_key(int token) const;
    bool shows_query(int token) const;
    bool shows_key(int token) const;
    /// The first token of a unit; of one past the last, the number of tokens.
    int first_query(int unit) const;
    int first_key(int unit) const;
    /// One past the last token of a unit.
    int end_query(int unit) const;
    int end_key(int unit) const;
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

/// The weight that one unit's queries give another's keys in the focused head: a cell of
/// trace::merged_weights(), read from the snapshot's map where that shows it, since a word of many
/// pieces takes its time. Requires snapshot.run.
float merged_weight(const Snapshot& snapshot, const Units& units, int query, int key);

/// The key, of those that are shown, that a query of the focused head gives the largest weight.
/// Requires snapshot.run with that head and query.
int strongest_key(const Snapshot& snapshot, int query);

/// The query and key, of the tokens of a cell of a merged map, whose weight is the largest in the
/// focused head: what stands for the cell where a formula is of tokens. In a word of a thousand
/// pieces only the first queries are looked through. Requires snapshot.run.
std::pair<int, int> strongest_token_cell(const Snapshot& snapshot, const Units& units,
                                         std::pair<int, int> cell);

} // namespace heed::app
