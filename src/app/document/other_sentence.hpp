// Another sentence, one word apart: what activations are put into (Wang et al. 2022, section 2).
#pragma once

#include "app/document/document.hpp"
#include "models/model/traits.hpp"

#include <optional>
#include <string>

namespace heed::app {

/// The sentence that the document's run reads first: the source, or a decoder alone's target.
const std::string& first_sentence(const Document& document, const models::Traits& traits);

/// The sentence where it has both words, the one that stands last in place of the other; nothing
/// where it has not. What stands in brackets, such as a mask, is no word.
std::optional<std::string> words_swapped(const std::string& sentence, const std::string& word,
                                         const std::string& against);

} // namespace heed::app
