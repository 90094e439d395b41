#include "train/loop/measures.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heed::train {

namespace {

constexpr std::size_t kLongest = 4; // words in a row, of BLEU

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

template <class A, class B> void check_pairs(const A& ours, const B& theirs) {
    HEED_CHECK(ours.size() == theirs.size(), "{} answers to {} examples", ours.size(),
               theirs.size());
}

/// Counts of each run of n words in a sentence.
std::map<std::vector<Index>, std::size_t> runs_of(const WordRows& sentence, std::size_t n) {
    std::map<std::vector<Index>, std::size_t> runs;
    for (std::size_t i = 0; i + n <= sentence.size(); ++i) {
        const auto begin = sentence.begin() + static_cast<std::ptrdiff_t>(i);
        ++runs[{begin, begin + static_cast<std::ptrdiff_t>(n)}];
    }
    return runs;
}

/// Runs of n words in `said` that the reference has too, each at most as often as there.
std::size_t shared_runs(const WordRows& said, const WordRows& reference, std::size_t n) {
    const auto theirs = runs_of(reference, n);
    std::size_t shared = 0;
    for (const auto& [run, times] : runs_of(said, n)) {
        if (const auto found = theirs.find(run); found != theirs.end()) {
            shared += std::min(times, found->second);
        }
    }
    return shared;
}

} // namespace

double token_accuracy(std::span<const WordRows> predicted, std::span<const WordRows> targets) {
    check_pairs(predicted, targets);
    std::size_t right = 0, places = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        places += targets[i].size();
        const std::size_t both = std::min(predicted[i].size(), targets[i].size());
        for (std::size_t t = 0; t < both; ++t) right += predicted[i][t] == targets[i][t] ? 1 : 0;
    }
    return share(right, places);
}

double exact_match(std::span<const WordRows> said, std::span<const WordRows> targets) {
    check_pairs(said, targets);
    std::size_t right = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) right += said[i] == targets[i] ? 1 : 0;
    return share(right, targets.size());
}

double bleu(std::span<const WordRows> said, std::span<const WordRows> references) {
    check_pairs(said, references);
    std::array<std::size_t, kLongest> shared{}, runs{};
    std::size_t words = 0, reference_words = 0;
    for (std::size_t i = 0; i < said.size(); ++i) {
        words += said[i].size();
        reference_words += references[i].size();
        for (std::size_t n = 1; n <= kLongest; ++n) {
            if (said[i].size() >= n) runs[n - 1] += said[i].size() - n + 1;
            shared[n - 1] += shared_runs(said[i], references[i], n);
        }
    }
    double logarithm = 0;
    for (std::size_t n = 0; n < kLongest; ++n) {
        if (shared[n] == 0) return 0;
        logarithm += std::log(share(shared[n], runs[n])) / static_cast<double>(kLongest);
    }
    const double brevity = words >= reference_words ? 0
                                                    : 1 - static_cast<double>(reference_words) /
                                                              static_cast<double>(words);
    return std::exp(logarithm + brevity);
}

Aligned strongest(num::ConstView<float> weights) {
    Aligned aligned(static_cast<std::size_t>(weights.rows()), -1);
    for (Index t = 0; t < weights.rows(); ++t) {
        float most = 0;
        for (Index s = 0; s < weights.cols(); ++s) {
            if (weights(t, s) <= most) continue;
            most = weights(t, s);
            aligned[static_cast<std::size_t>(t)] = static_cast<int>(s);
        }
    }
    return aligned;
}

std::optional<double> alignment_error_rate(std::span<const Aligned> aligned,
                                           std::span<const GoldLinks> gold) {
    check_pairs(aligned, gold);
    std::size_t drawn = 0, sure = 0, drawn_sure = 0, drawn_possible = 0;
    for (std::size_t i = 0; i < gold.size(); ++i) {
        std::vector<bool> judged(aligned[i].size());
        for (const Link& link : gold[i]) {
            sure += link.sure ? 1 : 0;
            const auto t = static_cast<std::size_t>(link.target);
            if (t >= aligned[i].size() || aligned[i][t] < 0) continue;
            judged[t] = true;
            if (aligned[i][t] != link.source) continue;
            ++drawn_possible;
            drawn_sure += link.sure ? 1 : 0;
        }
        drawn += static_cast<std::size_t>(std::count(judged.begin(), judged.end(), true));
    }
    if (drawn + sure == 0) return std::nullopt;
    return 1 - share(drawn_sure + drawn_possible, drawn + sure);
}

std::vector<LengthAccuracy> by_length(std::span<const Example> examples,
                                      std::span<const WordRows> said) {
    check_pairs(said, examples);
    std::map<int, LengthAccuracy> found;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        const int length = static_cast<int>(examples[i].source.size());
        LengthAccuracy& of_length = found[length];
        of_length.length = length;
        ++of_length.sentences;
        of_length.right += said[i] == examples[i].target ? 1 : 0;
    }
    std::vector<LengthAccuracy> all;
    for (const auto& [length, accuracy] : found) all.push_back(accuracy);
    return all;
}

std::vector<LengthBin> in_bins(std::span<const LengthAccuracy> lengths) {
    constexpr int kLengths = 3;
    std::map<int, LengthBin> bins;
    for (const LengthAccuracy& length : lengths) {
        const int from = length.length - length.length % kLengths;
        LengthBin& bin = bins[from];
        bin.from = std::max(from, 1);
        bin.to = from + kLengths - 1;
        bin.sentences += length.sentences;
        bin.right += length.right;
    }
    std::vector<LengthBin> all;
    for (const auto& [from, bin] : bins) all.push_back(bin);
    if (!all.empty()) { // no sentence is longer, and so no name may say so
        all.back().to = std::ranges::max(lengths, {}, &LengthAccuracy::length).length;
    }
    return all;
}

Measures measure(std::span<const Example> examples, std::span<const Answer> answers,
                 std::size_t spoken) {
    check_pairs(answers, examples);
    std::vector<WordRows> targets, forced, said;
    std::vector<Aligned> aligned;
    std::vector<GoldLinks> gold;
    std::size_t labels = 0, right_labels = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        targets.push_back(examples[i].target);
        gold.push_back(examples[i].gold);
        forced.push_back(answers[i].forced);
        said.push_back(answers[i].said);
        aligned.push_back(answers[i].aligned);
        labels += examples[i].label >= 0 ? 1 : 0;
        right_labels += examples[i].label >= 0 && examples[i].label == answers[i].label ? 1 : 0;
    }
    Measures measures;
    measures.token_accuracy = token_accuracy(forced, targets);
    measures.exact_match = exact_match(said, targets);
    const std::size_t freely = std::min(spoken, said.size());
    measures.bleu = bleu(std::span(said).first(freely), std::span(targets).first(freely));
    const bool aligns =
        std::any_of(aligned.begin(), aligned.end(), [](const Aligned& a) { return !a.empty(); });
    if (aligns) measures.alignment_error_rate = alignment_error_rate(aligned, gold);
    if (labels > 0) measures.label_accuracy = share(right_labels, labels);
    measures.by_length = by_length(examples, said);
    return measures;
}

} // namespace heed::train
