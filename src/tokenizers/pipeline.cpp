#include "tokenizers/pipeline.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;
using base::Result;

namespace {

/// A text, and its characters as places in the bytes that were given.
struct GivenText {
    std::string words;                 // valid UTF-8
    std::vector<std::size_t> begins;   // of characters, in the given bytes; the end last
    std::vector<std::uint32_t> number; // of the character, one a byte of `words`

    explicit GivenText(std::string_view given) {
        words.reserve(given.size());
        for (std::size_t at = 0; at < given.size();) {
            const base::Decoded decoded = base::decode_utf8(given, at);
            base::append_utf8(words, decoded.code_point);
            number.resize(words.size(), static_cast<std::uint32_t>(begins.size()));
            begins.push_back(at);
            at += decoded.length;
        }
        begins.push_back(given.size());
    }

    /// Bytes of `words` to characters, as the library converts them.
    Range characters(Range bytes) const {
        if (bytes.begin >= number.size()) return bytes;
        const std::uint32_t begin = number[bytes.begin];
        if (bytes.end < number.size()) return {begin, number[bytes.end]};
        const std::size_t last = bytes.end - std::size_t{1};
        return {begin, (last < number.size() ? number[last] : begin + 1) + 1};
    }
};

std::string shown_bytes(std::string_view bytes) {
    std::string result;
    for (std::size_t at = 0; at < bytes.size();) {
        const base::Decoded decoded = base::decode_utf8(bytes, at);
        for (std::size_t i = 0; i < decoded.length; ++i) {
            const char byte = bytes[at + i];
            if (decoded.valid)
                result += byte;
            else
                result += fmt::format("⟨{:02X}⟩", static_cast<unsigned char>(byte));
        }
        at += decoded.length;
    }
    return result;
}

class Pipeline : public Tokenizer {
  public:
    explicit Pipeline(Parts parts) : p_(std::move(parts)) {}

    Result<std::vector<Piece>> try_encode(std::string_view text, bool add_special,
                                          std::size_t max_tokens) const override {
        if (text.size() >= std::numeric_limits<std::uint32_t>::max() / 4) {
            return base::fail(ErrorKind::out_of_range, "text", "is longer than a gigabyte");
        }
        try {
            return pieces_of(text, add_special, max_tokens);
        } catch (const Refused& refused) {
            return tl::make_unexpected(refused.error());
        }
    }

    std::string token(int id) const override {
        if (const AddedToken* added = p_.added.token(id)) return added->content;
        return std::string(p_.model->vocabulary().token(id));
    }

    std::optional<int> id(std::string_view token) const override {
        if (const auto found = p_.added.find(token)) return found;
        return p_.model->vocabulary().find(token);
    }

    int size() const override { return std::max(p_.model->vocabulary().rows(), p_.added.rows()); }

    std::string shown(int id) const override {
        std::string words = token(id);
        if (p_.added.token(id)) return words;
        const Spelling& spelling = p_.spelling;
        if (spelling.byte_level) return shown_bytes(bytes_of_token(words));
        if (!spelling.continuing_prefix.empty() && words.starts_with(spelling.continuing_prefix)) {
            return words.substr(spelling.continuing_prefix.size());
        }
        if (!spelling.end_suffix.empty() && words.ends_with(spelling.end_suffix)) {
            return words.substr(0, words.size() - spelling.end_suffix.size()) + " ";
        }
        if (!spelling.metaspace) return words;
        if (const int byte = byte_of_token(words); byte >= 0) {
            return shown_bytes(std::string(1, static_cast<char>(byte)));
        }
        std::string result;
        for (const char32_t c : to_characters(words))
            base::append_utf8(result, c == U'▁' ? U' ' : c);
        return result;
    }

    bool is_special(int id) const override {
        const AddedToken* added = p_.added.token(id);
        return added && added->special;
    }

    bool starts_word(int id) const override {
        if (p_.added.token(id)) return true;
        const std::string words = token(id);
        const Spelling& spelling = p_.spelling;
        if (spelling.byte_level) {
            const std::string bytes = bytes_of_token(words);
            return !bytes.empty() && is_white_space(static_cast<unsigned char>(bytes[0]));
        }
        if (spelling.metaspace) return words.starts_with("▁");
        if (!spelling.continuing_prefix.empty())
            return !words.starts_with(spelling.continuing_prefix);
        return spelling.end_suffix.empty();
    }

    bool continues_word(int id) const override {
        if (p_.added.token(id)) return false;
        const Spelling& spelling = p_.spelling;
        if (!spelling.byte_level && !spelling.metaspace) {
            return !spelling.continuing_prefix.empty() &&
                   token(id).starts_with(spelling.continuing_prefix);
        }
        const std::u32string letters = to_characters(shown(id));
        return !starts_word(id) && !letters.empty() && base::sets_spaces(letters[0]) &&
               is_word(letters[0]);
    }

    std::string decode(std::span<const int> ids, bool skip_special) const override {
        std::vector<std::string> tokens;
        for (const int id : ids) {
            if (skip_special && is_special(id)) continue;
            if (p_.added.token(id)) {
                tokens.push_back(p_.added.for_decoder(id));
            } else if (p_.model->vocabulary().has(id)) {
                tokens.push_back(token(id));
            }
        }
        std::string result;
        try {
            if (p_.decoder && !tokens.empty()) tokens = p_.decoder(tokens);
        } catch (const Refused&) {
            // A pattern past its limits: the tokens as they stand.
        }
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (!p_.decoder && i > 0) result += ' ';
            result += tokens[i];
        }
        return result;
    }

    const NamedIds& named() const override { return p_.named; }

  private:
    std::vector<Piece> pieces_of(std::string_view text, bool add_special,
                                 std::size_t max_tokens) const {
        const GivenText given(text);
        std::vector<Split> splits = p_.added.split(AlignedText(given.words), p_.normalizer);
        if (p_.pre_tokenizer) p_.pre_tokenizer(splits);
        const std::size_t room =
            max_tokens - std::min(add_special ? p_.processor.added : 0, max_tokens);
        std::vector<Placed> placed;
        std::size_t steps = 0;
        for (Split& split : splits) {
            if (placed.size() >= room) break;
            std::vector<Token> tokens;
            if (split.tokens)
                tokens = std::move(*split.tokens);
            else
                p_.model->tokenize(split.text.text(), tokens, steps);
            for (Token& token : tokens) {
                const Range range =
                    given.characters(split.text.original_of(token.begin, token.end));
                placed.push_back({token.id, std::move(token.words), range.begin, range.end});
            }
        }
        if (placed.size() > room) placed.resize(room);
        if (p_.processor.apply) placed = p_.processor.apply(std::move(placed), add_special);
        if (placed.size() > max_tokens) placed.resize(max_tokens);
        std::vector<Piece> result;
        result.reserve(placed.size());
        const std::size_t last = given.begins.size() - 1;
        for (Placed& piece : placed) {
            const std::size_t begin = given.begins[std::min(piece.begin, last)];
            const std::size_t end = given.begins[std::min(piece.end, last)];
            result.push_back({piece.id, std::move(piece.words), begin, std::max(begin, end),
                              is_special(piece.id)});
        }
        return result;
    }

    Parts p_;
};

} // namespace

std::vector<Piece> Tokenizer::encode(std::string_view text, bool add_special,
                                     std::size_t max_tokens) const {
    auto pieces = try_encode(text, add_special, max_tokens);
    if (!pieces) throw Refused(pieces.error());
    return std::move(*pieces);
}

std::shared_ptr<const Tokenizer> make_tokenizer(Parts parts) {
    if (const std::size_t longest = parts.model->vocabulary().longest();
        longest > Vocabulary::kMaxToken) {
        throw Refused(ErrorKind::out_of_range, "vocabulary",
                      fmt::format("has a token of {} bytes; tokens of at most {} bytes are read",
                                  longest, Vocabulary::kMaxToken));
    }
    return std::make_shared<const Pipeline>(std::move(parts));
}

} // namespace heed::tokenizers
