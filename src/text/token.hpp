// A sentence becomes tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

struct Token {
    std::string text;      // valid UTF-8, never empty
    std::size_t begin = 0; // byte range in the sentence that was given
    std::size_t end = 0;
    bool operator==(const Token&) const = default;
};

enum class Segmentation {
    words,      // words and punctuation by Unicode's rules, Chinese and Japanese by dictionary
    characters, // one grapheme cluster a token: an emoji family or an accented letter is one
};

/// Splits a sentence; white space separates and is never a token. Any bytes are taken: broken
/// UTF-8 becomes U+FFFD, and `begin` and `end` still speak of the bytes given.
/// At most `max_tokens` are returned: the first ones.
std::vector<Token> tokenize(std::string_view sentence, Segmentation segmentation,
                            std::size_t max_tokens);

} // namespace heed::text
