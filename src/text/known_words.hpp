// A sentence in the words of a vocabulary.
#pragma once

#include "text/token.hpp"
#include "text/vocabulary.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// All tokens of a sentence, as a reader of this vocabulary splits it; which of them it does not
/// know is told. Words that are written without white space (Chinese, Japanese, Thai, …) are cut so
/// that the fewest characters are left unknown, and of these cuts into the fewest words. Unknown
/// stretches, and a word set apart that no known words make up, are as tokenize() has them. A
/// vocabulary of characters reads characters whatever the segmentation. Marks at the end of words
/// (. ! ? … 。 ,) of which one is unknown are left out, but for the first that is known and ends a
/// sentence: the sentences that such a reader learned from end without them.
std::vector<Token> tokenize(std::string_view sentence, Segmentation segmentation,
                            const Vocabulary& vocabulary);

/// The marks that were left out at the end of a sentence of these tokens: "!!!".
std::string left_out_marks(std::string_view sentence, std::span<const Token> tokens);

} // namespace heed::text
