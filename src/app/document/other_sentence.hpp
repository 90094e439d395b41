// Another sentence, one word apart: what activations are put into (Wang et al. 2022, section 2).
#pragma once

#include "app/document/document.hpp"
#include "models/model/traits.hpp"

#include <string>
#include <vector>

namespace heed::app {

/// What a run of the document reads first: its source, or the target of a decoder alone.
const std::string& first_sentence(const Document& document, const models::Traits& traits);

/// The sentence with one of its words in place of another one: where it has both `word` and
/// `against`, the one that stands last becomes the other; else the longest word becomes the next
/// longest one. The sentence as it is where it has
/// no two words.
std::string one_word_changed(const std::string& sentence, const std::string& word,
                             const std::string& against);

/// Sentences with one word changed for another one of them, the one above first and then the
/// longest words; at most 32. What stands in brackets, such as a mask, is no word.
std::vector<std::string> other_sentences(const std::string& sentence, const std::string& word,
                                         const std::string& against);

} // namespace heed::app
