#include "tokenizers/parts/added_tokens.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

/// Start of the last character of text[..end]. Requires end > 0.
std::size_t before(std::string_view text, std::size_t end) {
    std::size_t at = end - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
}

char32_t character_at(std::string_view text, std::size_t at) {
    return base::decode_utf8(text, at).code_point;
}

bool is_within_word(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin > 0 && is_word(character_at(text, before(text, begin)))) ||
           (end < text.size() && is_word(character_at(text, end)));
}

} // namespace

AddedToken read_added_token(Fields& fields) {
    AddedToken token;
    token.content = fields.string("content");
    token.single_word = fields.boolean("single_word");
    token.left_strip = fields.boolean("lstrip");
    token.right_strip = fields.boolean("rstrip");
    token.normalized = fields.boolean("normalized");
    token.special = fields.boolean("special");
    return token;
}

void WordFinder::add(std::string_view words, int id) {
    std::size_t node = 0;
    for (const char byte : words) {
        const auto [child, made] = nodes_[node].children.try_emplace(byte, nodes_.size());
        node = child->second;
        if (made) nodes_.emplace_back();
    }
    if (words.empty() || nodes_[node].id >= 0) {
        throw Refused(ErrorKind::malformed, "added_tokens",
                      fmt::format("'{}' is {}", words,
                                  words.empty() ? "empty once it is normalized" : "there twice"));
    }
    nodes_[node].id = id;
}

std::optional<WordFinder::Found> WordFinder::at(std::string_view text, std::size_t begin) const {
    std::optional<Found> found;
    std::size_t node = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const auto child = nodes_[node].children.find(text[i]);
        if (child == nodes_[node].children.end()) break;
        node = child->second;
        if (nodes_[node].id >= 0) found = Found{begin, i + 1, nodes_[node].id};
    }
    return found;
}

std::optional<WordFinder::Found> WordFinder::next(std::string_view text, std::size_t from) const {
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if (auto found = at(text, begin)) return found;
    }
    return std::nullopt;
}

std::size_t WordFinder::length_at(std::string_view text, std::size_t begin) const {
    const auto found = at(text, begin);
    return found ? found->end - begin : 0;
}

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens, const Model& model,
                         const Normalizer& normalizer) {
    constexpr std::size_t kMostBytes = 1 << 20; // each takes a hundred in the tree
    std::size_t bytes = 0;
    const auto add_bytes = [&](const std::string& words) {
        bytes += words.size();
        if (bytes <= kMostBytes) return;
        throw Refused(ErrorKind::out_of_range, "added_tokens",
                      fmt::format("have more than {} bytes", kMostBytes));
    };
    int next = static_cast<int>(model.vocabulary().size());
    for (const AddedToken& token : tokens) {
        if (token.content.empty()) continue;
        add_bytes(token.content);
        std::optional<int> id = find(token.content);
        if (!id) id = model.vocabulary().find(token.content);
        if (!id) id = next++;
        if (*id > Vocabulary::kMaxId) {
            throw Refused(ErrorKind::out_of_range, "added_tokens",
                          fmt::format("'{}' has the id {}; Heed reads ids up to {}", token.content,
                                      *id, Vocabulary::kMaxId));
        }
        normalized_.erase(*id);
        if (token.normalized && normalizer) {
            AlignedText words(token.content);
            normalizer(words);
            if (words.text() != token.content) {
                add_bytes(words.text());
                normalized_[*id] = words.text();
            }
        }
        ids_[token.content] = *id;
        by_id_[*id] = token;
    }
    for (const auto& [id, token] : by_id_) {
        (token.normalized ? normalized_finder_ : finder_)
            .add(token.normalized ? for_decoder(id) : token.content, id);
    }
}

std::optional<int> AddedTokens::find(std::string_view content) const {
    const auto found = ids_.find(content);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const AddedToken* AddedTokens::token(int id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

std::string AddedTokens::for_decoder(int id) const {
    const auto found = normalized_.find(id);
    return found == normalized_.end() ? by_id_.at(id).content : found->second;
}

std::vector<Split> AddedTokens::cut(const AlignedText& text, const WordFinder& finder) const {
    std::vector<Split> result;
    const std::string_view words = text.text();
    std::size_t done = 0;
    const auto add = [&](std::size_t begin, std::size_t end, std::optional<int> id) {
        if (begin == end) return;
        Split split{text.slice(begin, end), std::nullopt};
        if (id) split.tokens = {{*id, std::string(split.text.text()), 0, end - begin}};
        result.push_back(std::move(split));
    };
    std::size_t from = 0;
    while (!finder.empty()) {
        const auto found = finder.next(words, from);
        if (!found) break;
        from = found->end;
        const AddedToken& token = by_id_.at(found->id);
        if (token.single_word && is_within_word(words, found->begin, found->end)) continue;
        std::size_t begin = found->begin, end = found->end;
        if (token.left_strip) {
            while (begin > 0 && is_white_space(character_at(words, before(words, begin)))) {
                begin = before(words, begin);
            }
        }
        begin = std::max(begin, done);
        while (token.right_strip && end < words.size() &&
               is_white_space(character_at(words, end))) {
            end += base::decode_utf8(words, end).length;
        }
        add(done, begin, std::nullopt);
        add(begin, end, found->id);
        done = end;
    }
    add(done, words.size(), std::nullopt);
    return result;
}

std::vector<Split> AddedTokens::split(const AlignedText& text, const Normalizer& normalizer) const {
    std::vector<Split> result;
    for (Split& part : cut(text, finder_)) {
        if (part.tokens) {
            result.push_back(std::move(part));
            continue;
        }
        if (normalizer) normalizer(part.text);
        for (Split& inner : cut(part.text, normalized_finder_)) result.push_back(std::move(inner));
    }
    return result;
}

} // namespace heed::tokenizers
