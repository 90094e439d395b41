// A sentence in the words of a vocabulary.
#pragma once

#include "text/token.hpp"
#include "text/vocabulary.hpp"

#include <string_view>
#include <vector>

namespace heed::text {

/// All tokens of a sentence, as a reader of this vocabulary splits it; which of them it does not
/// know is told. Words that are written without white space (Chinese, Japanese, Thai, …) are cut so
/// that the fewest characters are left unknown, and of these cuts into the fewest words. Unknown
/// stretches, and a word set apart that no known words make up, are as tokenize() has them. A full
/// stop at the end of words that it does not know is left out: the sentences that such a reader
/// learned from end without one.
std::vector<Token> tokenize(std::string_view sentence, Segmentation segmentation,
                            const Vocabulary& vocabulary);

} // namespace heed::text
