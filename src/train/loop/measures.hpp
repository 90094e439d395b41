// Measures of how good a model's answers are.
#pragma once

#include "num/matrix.hpp"
#include "train/tasks/example.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace heed::train {

using WordRows = std::vector<Index>; // rows of a vocabulary, without ⟨start⟩ and ⟨end⟩
using Aligned = std::vector<int>;    // the source word of each target word; −1: none
using GoldLinks = std::vector<Link>;

/// The share of the targets' places where the prediction has the same word. A place that a
/// prediction lacks is wrong; what it has beyond its target is not looked at. 0 of no places.
double token_accuracy(std::span<const WordRows> predicted, std::span<const WordRows> targets);

/// The share of sentences that are the same, word by word.
double exact_match(std::span<const WordRows> said, std::span<const WordRows> targets);

/// BLEU of a corpus, in [0, 1], with one reference a sentence: the geometric mean of the clipped
/// precisions of 1 to 4 words times the brevity penalty (Papineni et al. 2002, section 2.3). Not
/// smoothed: 0 where no four words in a row are right anywhere.
double bleu(std::span<const WordRows> said, std::span<const WordRows> references);

/// The source word that each target word gives most weight to, the first of equals; weights: target
/// words × source words. −1 for a row without any weight.
Aligned strongest(num::ConstView<float> weights);

/// 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|) of a corpus, S the sure links and P all (Och and Ney 2003,
/// equation 4). A target word that gold links to nothing is not judged. Nothing where there is no
/// gold.
std::optional<double> alignment_error_rate(std::span<const Aligned> aligned,
                                           std::span<const GoldLinks> gold);

/// Sentences whose sources have this many words.
struct LengthAccuracy {
    int length = 0;
    std::size_t sentences = 0, right = 0;
    double accuracy() const { return static_cast<double>(right) / static_cast<double>(sentences); }
    bool operator==(const LengthAccuracy&) const = default;
};
/// Exact matches by length, shortest first; lengths that do not occur are left out.
std::vector<LengthAccuracy> by_length(std::span<const Example> examples,
                                      std::span<const WordRows> said);

/// Answer of a model to one example.
struct Answer {
    WordRows forced; // its best word at each place of the target, told the words before it
    WordRows said;   // what it says freely, up to ⟨end⟩
    Aligned aligned; // where it looks at each word of the target, told the words before it
    int label = -1;  // of a classifier
};

struct Measures {
    double loss = 0; // nats a token, or a label; whoever ran the model sets it
    double token_accuracy = 0, exact_match = 0, bleu = 0;
    std::optional<double> alignment_error_rate;
    std::optional<double> label_accuracy; // where the examples have labels
    std::vector<LengthAccuracy> by_length;
    /// The share of examples that are right as a whole: labels where they have such.
    double accuracy() const { return label_accuracy.value_or(exact_match); }
};

/// Measures of examples and the answer to each. BLEU is of the first `spoken` ones: of those behind
/// them `said` is there only where it is right.
Measures measure(std::span<const Example> examples, std::span<const Answer> answers,
                 std::size_t spoken = std::numeric_limits<std::size_t>::max());

/// Sentences of a few neighbouring lengths together.
struct LengthBin {
    int from = 0, to = 0; // words of a source, both ends included
    std::size_t sentences = 0, right = 0;
    double accuracy() const { return static_cast<double>(right) / static_cast<double>(sentences); }
    bool operator==(const LengthBin&) const = default;
};
/// 3 to 5, 6 to 8, 9 to 11, …, the last one up to the longest; empty bins are left out.
std::vector<LengthBin> in_bins(std::span<const LengthAccuracy> lengths);

} // namespace heed::train
