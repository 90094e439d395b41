#include "tokenizers/models/wordpiece.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace heed::tokenizers {

namespace {

class WordPiece : public Model {
  public:
    WordPiece(Vocabulary vocabulary, WordPieceRules rules)
        : Model(std::move(vocabulary)), rules_(std::move(rules)) {}

    void tokenize(std::string_view word, std::vector<Token>& out) const override {
        const std::size_t before = out.size();
        const bool known =
            base::count_code_points(word) <= rules_.max_characters && pieces(word, out);
        if (known) return;
        out.resize(before);
        out.push_back({unknown_id(rules_.unknown), rules_.unknown, 0, word.size()});
    }
    std::optional<int> unknown_token() const override { return vocabulary().find(rules_.unknown); }

  private:
    bool pieces(std::string_view word, std::vector<Token>& out) const {
        std::string dressed;
        for (std::size_t begin = 0; begin < word.size();) {
            dressed = begin > 0 ? rules_.continuing_prefix : "";
            const std::size_t bare = dressed.size();
            dressed += word.substr(begin, vocabulary().longest());
            std::optional<int> id;
            while (dressed.size() > bare && !(id = vocabulary().find(dressed))) {
                do dressed.pop_back();
                while (dressed.size() > bare &&
                       (static_cast<unsigned char>(word[begin + dressed.size() - bare]) & 0xC0) ==
                           0x80);
            }
            if (!id) return false;
            const std::size_t end = begin + dressed.size() - bare;
            out.push_back({*id, dressed, begin, end});
            begin = end;
        }
        return true;
    }

    WordPieceRules rules_;
};

class WordLevel : public Model {
  public:
    WordLevel(Vocabulary vocabulary, std::string unknown)
        : Model(std::move(vocabulary)), unknown_(std::move(unknown)) {}

    void tokenize(std::string_view word, std::vector<Token>& out) const override {
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
