// What each stack of a model reads: a sentence, filled up with ⟨pad⟩, and the rows of the embedding
// that its tokens find.
#pragma once

#include "models/model.hpp"

#include <utility>
#include <vector>

namespace heed::models {

struct Side {
    std::vector<text::Token> tokens;
    num::Index valid = 0; // tokens that are no padding
};

Side padded_side(const std::vector<text::Token>& tokens, int pad_to);

/// The encoder's side and the decoder's; empty where the model has no such side.
std::pair<Side, Side> sides(const TransformerConfig& config, const Input& input);
std::pair<Side, Side> sides(const RecurrentConfig& config, const Input& input);
std::pair<Side, Side> sides(const Config& config, const Input& input);

std::pair<num::Index, num::Index> most_tokens(const TransformerConfig& config, const Input& input);
std::pair<num::Index, num::Index> most_tokens(const RecurrentConfig& config, const Input& input);

/// Errors: out_of_range, with "source", "target" or "pad_to" as the subject: no token, too many, or
/// more than a table of learned positions has rows (`positions` as they join the embedding).
base::Result<void> check(const TransformerConfig& config, const Input& input,
                         nn::Positions positions);

/// The row of each token in an embedding of so many rows.
std::vector<num::Index> embedding_rows(const std::vector<text::Token>& tokens, int vocabulary);

} // namespace heed::models
