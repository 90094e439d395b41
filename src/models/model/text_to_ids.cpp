#include "models/model/text_to_ids.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    const std::size_t places =
        traits.places ? static_cast<std::size_t>(std::max(*traits.places, 1)) : kMaxTokens;
    const std::size_t most = std::min(places, kMaxTokens) - tokens.size();
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
        const bool known = piece.id != tokenizer->named().unk;
        tokens.push_back(
            {token_label(*tokenizer, piece.id), piece.begin, piece.end, known, piece.id});
    }
    return tokens;
}

} // namespace heed::models
