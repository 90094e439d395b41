// A word as a person writes it, and the row of a model's vocabulary that it is.
#pragma once

#include "base/result.hpp"
#include "models/model/model.hpp"

#include <string>

namespace heed::app {

/// Of a model that reads ids the token that the text is: as it stands, else with a space before it;
/// a number where there is no tokeniser. Else a word of the vocabulary, or a class. Errors:
/// out_of_range with `flag` as the subject: a text of several tokens (which are named), or one that
/// the model does not know.
base::Result<num::Index> word_row(const models::Model& model, const std::string& word,
                                  const std::string& flag);

} // namespace heed::app
