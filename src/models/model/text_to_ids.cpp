#include "models/model/text_to_ids.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace heed::models {

std::string token_label(const tokenizers::Tokenizer& tokenizer, int id) {
    std::string shown = tokenizer.shown(id);
    if (shown.empty()) shown = tokenizer.token(id);
    if (shown.size() > 1 && shown.front() == ' ' && shown[1] != ' ') shown.erase(0, 1);
    std::string label;
    const bool blank = shown.find_first_not_of(' ') == std::string::npos;
    for (const char c : shown) {
        switch (c) {
        case '\n': label += "⏎"; break;
        case '\r': label += "␍"; break;
        case '\t': label += "⇥"; break;
        case ' ': label += blank ? "␣" : " "; break;
        default: label += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
        }
    }
    return label.empty() ? fmt::format("{}", id) : label;
}

std::vector<int> ids_of(std::span<const text::Token> tokens) {
    std::vector<int> ids;
    for (const text::Token& token : tokens) {
        if (token.row >= 0) ids.push_back(token.row);
    }
    return ids;
}

namespace {

constexpr std::string_view kBroken = "\uFFFD";

bool is_broken(std::string_view text) { return text.find(kBroken) != std::string_view::npos; }

/// True of bytes that are no character by themselves; a vocabulary may have U+FFFD itself.
bool is_part(const tokenizers::Tokenizer& tokenizer, int id) {
    return is_broken(tokenizer.decode(std::span(&id, 1), true)) && !is_broken(tokenizer.shown(id));
}

} // namespace

std::string whole_characters(const tokenizers::Tokenizer& tokenizer, std::span<const int> ids) {
    std::string text = tokenizer.decode(ids, true);
    if (ids.empty() || !is_part(tokenizer, ids.back())) return text;
    while (text.ends_with(kBroken)) text.resize(text.size() - kBroken.size());
    return text;
}

namespace {

/// True where a token stands for a word that the vocabulary lacks. One that is a word too, or
/// begins or ends texts, is known where that is written, and where nothing is.
bool stands_for_unknown(const tokenizers::Tokenizer& tokenizer, int id, std::string_view written) {
    const tokenizers::NamedIds& named = tokenizer.named();
    if (id != named.unk) return false;
    written.remove_prefix(std::min(written.find_first_not_of(' '), written.size()));
    const bool ends = id == named.bos || id == named.eos;
    if (ends && written.empty()) return false;
    return (tokenizer.is_special(id) && !ends) || written != token_label(tokenizer, id);
}

} // namespace

std::size_t most_tokens(const Traits& traits) {
    const std::size_t places =
        traits.places ? static_cast<std::size_t>(std::max(*traits.places, 1)) : kMaxTokens;
    return std::min(places, kMaxTokens);
}

base::Result<std::vector<text::Token>> tokens_of(const TextToIds& ids, const Traits& traits,
                                                 SideRead side, std::string_view sentence,
                                                 std::size_t& dropped) {
    constexpr std::size_t kCounted = 64 * kMaxTokens; // a longer text is not counted to its end
    std::vector<text::Token> tokens;
    const bool starts = side == SideRead::decoder && traits.encodes;
    const auto& tokenizer = starts ? ids.tokenizers.target : ids.tokenizers.source;
    if (starts && ids.decoder_start) {
        tokens.push_back({tokenizer ? token_label(*tokenizer, *ids.decoder_start)
                                    : fmt::format("{}", *ids.decoder_start),
                          0, 0, true, *ids.decoder_start});
    }
    if (sentence.empty()) return tokens;
    if (!tokenizer) {
        return base::fail(base::ErrorKind::unsupported, ids.why_none.subject, ids.why_none.message);
    }
    const std::size_t most = most_tokens(traits) - tokens.size();
    auto pieces = tokenizer->try_encode(sentence, !starts, kCounted);
    if (pieces && pieces->size() > most) {
        dropped = pieces->size() - most;
        pieces = tokenizer->try_encode(sentence, !starts, most); // its last special token is kept
    }
    if (!pieces) return tl::make_unexpected(pieces.error());
    for (const tokenizers::Piece& piece : *pieces) {
        if (piece.id >= ids.rows) {
            return base::fail(
                base::ErrorKind::mismatch, "tokeniser",
                fmt::format("gives {:.40} the id {}; this model has the rows 0 to {}: "
                            "the tokeniser beside it is another model's",
                            token_label(*tokenizer, piece.id), piece.id, ids.rows - 1));
        }
        const std::string_view written = sentence.substr(piece.begin, piece.end - piece.begin);
        const bool known = !stands_for_unknown(*tokenizer, piece.id, written);
        tokens.push_back(
            {token_label(*tokenizer, piece.id), piece.begin, piece.end, known, piece.id});
    }
    return tokens;
}

namespace {

/// A text without what a tokeniser may set or leave between words, and without parts of characters.
std::string letters_of(std::string letters) {
    for (std::size_t at = 0; (at = letters.find(kBroken, at)) != letters.npos;) {
        letters.erase(at, kBroken.size());
    }
    std::erase_if(letters, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
    return letters;
}

} // namespace

base::Result<std::vector<text::Token>> tokens_of_ids(const TextToIds& ids, const Traits& traits,
                                                     std::span<const int> given,
                                                     std::span<const text::Token> cut,
                                                     std::string_view text, std::size_t& dropped) {
    const auto row = [](const text::Token& token) { return token.row; };
    const auto front = std::ranges::mismatch(given, cut, {}, {}, row);
    const std::ranges::subrange left(front.in1, given.end());
    const std::ranges::subrange cut_left(front.in2, cut.end());
    const auto behind = std::ranges::mismatch(left | std::views::reverse,
                                              cut_left | std::views::reverse, {}, {}, row);
    const auto same_front = static_cast<std::size_t>(front.in1 - given.begin());
    const auto same_behind = static_cast<std::size_t>(given.end() - behind.in1.base());
    const std::size_t past = cut.size() - same_behind;
    const bool otherwise = same_front < past; // else parts of a character, which the text lacks
    const std::size_t before = same_front > 0 ? cut[same_front - 1].end : 0;
    const std::size_t begin = otherwise ? cut[same_front].begin : before;
    const std::size_t end = otherwise ? cut[past - 1].end : before;
    for (std::size_t i = 0; i < std::min(given.size(), most_tokens(traits)); ++i) {
        if (given[i] >= 0 && given[i] < ids.rows) continue;
        return base::fail(
            base::ErrorKind::mismatch, "written tokens",
            fmt::format("one is {}; this model has the rows 0 to {}", given[i], ids.rows - 1));
    }
    // Of a text that was cut at the most that the model reads, the end is not known.
    if (std::max(given.size(), cut.size()) < most_tokens(traits)) {
        const tokenizers::Tokenizer& tokenizer = *ids.tokenizers.target;
        const auto own = given.subspan(same_front, given.size() - same_behind - same_front);
        const std::vector<int> other = ids_of(cut.subspan(same_front, past - same_front));
        const std::string says = letters_of(tokenizer.decode(own, true));
        // A tokeniser may read other letters than stand there: small ones, or ½ as 1/2.
        if (says != letters_of(std::string(text.substr(begin, end - begin))) &&
            says != letters_of(tokenizer.decode(other, true))) {
            return base::fail(base::ErrorKind::mismatch, "written tokens",
                              fmt::format("in this model they say \u201c{:.60}\u201d, which is not "
                                          "the text: they were written with another model",
                                          tokenizer.decode(given, true)));
        }
    }
    std::vector<text::Token> tokens;
    for (std::size_t i = 0; i < std::min(given.size(), most_tokens(traits)); ++i) {
        if (i < same_front) {
            tokens.push_back(cut[i]);
        } else if (given.size() - i <= same_behind) {
            tokens.push_back(cut[cut.size() - (given.size() - i)]);
        } else {
            const tokenizers::Tokenizer& tokenizer = *ids.tokenizers.target;
            const std::string label = token_label(tokenizer, given[i]);
            const bool known = !stands_for_unknown(tokenizer, given[i], label); // it was said so
            tokens.push_back({label, begin, end, known, given[i]});
        }
    }
    dropped = given.size() - tokens.size();
    return tokens;
}

} // namespace heed::models
