#include "tokenizers/models/bpe.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/characters.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <queue>
#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

int Model::unknown_id(const std::string& token) const {
    if (const auto id = vocabulary_.find(token)) return *id;
    throw Refused(ErrorKind::mismatch, "model.unk_token",
                  fmt::format("'{}' stands for unknown words and is not in the vocabulary", token));
}

namespace {

/// (left id, right id) → rank and id of what they become. Open addressing.
class MergeTable {
  public:
    struct Found {
        std::uint32_t rank;
        int id;
    };

    explicit MergeTable(std::size_t merges) {
        std::size_t size = 64;
        while (size < 2 * merges) size *= 2;
        slots_.resize(size);
    }

    /// The last one of a pair that comes twice counts, as in the library.
    void set(int left, int right, Found found) {
        const std::uint64_t key = key_of(left, right);
        slots_[slot_of(key)] = {key, found.rank, found.id};
    }

    const Found find(int left, int right) const {
        const Slot& slot = slots_[slot_of(key_of(left, right))];
        return {slot.rank, slot.id};
    }

  private:
    struct Slot {
        std::uint64_t key = 0; // of ids, one more each; 0: free
        std::uint32_t rank = 0;
        int id = -1;
    };

    static std::uint64_t key_of(int left, int right) {
        return static_cast<std::uint64_t>(left + 1) << 32 | static_cast<std::uint64_t>(right + 1);
    }
    std::size_t slot_of(std::uint64_t key) const {
        const std::uint64_t mixed = (key ^ key >> 29) * 0x9E3779B97F4A7C15ULL;
        std::size_t at = (mixed >> 20) & (slots_.size() - 1);
        while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    std::vector<Slot> slots_;
};

struct Symbol {
    int id;
    std::int32_t previous, next; // −1: none
    std::uint32_t length;        // bytes; 0 once it was merged into its left neighbour
};

struct Merge {
    std::uint32_t rank;
    std::int32_t place;
    int id;

    bool operator<(const Merge& other) const { // the queue gives the largest
        return rank != other.rank ? rank > other.rank : place > other.place;
    }
};

class Bpe : public Model {
  public:
    Bpe(Vocabulary vocabulary, MergeTable merges, BpeRules rules)
        : Model(std::move(vocabulary)), merges_(std::move(merges)), rules_(std::move(rules)) {}

    void tokenize(std::string_view word, std::vector<Token>& out, std::size_t&) const override {
        if (word.empty()) return;
        if (rules_.ignore_merges) {
            if (const auto id = vocabulary().find(word)) {
                out.push_back({*id, std::string(word), 0, word.size()});
                return;
            }
        }
        std::vector<Symbol> symbols = first_symbols(word);
        merge(symbols);
        std::size_t at = 0;
        for (const Symbol& symbol : symbols) {
            if (symbol.length == 0) continue;
            out.push_back(token_of(symbol.id, at, at + symbol.length));
            at += symbol.length;
        }
    }

    std::optional<int> unknown_token() const override {
        return rules_.unknown ? vocabulary().find(*rules_.unknown) : std::nullopt;
    }

  private:
    std::vector<Symbol> first_symbols(std::string_view word) const {
        std::vector<Symbol> symbols;
        symbols.reserve(word.size());
        std::size_t unknown = 0; // bytes that wait to be told as unknown
        const auto add = [&](int id, std::size_t length) {
            symbols.push_back({id, -1, -1, static_cast<std::uint32_t>(length)});
        };
        const auto flush = [&] {
            if (unknown > 0) add(unknown_id(*rules_.unknown), unknown);
            unknown = 0;
        };
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t length = base::decode_utf8(word, at).length;
            const bool plain = (at == 0 || rules_.continuing_prefix.empty()) &&
                               (at + length < word.size() || rules_.end_suffix.empty());
            std::string dressed;
            if (!plain) {
                if (at > 0) dressed = rules_.continuing_prefix;
                dressed += word.substr(at, length);
                if (at + length == word.size()) dressed += rules_.end_suffix;
            }
            const std::string_view character = plain ? word.substr(at, length) : dressed;
            at += length;
            if (const auto id = vocabulary().find(character)) {
                flush();
                add(*id, length);
            } else if (!add_bytes(character, add) && rules_.unknown) {
                if (!rules_.fuse_unknown) flush();
                unknown_id(*rules_.unknown);
                unknown += length;
            }
        }
        flush();
        return symbols;
    }

    template <class Add> bool add_bytes(std::string_view character, const Add& add) const {
        if (!rules_.byte_fallback) return false;
        std::vector<int> ids;
        for (const char byte : character) {
            const auto id = vocabulary().find(token_of_byte(static_cast<unsigned char>(byte)));
            if (!id) return false;
            ids.push_back(*id);
        }
        for (const int id : ids) add(id, 1);
        return true;
    }

    void merge(std::vector<Symbol>& symbols) const {
        const auto n = static_cast<std::int32_t>(symbols.size());
        std::vector<Merge> first;
        const auto at = [&](std::int32_t place) -> Symbol& {
            return symbols[static_cast<std::size_t>(place)];
        };
        for (std::int32_t i = 0; i < n; ++i) {
            at(i).previous = i - 1;
            at(i).next = i + 1 < n ? i + 1 : -1;
            if (i + 1 == n) break;
            const auto found = merges_.find(at(i).id, at(i + 1).id);
            if (found.id >= 0) first.push_back({found.rank, i, found.id});
        }
        std::priority_queue<Merge> queue(std::less<Merge>(), std::move(first));
        const auto offer = [&](std::int32_t left) {
            const auto found = merges_.find(at(left).id, at(at(left).next).id);
            if (found.id >= 0) queue.push({found.rank, left, found.id});
        };
        while (!queue.empty()) {
            const Merge top = queue.top();
            queue.pop();
            Symbol& left = at(top.place);
            if (left.length == 0 || left.next < 0) continue;
            Symbol& right = at(left.next);
            if (merges_.find(left.id, right.id).id != top.id) continue; // expired
            left.id = top.id;
            left.length += right.length;
            left.next = right.next;
            right.length = 0;
            if (left.next >= 0) at(left.next).previous = top.place;
            if (left.previous >= 0) offer(left.previous);
            if (left.next >= 0) offer(top.place);
        }
    }

    MergeTable merges_;
    BpeRules rules_;
};

} // namespace

std::shared_ptr<const Model> make_bpe(Vocabulary vocabulary, std::span<const MergeLine> merges,
                                      BpeRules rules) {
    MergeTable table(merges.size());
    const std::size_t prefix = rules.continuing_prefix.size();
    std::string both;
    std::uint32_t rank = 0;
    for (const MergeLine& merge : merges) {
        const auto id_of = [&](std::string_view token) {
            if (const auto id = vocabulary.find(token)) return *id;
            throw Refused(ErrorKind::mismatch, fmt::format("model.merges[{}]", rank),
                          fmt::format("'{}' is not in the vocabulary", token));
        };
        const int left = id_of(merge.left), right = id_of(merge.right);
        if (merge.right.size() < prefix) {
            throw Refused(
                ErrorKind::mismatch, fmt::format("model.merges[{}]", rank),
                fmt::format("'{}' lacks the prefix '{}'", merge.right, rules.continuing_prefix));
        }
        both.assign(merge.left).append(merge.right.substr(prefix));
        table.set(left, right, {rank, id_of(both)});
        ++rank;
    }
    return std::make_shared<const Bpe>(std::move(vocabulary), std::move(table), std::move(rules));
}

} // namespace heed::tokenizers
