// Pairs of a data file or a task, before a vocabulary has turned words into rows.
#pragma once

#include "text/vocabulary.hpp"
#include "train/tasks/example.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heed::train {

/// A sentence and what is to be said of it: another sentence, a label, or both.
struct Pair {
    std::vector<std::string> source, target;
    std::vector<Link> gold; // empty where nobody has aligned the pair
    int label = -1;
    bool operator==(const Pair&) const = default;
};

/// Words joined by spaces.
std::string joined(const std::vector<std::string>& words);
/// Words as a person writes them: no space before a comma or a full stop, and none between words of
/// scripts that set none, as Chinese.
std::string as_text(const std::vector<std::string>& words);

/// True of a source of the held-out sets, by its hash alone: no seed, size or order of a data set
/// ever puts a sentence on both sides. One source of eight does.
bool is_held_out(const std::vector<std::string>& source);

enum class Side { source, target, both };

/// The most frequent words of these pairs, at most `max_words`; of equally frequent ones the first
/// by its bytes. All others share `others` rows.
text::Vocabulary vocabulary_of(std::span<const Pair> pairs, Side side, std::size_t max_words,
                               std::size_t others = 1);

Example encode(const Pair& pair, const text::Vocabulary& source, const text::Vocabulary& target);
std::vector<Example> encode(std::span<const Pair> pairs, const text::Vocabulary& source,
                            const text::Vocabulary& target);

} // namespace heed::train
