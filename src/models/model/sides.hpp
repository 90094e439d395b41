// The sides of a model, which its stacks read: a sentence, filled up with ⟨pad⟩, and the rows of
// the embedding that its tokens find.
#pragma once

#include "models/model/model.hpp"

#include <utility>
#include <vector>

namespace heed::models {

struct Side {
    std::vector<text::Token> tokens;
    num::Index valid = 0; // tokens that are no padding
};

/// True where the decoder reads the source itself, before the target: a decoder alone that speaks
/// is a language model of one sequence, and ⟨start⟩ is the boundary in it, unless they are one
/// text.
constexpr bool reads_source_first(const ModelSpec& s) {
    return s.has_vocabulary && !has_encoder(s);
}
constexpr bool reads_start(const ModelSpec& s) { return s.has_vocabulary && !s.one_text; }
/// Tokens at the front of a run's target side that are the source's; 0 of other models.
num::Index leading_source(const Run& run);
/// The row of the target side at which the target's first word is said: that of ⟨start⟩, or of the
/// source's last token where they are one text.
num::Index first_saying_row(const Run& run);

/// The tokens that the decoder is given: the target, or the source again where a decoder that
/// cannot speak has no other sentence.
const std::vector<text::Token>& decoder_tokens(const ModelSpec& spec, const Input& input);

/// The most words that a decoder says where nobody set a limit.
int usual_limit(std::size_t source_tokens);

/// True where the decoder finds words of its own, past those that it is given.
bool speaks_freely(const ModelSpec& spec, const Input& input);
bool speaks_freely(const RecurrentConfig& config, const Input& input);
/// The input in which a run's decoder is given what it read or said: under this the model reads the
/// same, and a run with other controls has as many steps, so that the two can be compared word by
/// word.
Input forced_input(const Run& run);
/// The most words that it says, given ones included; of a recurrent model ⟨end⟩ is one.
std::size_t most_words(const ModelSpec& spec, const Input& input);
std::size_t most_words(const RecurrentConfig& config, const Input& input);

Side padded_side(const std::vector<text::Token>& tokens, int pad_to);

/// The encoder's side and the decoder's; empty where the model has no such side. A classifier reads
/// so many tokens as it has positions.
std::pair<Side, Side> sides(const ModelSpec& spec, const Input& input);
std::pair<Side, Side> sides(const RecurrentConfig& config, const Input& input);
inline std::pair<Side, Side> sides(const StoredConfig&, const Input&) { return {}; }
std::pair<Side, Side> sides(const Config& config, const Input& input);

std::pair<num::Index, num::Index> most_tokens(const ModelSpec& spec, const Input& input);
std::pair<num::Index, num::Index> most_tokens(const RecurrentConfig& config, const Input& input);
/// Nothing is computed for it.
inline std::pair<num::Index, num::Index> most_tokens(const StoredConfig&, const Input&) {
    return {};
}

/// Errors: out_of_range, with "source", "target" or "pad_to" as the subject: no token, too many, or
/// more than a table of learned positions has rows (`positions` as they join the embedding).
base::Result<void> check(const ModelSpec& spec, const Input& input, nn::Positions positions);

/// The row of the vocabulary that a token falls on: the one that its reader told, or the one that
/// the model finds by its text.
num::Index row_of(const Model& model, const text::Token& token);
/// The rows of all tokens; padding of a model that reads ids is its first row.
std::vector<num::Index> embedding_rows(const Model& model, const std::vector<text::Token>& tokens);
/// The row that a number names; −1 where the text is none of a row.
num::Index id_named(std::string_view text, int vocabulary);

} // namespace heed::models
