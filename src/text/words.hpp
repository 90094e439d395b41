// The words whose pieces a sentence's tokens are.
#pragma once

#include "text/token.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace heed::text {

/// Word w holds the tokens first[w] up to and without first[w + 1].
struct Words {
    std::vector<Token> words;
    std::vector<std::size_t> first{0}; // one more than there are words

    std::size_t count() const { return words.size(); }
    std::size_t tokens() const { return first.back(); }
    /// The word that a token is a piece of. Requires token < tokens().
    std::size_t of(std::size_t token) const;
    bool operator==(const Words&) const = default;
};

/// `tokens` are pieces of `sentence`, in order. Neighbours are of one word when they begin in the
/// same word of tokenize(sentence, Segmentation::words); a token without bytes (padding) and one
/// that begins in no word are words of their own. A word's text is the sentence's from its first
/// piece to its last.
Words words_of(std::string_view sentence, std::span<const Token> tokens);

} // namespace heed::text
