#include "text/known_words.hpp"

#include "base/utf8.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

namespace heed::text {

namespace {

/// True where this character's script sets no white space between words.
bool is_unspaced(char32_t c) {
    const auto kind =
        static_cast<ULineBreak>(u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_LINE_BREAK));
    return kind == U_LB_IDEOGRAPHIC || kind == U_LB_COMPLEX_CONTEXT ||
           kind == U_LB_CONDITIONAL_JAPANESE_STARTER;
}

bool is_unspaced(std::string_view sentence, const Token& token) {
    for (std::size_t at = token.begin; at < token.end;) {
        const base::Decoded decoded = base::decode_utf8(sentence, at);
        if (!is_unspaced(decoded.code_point)) return false;
        at += decoded.length;
    }
    return true;
}

/// A cut of one stretch: piece i ends where piece i + 1 begins.
struct Piece {
    std::size_t begin, end; // bytes of the sentence
    bool known;
};

/// The cut of [begin, end) that leaves the fewest characters unknown, and of these the one of the
/// fewest words; an unknown piece is one character.
std::vector<Piece> best_cut(std::string_view sentence, std::size_t begin, std::size_t end,
                            const Vocabulary& vocabulary) {
    constexpr std::uint64_t kUnknown = std::uint64_t{1} << 32; // outweighs any number of words
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::size_t> at;
    for (std::size_t i = begin; i < end; i += base::decode_utf8(sentence, i).length)
        at.push_back(i);
    at.push_back(end);
    const std::size_t n = at.size() - 1;
    struct Way {
        std::uint64_t cost = kNever;
        std::size_t to = 0;
        bool known = false;
    };
    std::vector<Way> best(n + 1); // from each character to the end
    best[n].cost = 0;
    for (std::size_t i = n; i-- > 0;) {
        best[i] = {best[i + 1].cost + kUnknown + 1, i + 1, false};
        for (std::size_t j = i + 1; j <= n && at[j] - at[i] <= vocabulary.longest_word(); ++j) {
            const std::uint64_t cost = best[j].cost + 1;
            // Of equal cuts the one whose first word is longer.
            if (cost <= best[i].cost && vocabulary.knows(sentence.substr(at[i], at[j] - at[i]))) {
                best[i] = {cost, j, true};
            }
        }
    }
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < n; i = best[i].to) {
        pieces.push_back({at[i], at[best[i].to], best[i].known});
    }
    return pieces;
}

bool all_known(const std::vector<Piece>& pieces) {
    return std::ranges::all_of(pieces, [](const Piece& piece) { return piece.known; });
}

/// Adds the words of one stretch, which `was` split until now.
void add_stretch(std::vector<Token>& words, std::string_view sentence, std::span<const Token> was,
                 const Vocabulary& vocabulary) {
    const auto pieces = best_cut(sentence, was.front().begin, was.back().end, vocabulary);
    if (was.size() == 1 && !all_known(pieces)) {
        words.push_back(was.front());
        words.back().known = false;
        return;
    }
    bool joins = false; // the former piece is unknown, and no former split lies behind it
    for (const Piece& piece : pieces) {
        const std::string_view written = sentence.substr(piece.begin, piece.end - piece.begin);
        if (joins && !piece.known) {
            words.back().text += base::to_valid_utf8(written);
            words.back().end = piece.end;
        } else {
            words.push_back({base::to_valid_utf8(written), piece.begin, piece.end, piece.known});
        }
        joins = !piece.known &&
                std::ranges::none_of(was, [&](const Token& t) { return t.end == piece.end; });
    }
}

/// Punctuation that ends something: a sentence, or a part of one.
bool is_mark(char32_t c) {
    constexpr char32_t kEllipsis = 0x2026;
    return c == kEllipsis ||
           u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_TERMINAL_PUNCTUATION);
}

bool is_mark(const Token& token) {
    const base::Decoded first = base::decode_utf8(token.text, 0);
    return first.length == token.text.size() && is_mark(first.code_point);
}

bool ends_sentence(const Token& token) {
    const auto c = static_cast<UChar32>(base::decode_utf8(token.text, 0).code_point);
    return u_hasBinaryProperty(c, UCHAR_S_TERM);
}

/// Start of the marks at the end of these tokens; never the first token.
std::size_t marks_begin(std::span<const Token> tokens) {
    std::size_t begin = tokens.size();
    while (begin > 1 && is_mark(tokens[begin - 1])) --begin;
    return begin;
}

void leave_marks_out(std::vector<Token>& words) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(marks_begin(words));
    if (std::all_of(begin, words.end(), [](const Token& mark) { return mark.known; })) return;
    const auto stays = std::find_if(
        begin, words.end(), [](const Token& mark) { return mark.known && ends_sentence(mark); });
    const bool one = stays != words.end();
    if (one) std::iter_swap(begin, stays);
    words.erase(begin + (one ? 1 : 0), words.end());
}

} // namespace

std::string left_out_marks(std::string_view sentence, std::span<const Token> tokens) {
    if (tokens.empty()) return {};
    std::string marks;
    std::size_t next = marks_begin(tokens);
    for (std::size_t at = tokens[next - 1].end; at < sentence.size();) {
        if (next < tokens.size() && at == tokens[next].begin) {
            at = tokens[next++].end;
            continue;
        }
        const base::Decoded letter = base::decode_utf8(sentence, at);
        const bool mark = is_mark(letter.code_point);
        if (!mark && !u_isUWhiteSpace(static_cast<UChar32>(letter.code_point))) return {};
        if (mark) marks += sentence.substr(at, letter.length);
        at += letter.length;
    }
    return marks;
}

std::vector<Token> tokenize(std::string_view sentence, Segmentation segmentation,
                            const Vocabulary& vocabulary) {
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    const bool characters = segmentation == Segmentation::characters || vocabulary.of_characters();
    const std::vector<Token> tokens =
        tokenize(sentence, characters ? Segmentation::characters : segmentation, kAll);
    std::vector<Token> words;
    words.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size();) {
        if (characters || !is_unspaced(sentence, tokens[i])) {
            words.push_back(tokens[i++]);
            words.back().known = vocabulary.knows(words.back().text);
            continue;
        }
        std::size_t next = i + 1;
        while (next < tokens.size() && tokens[next].begin == tokens[next - 1].end &&
               is_unspaced(sentence, tokens[next])) {
            ++next;
        }
        add_stretch(words, sentence, std::span(tokens).subspan(i, next - i), vocabulary);
        i = next;
    }
    if (segmentation == Segmentation::words) leave_marks_out(words);
    return words;
}

} // namespace heed::text
