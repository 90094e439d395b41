#include "tokenizers/models/unigram.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <algorithm>
#include <utility>

namespace heed::tokenizers {

/// Tokens by their bytes. The children of a node are neighbours, in the order of their bytes.
struct UnigramCut::Trie {
    struct Node {
        std::uint32_t first = 0; // child
        std::uint16_t children = 0;
        unsigned char byte = 0;
        int id = -1;
    };

    explicit Trie(std::vector<std::pair<std::string_view, int>> tokens) {
        std::sort(tokens.begin(), tokens.end());
        struct Part {
            std::uint32_t node, begin, end, depth;
        };
        nodes_.push_back({});
        std::vector<Part> parts = {{0, 0, static_cast<std::uint32_t>(tokens.size()), 0}};
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Part part = parts[i];
            std::uint32_t begin = part.begin;
            while (begin < part.end && tokens[begin].first.size() == part.depth) {
                nodes_[part.node].id = tokens[begin++].second;
            }
            nodes_[part.node].first = static_cast<std::uint32_t>(nodes_.size());
            while (begin < part.end) {
                const char byte = tokens[begin].first[part.depth];
                std::uint32_t end = begin;
                while (end < part.end && tokens[end].first[part.depth] == byte) ++end;
                parts.push_back(
                    {static_cast<std::uint32_t>(nodes_.size()), begin, end, part.depth + 1});
                ++nodes_[part.node].children;
                nodes_.push_back({0, 0, static_cast<unsigned char>(byte), -1});
                begin = end;
            }
        }
    }

    const Node* root() const { return nodes_.data(); }
    const Node* child(const Node* node, char byte) const {
        const auto begin = nodes_.begin() + node->first, end = begin + node->children;
        const auto value = static_cast<unsigned char>(byte);
        const auto found = std::lower_bound(
            begin, end, value, [](const Node& a, unsigned char b) { return a.byte < b; });
        return found != end && found->byte == value ? &*found : nullptr;
    }

    std::vector<Node> nodes_;
};

UnigramCut::UnigramCut(const Vocabulary& vocabulary, const UnigramRules& rules)
    : scores_(rules.scores), unknown_(rules.unknown), unknown_score_(rules.lowest - 10),
      single_precision_(rules.single_precision) {
    std::vector<std::pair<std::string_view, int>> tokens;
    for (int id = 0; id < vocabulary.rows(); ++id) {
        const bool never = !rules.never.empty() && rules.never[static_cast<std::size_t>(id)];
        if (vocabulary.has(id) && !never && !vocabulary.token(id).empty()) {
            tokens.emplace_back(vocabulary.token(id), id);
        }
    }
    trie_ = std::make_unique<const Trie>(std::move(tokens));
}

UnigramCut::~UnigramCut() = default;

std::vector<CutPiece> UnigramCut::operator()(std::string_view word) const {
    constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
    struct Step {
        double score = 0;
        std::size_t from = kNowhere;
        int id = -1;
    };
    std::vector<Step> best(word.size() + 1);
    const auto offer = [&](std::size_t from, std::size_t to, int id, double score) {
        const double sum = score + best[from].score;
        Step& step = best[to];
        if (step.from != kNowhere && sum <= step.score) return;
        step = {single_precision_ ? static_cast<float>(sum) : sum, from, id};
    };
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t length = base::decode_utf8(word, at).length;
        bool alone = false; // whether this character is a token
        const Trie::Node* node = trie_->root();
        for (std::size_t end = at; end < word.size();) {
            node = trie_->child(node, word[end++]);
            if (!node) break;
            if (node->id < 0) continue;
            offer(at, end, node->id, scores_[static_cast<std::size_t>(node->id)]);
            alone = alone || end == at + length;
        }
        if (!alone && !unknown_) {
            throw Refused(base::ErrorKind::mismatch, "model.unk_id",
                          "is not there, and the text has a character that is no token");
        }
        if (!alone) offer(at, at + length, *unknown_, unknown_score_);
        at += length;
    }
    std::vector<CutPiece> result;
    for (std::size_t end = word.size(); end > 0; end = best[end].from) {
        result.push_back({best[end].from, end, best[end].id});
    }
    std::reverse(result.begin(), result.end());
    return result;
}

namespace {

class Unigram : public Model {
  public:
    Unigram(Vocabulary vocabulary, const UnigramRules& rules)
        : Model(std::move(vocabulary)), unknown_(rules.unknown),
          byte_fallback_(rules.byte_fallback), cut_(this->vocabulary(), rules) {}

    void tokenize(std::string_view word, std::vector<Token>& out, std::size_t&) const override {
        std::vector<CutPiece> pieces = cut_(word);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            CutPiece piece = pieces[i];
            while (piece.id == unknown_ && i + 1 < pieces.size() && pieces[i + 1].id == unknown_) {
                piece.end = pieces[++i].end;
            }
            add(word.substr(piece.begin, piece.end - piece.begin), piece, out);
        }
    }

    std::optional<int> unknown_token() const override { return unknown_; }

  private:
    void add(std::string_view words, const CutPiece& piece, std::vector<Token>& out) const {
        const auto known = vocabulary().find(words);
        if (!known && byte_fallback_) {
            std::vector<Token> bytes;
            for (const char byte : words) {
                const std::string token = token_of_byte(static_cast<unsigned char>(byte));
                const auto id = vocabulary().find(token);
                if (id) bytes.push_back({*id, token, piece.begin, piece.end});
            }
            if (bytes.size() == words.size()) {
                out.insert(out.end(), bytes.begin(), bytes.end());
                return;
            }
        }
        out.push_back({known.value_or(piece.id), std::string(words), piece.begin, piece.end});
    }

    std::optional<int> unknown_;
    bool byte_fallback_;
    UnigramCut cut_;
};

} // namespace

std::shared_ptr<const Model> make_unigram(Vocabulary vocabulary, const UnigramRules& rules) {
    return std::make_shared<const Unigram>(std::move(vocabulary), rules);
}

} // namespace heed::tokenizers
