#include "train/tasks/pair.hpp"

#include "base/hash.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace heed::train {

namespace {

std::vector<Index> rows_of(const std::vector<std::string>& words,
                           const text::Vocabulary& vocabulary) {
    std::vector<Index> rows;
    rows.reserve(words.size());
    for (const std::string& word : words) {
        rows.push_back(static_cast<Index>(vocabulary.row(word)));
    }
    return rows;
}

} // namespace

std::string joined(const std::vector<std::string>& words) {
    std::string sentence;
    for (const std::string& word : words) {
        if (!sentence.empty()) sentence += ' ';
        sentence += word;
    }
    return sentence;
}

std::string as_text(const std::vector<std::string>& words) {
    std::string sentence;
    bool spaced = true; // behind the word before
    for (const std::string& word : words) {
        if (word.empty()) continue;
        const bool spaces = base::sets_spaces(base::decode_utf8(word, 0).code_point);
        const bool mark = word == "," || word == ".";
        if (!sentence.empty() && !mark && (spaces || spaced)) sentence += ' ';
        sentence += word;
        std::size_t last = word.size() - 1;
        while (last > 0 && base::continues_character(word[last])) --last;
        spaced = base::sets_spaces(base::decode_utf8(word, last).code_point);
    }
    return sentence;
}

bool is_held_out(const std::vector<std::string>& source) {
    return base::mix(base::hash_bytes(joined(source))) % 8 == 0;
}

text::Vocabulary vocabulary_of(std::span<const Pair> pairs, Side side, std::size_t max_words,
                               std::size_t others) {
    std::map<std::string_view, std::size_t> counts; // ordered: what is stable then stays by bytes
    for (const Pair& pair : pairs) {
        if (side != Side::target) {
            for (const std::string& word : pair.source) ++counts[word];
        }
        if (side != Side::source) {
            for (const std::string& word : pair.target) ++counts[word];
        }
    }
    std::vector<std::pair<std::string_view, std::size_t>> words(counts.begin(), counts.end());
    std::stable_sort(words.begin(), words.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    words.resize(std::min(words.size(), max_words));
    std::vector<std::string> kept;
    kept.reserve(words.size());
    for (const auto& [word, count] : words) kept.emplace_back(word);
    return {std::move(kept), others};
}

Example encode(const Pair& pair, const text::Vocabulary& source, const text::Vocabulary& target) {
    return {rows_of(pair.source, source), rows_of(pair.target, target), pair.gold, pair.label};
}

std::vector<Example> encode(std::span<const Pair> pairs, const text::Vocabulary& source,
                            const text::Vocabulary& target) {
    std::vector<Example> examples;
    examples.reserve(pairs.size());
    for (const Pair& pair : pairs) examples.push_back(encode(pair, source, target));
    return examples;
}

} // namespace heed::train
