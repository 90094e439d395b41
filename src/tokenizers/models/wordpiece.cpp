#include "tokenizers/models/wordpiece.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace heed::tokenizers {

namespace {

/// The tokens of a vocabulary in the order of their bytes. A search goes through a word's bytes
/// once, and ends where no token goes on, so that long tokens and long words cost no more than
/// their bytes.
class SortedTokens {
  public:
    explicit SortedTokens(const Vocabulary& vocabulary) : vocabulary_(&vocabulary) {
        for (int id = 0; id < vocabulary.rows(); ++id) {
            if (vocabulary.has(id)) ids_.push_back(id);
        }
        std::sort(ids_.begin(), ids_.end(),
                  [&](int a, int b) { return vocabulary.token(a) < vocabulary.token(b); });
    }

    /// Tokens that begin with the same `depth` bytes.
    struct Range {
        std::size_t begin = 0, end = 0, depth = 0;
    };
    Range all() const { return {0, ids_.size(), 0}; }
    bool empty(const Range& range) const { return range.begin == range.end; }

    /// Those of a range that go on with this byte.
    Range next(Range range, char byte) const {
        while (!empty(range) && token(range.begin).size() == range.depth) ++range.begin;
        if (empty(range)) return range;
        const auto value = [&](std::size_t place) {
            return static_cast<unsigned char>(token(place)[range.depth]);
        };
        const auto wanted = static_cast<unsigned char>(byte);
        if (value(range.begin) != wanted || value(range.end - 1) != wanted) {
            const auto first = ids_.begin() + static_cast<std::ptrdiff_t>(range.begin);
            const auto last = ids_.begin() + static_cast<std::ptrdiff_t>(range.end);
            const auto byte_of = [&](int id) {
                return static_cast<unsigned char>(vocabulary_->token(id)[range.depth]);
            };
            const auto from =
                std::partition_point(first, last, [&](int id) { return byte_of(id) < wanted; });
            const auto to =
                std::partition_point(from, last, [&](int id) { return byte_of(id) == wanted; });
            range.begin = static_cast<std::size_t>(from - ids_.begin());
            range.end = static_cast<std::size_t>(to - ids_.begin());
        }
        ++range.depth;
        return range;
    }
    /// The token that is just what its range begins with.
    std::optional<int> whole(const Range& range) const {
        if (empty(range) || token(range.begin).size() != range.depth) return std::nullopt;
        return ids_[range.begin];
    }

  private:
    std::string_view token(std::size_t place) const { return vocabulary_->token(ids_[place]); }

    const Vocabulary* vocabulary_;
    std::vector<int> ids_;
};

class WordPiece : public Model {
  public:
    WordPiece(Vocabulary tokens, WordPieceRules rules)
        : Model(std::move(tokens)), rules_(std::move(rules)), sorted_(vocabulary()),
          continuing_(sorted_.all()) {
        for (const char byte : rules_.continuing_prefix) {
            continuing_ = sorted_.next(continuing_, byte);
        }
    }

    void tokenize(std::string_view word, std::vector<Token>& out,
                  std::size_t& steps) const override {
        const std::size_t before = out.size();
        const bool known =
            base::count_code_points(word) <= rules_.max_characters && pieces(word, out, steps);
        if (known) return;
        out.resize(before);
        out.push_back({unknown_id(rules_.unknown), rules_.unknown, 0, word.size()});
    }
    std::optional<int> unknown_token() const override { return vocabulary().find(rules_.unknown); }

  private:
    static constexpr std::size_t kMostSteps = std::size_t{1} << 24; // in vain, of one text

    bool pieces(std::string_view word, std::vector<Token>& out, std::size_t& steps) const {
        for (std::size_t begin = 0; begin < word.size();) {
            SortedTokens::Range range = begin > 0 ? continuing_ : sorted_.all();
            std::optional<int> id;
            std::size_t end = begin;
            for (std::size_t at = begin; at < word.size() && !sorted_.empty(range); ++steps) {
                range = sorted_.next(range, word[at++]);
                const auto longer = sorted_.whole(range);
                if (!longer) continue;
                id = longer;
                end = at;
            }
            if (!id) return false;
            steps -= end - begin; // what is taken costs nothing
            if (steps > kMostSteps) {
                throw Refused(base::ErrorKind::out_of_range, "model",
                              fmt::format("a word of {} bytes takes too long to cut", word.size()));
            }
            out.push_back(token_of(*id, begin, end));
            begin = end;
        }
        return true;
    }

    WordPieceRules rules_;
    SortedTokens sorted_;
    SortedTokens::Range continuing_;
};

class WordLevel : public Model {
  public:
    WordLevel(Vocabulary vocabulary, std::string unknown)
        : Model(std::move(vocabulary)), unknown_(std::move(unknown)) {}

    void tokenize(std::string_view word, std::vector<Token>& out, std::size_t&) const override {
        const auto id = vocabulary().find(word);
        out.push_back(
            {id ? *id : unknown_id(unknown_), id ? std::string(word) : unknown_, 0, word.size()});
    }
    std::optional<int> unknown_token() const override { return vocabulary().find(unknown_); }

  private:
    std::string unknown_;
};

} // namespace

std::shared_ptr<const Model> make_wordpiece(Vocabulary vocabulary, WordPieceRules rules) {
    return std::make_shared<const WordPiece>(std::move(vocabulary), std::move(rules));
}

std::shared_ptr<const Model> make_word_level(Vocabulary vocabulary, std::string unknown) {
    return std::make_shared<const WordLevel>(std::move(vocabulary), std::move(unknown));
}

} // namespace heed::tokenizers
