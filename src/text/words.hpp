// The words whose pieces a sentence's tokens are.
#pragma once

#include "text/token.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace heed::text {

/// Word w holds the tokens first[w] up to and without end(w).
struct Words {
    std::vector<Token> words;
    std::vector<std::size_t> first{0}; // one more than there are words
    /// The ends of the words, where tokens are left out; empty where each ends at the next one's
    /// first.
    std::vector<std::size_t> ends{};

    std::size_t count() const { return words.size(); }
    std::size_t tokens() const { return first.back(); }
    std::size_t end(std::size_t word) const { return ends.empty() ? first[word + 1] : ends[word]; }
    /// The word that a token is a piece of; of one that is left out a neighbour. Requires
    /// token < tokens() and a word.
    std::size_t of(std::size_t token) const;
    bool leaves_out(std::size_t token) const;
    /// The words without those whose tokens are all among `hidden`, a bit for each token. All of
    /// them stay where none would.
    Words without(const std::vector<bool>& hidden) const;
    bool operator==(const Words&) const = default;
};

/// `tokens` are pieces of `sentence`, in order. Neighbours are of one word when the first word of
/// tokenize(sentence, Segmentation::words) that they have bytes of is the same, be it behind a
/// space that the piece holds; a token without bytes (padding) and one of no word are words of
/// their own. A word's text is the sentence's from its first piece to its last.
Words words_of(std::string_view sentence, std::span<const Token> tokens);
/// Each token a word of its own.
Words single_tokens(std::span<const Token> tokens);

} // namespace heed::text
