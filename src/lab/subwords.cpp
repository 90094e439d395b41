#include "lab/subwords.hpp"

#include "base/utf8.hpp"
#include "text/token.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

namespace heed::lab {

namespace {

using Symbols = std::vector<std::string>;

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

std::string join_of(Subwords kind, const std::string& left, const std::string& right) {
    return left +
           (kind == Subwords::wordpiece ? right.substr(std::string(kContinues).size()) : right);
}

/// Symbols as numbers, each by its text.
struct SymbolTable {
    std::vector<std::string> names;
    std::unordered_map<std::string, std::uint32_t> numbers;

    std::uint32_t number_of(const std::string& name) {
        const auto [at, is_new] =
            numbers.try_emplace(name, static_cast<std::uint32_t>(names.size()));
        if (is_new) names.push_back(name);
        return at->second;
    }
};

struct CountedWord {
    std::vector<std::uint32_t> symbols;
    std::size_t count = 0;
};

std::vector<CountedWord> counted_words(Subwords kind, std::string_view text, SymbolTable& table) {
    std::vector<CountedWord> result;
    for (const WordCount& counted : count_words(text)) {
        result.push_back({{}, counted.count});
        for (const std::string& letter : letters_of(kind, counted.word)) {
            result.back().symbols.push_back(table.number_of(letter));
        }
    }
    return result;
}

template <class Symbol>
void join_pair(std::vector<Symbol>& symbols, const Symbol& left, const Symbol& right,
               const Symbol& joined) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < symbols.size(); ++i, ++kept) {
        const bool here = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
        if (here) {
            symbols[kept] = joined;
            ++i;
        } else if (kept != i) {
            symbols[kept] = std::move(symbols[i]);
        }
    }
    symbols.resize(kept);
}

struct CountedPair {
    std::uint32_t left = 0, right = 0;
    std::uint64_t count = 0;
    double score = 0;
};

/// Counts pairs of neighbours. What is typed is learned from anew at every letter, so that this
/// has to be quick: one table for all merges, whose slots are empty when they are of a round
/// before.
class PairCounts {
  public:
    explicit PairCounts(const std::vector<CountedWord>& words) {
        std::size_t symbols = 0;
        for (const CountedWord& word : words) symbols += word.symbols.size();
        slots_.resize(std::bit_ceil(2 * symbols + 2));
    }

    /// All of them, in the order in which they first stand in the text.
    const std::vector<CountedPair>& count(const std::vector<CountedWord>& words) {
        pairs_.clear();
        ++round_;
        for (const CountedWord& word : words) {
            for (std::size_t i = 0; i + 1 < word.symbols.size(); ++i) {
                pair_of(word.symbols[i], word.symbols[i + 1]).count += word.count;
            }
        }
        return pairs_;
    }

  private:
    struct Slot {
        std::uint32_t round = 0, pair = 0;
    };

    CountedPair& pair_of(std::uint32_t left, std::uint32_t right) {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u; // 2^64 over the golden ratio
        const std::uint64_t key = (static_cast<std::uint64_t>(left) << 32) | right;
        const std::size_t last = slots_.size() - 1;
        for (std::size_t at = (key * kOdd) >> 32;; ++at) {
            Slot& slot = slots_[at & last];
            if (slot.round != round_) {
                slot = {round_, static_cast<std::uint32_t>(pairs_.size())};
                pairs_.push_back({left, right});
                return pairs_.back();
            }
            CountedPair& known = pairs_[slot.pair];
            if (known.left == left && known.right == right) return known;
        }
    }

    std::vector<Slot> slots_;
    std::vector<CountedPair> pairs_;
    std::uint32_t round_ = 0;
};

/// The best pair, the first in the text of equal ones; a count of 0 where there is none.
CountedPair best_pair(Subwords kind, const std::vector<CountedWord>& words, std::size_t symbols,
                      PairCounts& pairs) {
    std::vector<double> singles(symbols);
    double all = 0;
    for (const CountedWord& word : words) {
        const auto count = static_cast<double>(word.count);
        for (const std::uint32_t symbol : word.symbols) singles[symbol] += count;
        all += count * static_cast<double>(word.symbols.size());
    }
    CountedPair best;
    for (CountedPair pair : pairs.count(words)) {
        const auto count = static_cast<double>(pair.count);
        pair.score = kind == Subwords::bpe
                         ? count
                         : likelihood_gain(count, singles[pair.left], singles[pair.right], all,
                                           pair.left == pair.right);
        // Gains that are equal by the formula differ in their last digits.
        constexpr double kEqual = 1e-9;
        if (best.count == 0 || pair.score > best.score + kEqual) best = pair;
    }
    return best;
}

} // namespace

std::vector<std::string> text_words(std::string_view text) {
    std::vector<std::string> words;
    for (text::Token& token : text::tokenize(text, text::Segmentation::words, text.size())) {
        words.push_back(std::move(token.text));
    }
    return words;
}

std::vector<WordCount> count_words(std::string_view text) {
    std::vector<WordCount> counted;
    std::unordered_map<std::string, std::size_t> places;
    for (const std::string& word : text_words(text)) {
        const auto [place, is_new] = places.try_emplace(word, counted.size());
        if (is_new) counted.push_back({word});
        ++counted[place->second].count;
    }
    return counted;
}

std::string_view beginning_of(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    // A byte that begins with the bits 10 belongs to the letter before it.
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0u) == 0x80u) --bytes;
    return text.substr(0, bytes);
}

double likelihood_gain(double count, double left, double right, double all, bool same) {
    const auto f = [](double x) { return x > 0 ? x * std::log(x) : 0.0; };
    const double parts = same ? f(left - 2 * count) - f(left)
                              : f(left - count) - f(left) + f(right - count) - f(right);
    return f(count) + parts - (f(all - count) - f(all));
}

Learned learn_subwords(Subwords kind, std::string_view text, std::size_t merges) {
    SymbolTable table;
    std::vector<CountedWord> words = counted_words(kind, text, table);
    Learned learned;
    const auto tokens = [&] {
        std::size_t sum = 0;
        for (const CountedWord& word : words) sum += word.count * word.symbols.size();
        return sum;
    };
    learned.alphabet = table.names;
    std::sort(learned.alphabet.begin(), learned.alphabet.end());
    learned.letters = tokens();
    PairCounts pairs(words);
    while (learned.merges.size() < merges) {
        const CountedPair best = best_pair(kind, words, table.names.size(), pairs);
        if (best.count == 0) break;
        const std::string left = table.names[best.left], right = table.names[best.right];
        const std::string name = join_of(kind, left, right);
        const std::uint32_t joined = table.number_of(name);
        for (CountedWord& word : words) join_pair(word.symbols, best.left, best.right, joined);
        learned.merges.push_back({left, right, name, static_cast<std::size_t>(best.count),
                                  best.score, tokens(), table.names.size()});
    }
    return learned;
}

namespace {

Symbols longest_first(const Learned& learned, std::size_t merges, std::string_view word) {
    std::set<std::string> known(learned.alphabet.begin(), learned.alphabet.end());
    for (std::size_t i = 0; i < std::min(merges, learned.merges.size()); ++i) {
        known.insert(learned.merges[i].joined);
    }
    std::set<std::size_t, std::greater<>> lengths; // that a piece can have, the longest first
    for (const std::string& piece : known) {
        const bool continues = piece.starts_with(kContinues);
        lengths.insert(piece.size() - (continues ? std::string_view(kContinues).size() : 0));
        lengths.insert(piece.size()); // a word may begin with the mark's own letters
    }
    Symbols result;
    for (std::size_t begin = 0; begin < word.size();) {
        std::string piece;
        const auto found = std::ranges::find_if(lengths, [&](std::size_t length) {
            if (length == 0 || length > word.size() - begin) return false;
            piece = (begin > 0 ? kContinues : "") + std::string(word.substr(begin, length));
            return known.contains(piece);
        });
        if (found == lengths.end()) return {"[UNK]"};
        result.push_back(piece);
        begin += *found;
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
        join_pair(symbols, merge.left, merge.right, merge.joined);
    }
    return symbols;
}

} // namespace heed::lab
