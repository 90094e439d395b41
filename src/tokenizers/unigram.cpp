#include "tokenizers/unigram.hpp"

#include "base/utf8.hpp"
#include "tokenizers/characters.hpp"
#include "tokenizers/refused.hpp"

#include <algorithm>
#include <utility>

namespace heed::tokenizers {

namespace {

/// Tokens by their bytes. The children of a node are neighbours, in the order of their bytes.
class Trie {
  public:
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

  private:
    std::vector<Node> nodes_;
};

Trie trie_of(const Vocabulary& vocabulary, const UnigramRules& rules) {
    std::vector<std::pair<std::string_view, int>> tokens;
    for (int id = 0; id < vocabulary.rows(); ++id) {
        const bool never = !rules.never.empty() && rules.never[static_cast<std::size_t>(id)];
        if (vocabulary.has(id) && !never && !vocabulary.token(id).empty()) {
            tokens.emplace_back(vocabulary.token(id), id);
        }
    }
    return Trie(std::move(tokens));
}

class Unigram : public Model {
  public:
    Unigram(Vocabulary vocabulary, UnigramRules rules)
        : Model(std::move(vocabulary)), rules_(std::move(rules)),
          trie_(trie_of(this->vocabulary(), rules_)) {}

    void tokenize(std::string_view word, std::vector<Token>& out) const override {
        const std::vector<Step> best = best_cut(word);
        std::vector<std::pair<std::size_t, std::size_t>> cut;
        bool fusing = false;
        for (std::size_t end = word.size(); end > 0;) {
            const Step& step = best[end];
            const bool unknown = step.id == rules_.unknown;
            if (unknown && fusing) {
                cut.back().first = step.from;
            } else {
                cut.emplace_back(step.from, end);
            }
            fusing = unknown;
            end = step.from;
        }
        for (std::size_t i = cut.size(); i-- > 0;) {
            add(word.substr(cut[i].first, cut[i].second - cut[i].first), cut[i].first, out);
        }
    }

  private:
    struct Step {
        double score = 0;
        std::size_t from = kNowhere;
        int id = -1;
    };
    static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

    std::vector<Step> best_cut(std::string_view word) const {
        std::vector<Step> best(word.size() + 1);
        const auto offer = [&](std::size_t from, std::size_t to, int id, double score) {
            double sum = score + best[from].score;
            if (rules_.single_precision) sum = static_cast<float>(sum);
            Step& step = best[to];
            if (step.from == kNowhere || sum > step.score) step = {sum, from, id};
        };
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t length = base::decode_utf8(word, at).length;
            bool alone = false; // whether this character is a token
            const Trie::Node* node = trie_.root();
            for (std::size_t end = at; end < word.size();) {
                node = trie_.child(node, word[end++]);
                if (!node) break;
                if (node->id < 0) continue;
                offer(at, end, node->id, rules_.scores[static_cast<std::size_t>(node->id)]);
                alone = alone || end == at + length;
            }
            if (!alone) offer(at, at + length, unknown(), rules_.lowest - 10);
            at += length;
        }
        return best;
    }

    int unknown() const {
        if (rules_.unknown) return *rules_.unknown;
        throw Refused(base::ErrorKind::mismatch, "model.unk_id",
                      "is not there, and the text has a character that is no token");
    }

    void add(std::string_view words, std::size_t begin, std::vector<Token>& out) const {
        const std::size_t end = begin + words.size();
        if (const auto id = vocabulary().find(words)) {
            out.push_back({*id, std::string(words), begin, end});
            return;
        }
        if (rules_.byte_fallback) {
            std::vector<Token> bytes;
            for (const char byte : words) {
                const std::string token = token_of_byte(static_cast<unsigned char>(byte));
                if (const auto id = vocabulary().find(token))
                    bytes.push_back({*id, token, begin, end});
            }
            if (bytes.size() == words.size()) {
                out.insert(out.end(), bytes.begin(), bytes.end());
                return;
            }
        }
        out.push_back({unknown(), std::string(words), begin, end});
    }

    UnigramRules rules_;
    Trie trie_;
};

} // namespace

std::shared_ptr<const Model> make_unigram(Vocabulary vocabulary, UnigramRules rules) {
    return std::make_shared<const Unigram>(std::move(vocabulary), std::move(rules));
}

} // namespace heed::tokenizers
