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
    bool known = true; // false: its reader's vocabulary has no row of its own for it, or one that
                       // was never learned where it stands
    int row = -1;      // of its reader's embedding, where it was told; −1: the text finds it
    bool operator==(const Token&) const = default;
};

enum class Segmentation {
    words,      // words and punctuation by Unicode's rules, Chinese and Japanese by dictionary
    characters, // one grapheme cluster a token: an emoji family or an accented letter is one
};

/// Splits a sentence. White space separates and is never a token; nor is a control, a joiner or
/// another invisible character that stands alone (one inside a word stays there: scripts need it).
/// Any bytes are taken: broken UTF-8 becomes U+FFFD, and `begin` and `end` still speak of the bytes
/// given. Words are those of Unicode's annex 29 in the root locale ("s'est" and "3.14" are one),
/// and of ICU's dictionary in Chinese, Japanese, Thai, Lao, Khmer and Burmese. At most `max_tokens`
/// are returned: the first ones; what lies behind them is not looked at. Any thread may call; the
/// first call of a process takes some 30 ms to load the rules.
std::vector<Token> tokenize(std::string_view sentence, Segmentation segmentation,
                            std::size_t max_tokens);

/// True of a token that is punctuation alone, or a mark such as ⟨end⟩.
bool is_separator(const Token& token);

/// Count of tokens in the whole sentence.
std::size_t count_tokens(std::string_view sentence, Segmentation segmentation);

} // namespace heed::text
