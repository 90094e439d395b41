#include "tokenizers/sentencepiece.hpp"

#include "base/utf8.hpp"
#include "tokenizers/models/unigram.hpp"
#include "tokenizers/parts/precompiled.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <map>
#include <optional>
#include <queue>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

using Type = SentencePieceFile::Type;

constexpr std::string_view kSpaceSign = "▁";

/// Symbols of the user, which are neither normalized nor cut.
class Symbols {
  public:
    explicit Symbols(const SentencePieceFile& file) {
        for (std::size_t i = 0; i < file.entries.size(); ++i) {
            if (file.entries[i].type == Type::user_defined) {
                finder_.add(file.entries[i].words, static_cast<int>(i));
            }
        }
    }
    /// Bytes of the longest one that text[at..] begins with, or 0.
    std::size_t length_at(std::string_view text, std::size_t at) const {
        return finder_.empty() ? 0 : finder_.length_at(text, at);
    }

  private:
    WordFinder finder_;
};

/// The file's own normalization: characters by its table, spaces by its rules.
class SpaceRules {
  public:
    explicit SpaceRules(const SentencePieceFile& file)
        : symbols_(file), prefix_(file.add_dummy_prefix), remove_(file.remove_extra_spaces),
          suffix_(file.space_is_suffix), space_(file.escape_spaces ? kSpaceSign : " ") {
        if (!file.character_map.empty()) map_.emplace(file.character_map, "precompiled_charsmap");
    }

    void operator()(AlignedText& text) const {
        const std::string_view words = text.text();
        std::string result;
        std::vector<std::uint32_t> from; // bytes of the text, one a byte of the result
        std::size_t at = 0;
        const auto add = [&](std::string_view part) {
            result += part;
            from.resize(result.size(), static_cast<std::uint32_t>(at));
        };
        for (; remove_ && at < words.size();) {
            const auto [part, length] = next(words, at);
            if (part != " ") break;
            at += length;
        }
        if (at < words.size()) {
            if (prefix_ && !suffix_) add(space_);
            bool after_space = remove_;
            while (at < words.size()) {
                auto [part, length] = next(words, at);
                while (after_space && part.starts_with(' ')) part.remove_prefix(1);
                for (const char c : part) add(c == ' ' ? space_ : std::string_view(&c, 1));
                if (!part.empty()) after_space = part.ends_with(' ');
                if (!remove_) after_space = false;
                at += length;
            }
            while (remove_ && result.ends_with(space_)) {
                const std::size_t size = result.size() - space_.size();
                at = from[size];
                result.resize(size);
                from.resize(size);
            }
            if (prefix_ && suffix_) add(space_);
        }
        const auto original = [&](std::size_t byte) { // where this byte, or the end, comes from
            if (byte < words.size()) return text.original_of(byte, byte + 1).begin;
            return words.empty() ? 0 : text.original_of(byte - 1, byte).end;
        };
        std::vector<Range> ranges(result.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            ranges[i] = {original(from[i]), original(i + 1 < result.size() ? from[i + 1] : at)};
        }
        text.assign(std::move(result), std::move(ranges));
    }

  private:
    /// The beginning of the text here, normalized, and how many bytes that is of.
    std::pair<std::string_view, std::size_t> next(std::string_view words, std::size_t at) const {
        if (const std::size_t symbol = symbols_.length_at(words, at)) {
            return {words.substr(at, symbol), symbol};
        }
        if (map_) {
            if (const auto found = map_->longest(words.substr(at))) {
                return {found->becomes, found->length};
            }
        }
        const std::size_t length = base::decode_utf8(words, at).length;
        return {words.substr(at, length), length};
    }

    Symbols symbols_;
    std::optional<CharacterMap> map_;
    bool prefix_, remove_, suffix_;
    std::string_view space_;
};

/// Merges of the highest score first. Words are the pieces of a file by their places.
class ScoreMerges {
  public:
    ScoreMerges(const SentencePieceFile& file, const Vocabulary& pieces, int unknown)
        : file_(file), pieces_(pieces), symbols_(file), unknown_(unknown) {}

    std::vector<CutPiece> operator()(std::string_view word) const {
        struct Part {
            std::size_t begin, end;
            int previous, next;
            bool frozen;
        };
        struct Merge {
            float score;
            int left, right;
            std::size_t size;
            bool operator<(const Merge& other) const {
                return score != other.score ? score < other.score : left > other.left;
            }
        };
        std::vector<Part> parts;
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t symbol = symbols_.length_at(word, at);
            const std::size_t length = symbol > 0 ? symbol : base::decode_utf8(word, at).length;
            const int i = static_cast<int>(parts.size());
            parts.push_back({at, at + length, i - 1, i + 1, symbol > 0});
            at += length;
        }
        if (!parts.empty()) parts.back().next = -1;
        std::priority_queue<Merge> queue;
        const auto part = [&](int i) -> Part& { return parts[static_cast<std::size_t>(i)]; };
        const auto offer = [&](int left, int right) {
            if (left < 0 || right < 0 || part(left).frozen || part(right).frozen) return;
            const std::size_t begin = part(left).begin, end = part(right).end;
            const int id = cuttable(word.substr(begin, end - begin));
            if (id >= 0) queue.push({entry(id).score, left, right, end - begin});
        };
        for (int i = 1; i < static_cast<int>(parts.size()); ++i) offer(i - 1, i);
        while (!queue.empty()) {
            const Merge top = queue.top();
            queue.pop();
            Part &left = part(top.left), &right = part(top.right);
            const bool gone = left.begin == left.end || right.begin == right.end;
            if (gone || right.end - left.begin != top.size || left.next != top.right) continue;
            left.end = right.end;
            left.next = right.next;
            if (right.next >= 0) part(right.next).previous = top.left;
            right.begin = right.end;
            offer(left.previous, top.left);
            offer(top.left, left.next);
        }
        std::vector<CutPiece> result;
        for (const Part& p : parts) {
            if (p.begin == p.end) continue;
            result.push_back(
                {p.begin, p.end,
                 pieces_.find(word.substr(p.begin, p.end - p.begin)).value_or(unknown_)});
        }
        return result;
    }

  private:
    const SentencePieceFile::Entry& entry(int id) const {
        return file_.entries[static_cast<std::size_t>(id)];
    }
    int cuttable(std::string_view words) const {
        const auto id = pieces_.find(words);
        if (!id) return -1;
        const Type type = entry(*id).type;
        return type == Type::normal || type == Type::user_defined ? *id : -1;
    }

    const SentencePieceFile& file_;
    const Vocabulary& pieces_;
    Symbols symbols_;
    int unknown_;
};

UnigramRules rules_of(const SentencePieceFile& file, int unknown) {
    UnigramRules rules;
    float lowest = FLT_MAX, highest = FLT_MIN;
    for (const auto& entry : file.entries) {
        if (entry.type != Type::normal) continue;
        lowest = std::min(lowest, entry.score);
        highest = std::max(highest, entry.score);
    }
    for (const auto& entry : file.entries) {
        const bool defined = entry.type == Type::user_defined;
        rules.scores.push_back(defined ? static_cast<float>(entry.words.size()) * highest - 0.1
                                       : entry.score);
        rules.never.push_back(!defined && entry.type != Type::normal);
    }
    rules.unknown = unknown;
    rules.lowest = lowest;
    rules.single_precision = true;
    return rules;
}

class SentencePieceModel : public Model {
  public:
    SentencePieceModel(const SentencePieceFile& file, Vocabulary vocabulary, IdOfPiece id_of)
        : Model(std::move(vocabulary)), file_(file), pieces_(vocabulary_of(file)),
          unknown_(unknown_of(file)), id_of_(std::move(id_of)) {
        if (file.bpe)
            merges_.emplace(file_, pieces_, unknown_);
        else
            cut_.emplace(pieces_, rules_of(file, unknown_));
    }

    void tokenize(std::string_view word, std::vector<Token>& out, std::size_t&) const override {
        bool after_unknown = false;
        for (const CutPiece& piece : file_.bpe ? (*merges_)(word) : (*cut_)(word)) {
            const std::string_view words = word.substr(piece.begin, piece.end - piece.begin);
            const bool unknown = piece.id == unknown_;
            if (unknown && file_.byte_fallback) {
                for (const char byte : words) {
                    const std::string token = token_of_byte(static_cast<unsigned char>(byte));
                    const int id = pieces_.find(token).value_or(unknown_);
                    out.push_back({id_of_(id, token), token, piece.begin, piece.end});
                }
            } else if (unknown && after_unknown) {
                out.back().words += words;
                out.back().end = piece.end;
            } else {
                out.push_back(
                    {id_of_(piece.id, words), std::string(words), piece.begin, piece.end});
            }
            after_unknown = unknown;
        }
    }

  private:
    static int unknown_of(const SentencePieceFile& file) {
        for (std::size_t i = 0; i < file.entries.size(); ++i) {
            if (file.entries[i].type == Type::unknown) return static_cast<int>(i);
        }
        throw Refused(ErrorKind::malformed, "pieces", "none stands for the unknown");
    }

    SentencePieceFile file_;
    Vocabulary pieces_;
    int unknown_;
    IdOfPiece id_of_;
    std::optional<UnigramCut> cut_;
    std::optional<ScoreMerges> merges_;
};

Decoder decoder_of(const SentencePieceFile& file) {
    const bool prefix = file.add_dummy_prefix || file.remove_extra_spaces;
    return [prefix](const std::vector<std::string>& tokens) {
        std::string bytes;
        for (const std::string& token : tokens) {
            if (const int byte = byte_of_token(token); byte >= 0)
                bytes += static_cast<char>(byte);
            else
                bytes += token;
        }
        std::string result;
        for (const char32_t c : to_characters(bytes))
            base::append_utf8(result, c == U'▁' ? U' ' : c);
        if (prefix && result.starts_with(' ')) result.erase(0, 1);
        return std::vector<std::string>{result};
    };
}

} // namespace

Parts sentencepiece_parts(const SentencePieceFile& file, Vocabulary vocabulary, IdOfPiece id_of) {
    Parts parts;
    parts.normalizer = SpaceRules(file);
    parts.model =
        std::make_shared<const SentencePieceModel>(file, std::move(vocabulary), std::move(id_of));
    parts.decoder = decoder_of(file);
    parts.spelling.metaspace = true;
    return parts;
}

Vocabulary vocabulary_of(const SentencePieceFile& file) {
    Vocabulary pieces;
    pieces.reserve(file.entries.size());
    for (std::size_t i = 0; i < file.entries.size(); ++i) {
        if (pieces.add(file.entries[i].words, static_cast<int>(i))) continue;
        throw Refused(ErrorKind::malformed, fmt::format("pieces[{}]", i),
                      fmt::format("'{}' is there twice", file.entries[i].words));
    }
    return pieces;
}

} // namespace heed::tokenizers
