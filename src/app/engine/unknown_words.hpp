// Notes to a person about words that the model has no row of its own for, about marks that it
// does not read, and about sentences that are longer than those it learned.
#pragma once

#include "app/document/document.hpp"
#include "models/model/model.hpp"

#include <string>

namespace heed::app {

/// "“foo” and “bar” are not among the 312 words of this model; it reads ⟨other⟩ instead": the first
/// few of those that the run read. Of words with a row that were never in a source: "This model
/// reads Chinese: “cat” is a word that it says but has never read". Empty where it knows them all.
std::string unknown_words_note(const models::Run& run);

/// Further notes on what was typed: "This model reads the sentence without “!!!” at its end", and
/// "This model was trained on sentences of up to 15 words; beyond that its answer is a guess".
/// Empty where there is nothing.
std::string typed_text_note(const Document& document, const models::Run& run);

} // namespace heed::app
