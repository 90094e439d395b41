#include "text/words.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <optional>

namespace heed::text {

namespace {

/// The first word that has bytes of the token, whose own first ones may be the space before it.
std::optional<std::size_t> word_of(const std::vector<Token>& words, const Token& token) {
    const auto found = std::upper_bound(words.begin(), words.end(), token.begin,
                                        [](std::size_t b, const Token& w) { return b < w.end; });
    if (found == words.end() || found->begin >= token.end) return std::nullopt;
    return static_cast<std::size_t>(found - words.begin());
}

/// True of a word of a script that is written without spaces.
bool needs_no_space(const Token& word) {
    constexpr char32_t kThai = 0x0E00; // and what comes behind: Han, kana
    const char32_t first = base::decode_utf8(word.text, 0).code_point;
    return first >= kThai && u_isalpha(static_cast<UChar32>(first)) != 0;
}

/// Where a person wrote spaces between such words, these say what the words are.
void join_at_spaces(std::vector<Token>& words, std::string_view sentence) {
    const auto beside = [](const Token& a, const Token& b) {
        return needs_no_space(a) && needs_no_space(b);
    };
    const auto spaced = [&](const Token& a, const Token& b) {
        return beside(a, b) && a.end < b.begin;
    };
    if (std::ranges::adjacent_find(words, spaced) == words.end()) return;
    std::vector<Token> joined;
    for (Token& word : words) {
        const bool goes_on =
            !joined.empty() && beside(joined.back(), word) && joined.back().end == word.begin;
        if (!goes_on) {
            joined.push_back(std::move(word));
            continue;
        }
        Token& whole = joined.back();
        whole.end = word.end;
        whole.text = sentence.substr(whole.begin, whole.end - whole.begin);
    }
    words = std::move(joined);
}

} // namespace

std::size_t Words::of(std::size_t token) const {
    HEED_CHECK(token < tokens(), "token {} of {}", token, tokens());
    const auto after = std::upper_bound(first.begin(), first.end() - 1, token);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - first.begin() - 1, 0));
}

bool Words::leaves_out(std::size_t token) const {
    const std::size_t word = of(token);
    return token < first[word] || token >= end(word);
}

Words Words::without(const std::vector<bool>& hidden) const {
    Words kept;
    kept.first.clear();
    for (std::size_t w = 0; w < count(); ++w) {
        std::size_t token = first[w];
        while (token < end(w) && hidden[token]) ++token;
        if (token == end(w)) continue;
        kept.words.push_back(words[w]);
        kept.first.push_back(first[w]);
        kept.ends.push_back(end(w));
    }
    if (kept.words.empty() || kept.count() == count()) return *this;
    kept.first.push_back(tokens());
    return kept;
}

Words single_tokens(std::span<const Token> tokens) {
    Words words{{tokens.begin(), tokens.end()}, {}};
    for (std::size_t i = 0; i <= tokens.size(); ++i) words.first.push_back(i);
    return words;
}

Words words_of(std::string_view sentence, std::span<const Token> tokens) {
    // No word has less than one token, so that there are no more words than tokens.
    std::vector<Token> written = tokenize(sentence, Segmentation::words, tokens.size());
    join_at_spaces(written, sentence);
    Words result;
    std::optional<std::size_t> before;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const auto word = token.begin < token.end ? word_of(written, token) : std::nullopt;
        if (i > 0 && word && word == before) {
            Token& whole = result.words.back();
            whole.end = token.end;
            whole.known = whole.known && token.known;
            whole.text = base::to_valid_utf8(sentence.substr(whole.begin, whole.end - whole.begin));
            ++result.first.back();
        } else {
            result.words.push_back(token);
            Token& first = result.words.back();
            if (word) first.begin = std::max(first.begin, written[*word].begin);
            result.first.push_back(i + 1);
        }
        before = word;
    }
    return result;
}

} // namespace heed::text
