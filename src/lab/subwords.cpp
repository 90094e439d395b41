#include "lab/subwords.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace heed::lab {

namespace {

using Symbols = std::vector<std::string>;
using Pair = std::pair<std::string, std::string>;

constexpr const char* kWordEnd = "·";
constexpr const char* kContinues = "##";

/// A word's code points as symbols with the kind's marks.
Symbols letters_of(Subwords kind, std::string_view word) {
    Symbols letters;
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t length = base::decode_utf8(word, at).length;
        std::string letter(word.substr(at, length));
        if (kind == Subwords::wordpiece && at > 0) letter.insert(0, kContinues);
        letters.push_back(std::move(letter));
        at += length;
    }
    if (kind == Subwords::bpe) letters.emplace_back(kWordEnd);
    return letters;
}

std::string join_of(Subwords kind, const Pair& pair) {
    const std::string& right = pair.second;
    return pair.first +
           (kind == Subwords::wordpiece ? right.substr(std::string(kContinues).size()) : right);
}

struct CountedWord {
    Symbols symbols;
    std::size_t count = 0;
};

std::vector<CountedWord> counted_words(Subwords kind, std::string_view text) {
    std::map<std::string, std::size_t> places;
    std::vector<CountedWord> result;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        const auto [place, is_new] = places.try_emplace(word, result.size());
        if (is_new) result.push_back({letters_of(kind, word)});
        ++result[place->second].count;
    }
    return result;
}

void join_pair(Symbols& symbols, const Pair& pair, const std::string& joined) {
    Symbols result;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const bool here =
            i + 1 < symbols.size() && symbols[i] == pair.first && symbols[i + 1] == pair.second;
        result.push_back(here ? joined : symbols[i]);
        if (here) ++i;
    }
    symbols = std::move(result);
}

struct Chosen {
    Pair pair;
    std::size_t count = 0;
    double score = 0;
};

/// The best pair, the first in the text of equal ones; a count of 0 where there is none.
Chosen best_pair(Subwords kind, const std::vector<CountedWord>& words) {
    std::map<Pair, std::size_t> pairs;
    std::vector<Pair> in_order;
    std::map<std::string, std::size_t> singles;
    for (const CountedWord& word : words) {
        for (std::size_t i = 0; i < word.symbols.size(); ++i) {
            singles[word.symbols[i]] += word.count;
            if (i + 1 < word.symbols.size()) {
                const auto [at, is_new] =
                    pairs.try_emplace({word.symbols[i], word.symbols[i + 1]}, 0);
                if (is_new) in_order.push_back(at->first);
                at->second += word.count;
            }
        }
    }
    Chosen best;
    std::uint64_t best_parts = 1; // what the count is divided by: fractions are compared exactly
    for (const Pair& pair : in_order) {
        const std::uint64_t count = pairs[pair];
        const std::uint64_t parts =
            kind == Subwords::bpe
                ? 1
                : static_cast<std::uint64_t>(singles[pair.first]) * singles[pair.second];
        if (best.count > 0 && count * best_parts <= best.count * parts) continue;
        best = {pair, count, static_cast<double>(count) / static_cast<double>(parts)};
        best_parts = parts;
    }
    return best;
}

} // namespace

Learned learn_subwords(Subwords kind, std::string_view text, std::size_t merges) {
    std::vector<CountedWord> words = counted_words(kind, text);
    std::set<std::string> vocabulary;
    Learned learned;
    const auto tokens = [&] {
        std::size_t sum = 0;
        for (const CountedWord& word : words) sum += word.count * word.symbols.size();
        return sum;
    };
    for (const CountedWord& word : words) {
        vocabulary.insert(word.symbols.begin(), word.symbols.end());
    }
    learned.alphabet.assign(vocabulary.begin(), vocabulary.end());
    learned.letters = tokens();
    while (learned.merges.size() < merges) {
        const Chosen best = best_pair(kind, words);
        if (best.count == 0) break;
        const std::string joined = join_of(kind, best.pair);
        for (CountedWord& word : words) join_pair(word.symbols, best.pair, joined);
        vocabulary.insert(joined);
        learned.merges.push_back({best.pair.first, best.pair.second, joined, best.count, best.score,
                                  tokens(), vocabulary.size()});
    }
    return learned;
}

namespace {

Symbols longest_first(const Learned& learned, std::size_t merges, std::string_view word) {
    std::set<std::string> known(learned.alphabet.begin(), learned.alphabet.end());
    for (std::size_t i = 0; i < std::min(merges, learned.merges.size()); ++i) {
        known.insert(learned.merges[i].joined);
    }
    Symbols result;
    for (std::size_t begin = 0; begin < word.size();) {
        std::size_t end = word.size();
        std::string piece;
        for (; end > begin; --end) {
            piece = (begin > 0 ? kContinues : "") + std::string(word.substr(begin, end - begin));
            if (known.contains(piece)) break;
        }
        if (end == begin) return {"[UNK]"};
        result.push_back(piece);
        begin = end;
    }
    return result;
}

} // namespace

std::vector<std::string> segment(Subwords kind, const Learned& learned, std::size_t merges,
                                 std::string_view word) {
    if (kind == Subwords::wordpiece) return longest_first(learned, merges, word);
    Symbols symbols = letters_of(kind, word);
    for (std::size_t i = 0; i < std::min(merges, learned.merges.size()); ++i) {
        const Merge& merge = learned.merges[i];
        join_pair(symbols, {merge.left, merge.right}, merge.joined);
    }
    return symbols;
}

} // namespace heed::lab
