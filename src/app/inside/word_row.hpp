// A word as a person writes it, and the row of a model's vocabulary that it is.
#pragma once

#include "base/result.hpp"
#include "models/model/model.hpp"

#include <string>
#include <vector>

namespace heed::app {

/// The rows that a word may mean. Of a model that reads ids those of the text as it stands and of
/// the text with a space before it, where each is one token (in GPT-2 "Mary" and " Mary" are two
/// rows); a number where there is no tokeniser. Else a word of the vocabulary, or a class. Errors:
/// out_of_range with `flag` as the subject: a text of several tokens (which are named), or one that
/// the model does not know.
base::Result<std::vector<num::Index>> word_rows(const models::Model& model, const std::string& word,
                                                const std::string& flag);

/// A row of the vocabulary, or a class, as a person reads it; its number where it has no name.
std::string word_name(const models::Model& model, num::Index row);
/// The row's name, told apart from others of the same: "Mary (id 5335, “ĠMary”)".
std::string exact_word_name(const models::Model& model, num::Index row);

} // namespace heed::app
