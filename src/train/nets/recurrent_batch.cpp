#include "train/nets/recurrent_batch.hpp"

#include "base/check.hpp"
#include "text/vocabulary.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heed::train {

namespace {

/// ParameterLayout of sentences, the longest first; of equals the first.
template <class Length> std::vector<Index> longest_first(std::size_t count, Length&& length) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return length(a) > length(b); });
    return order;
}

} // namespace

void RecurrentBatch::read(std::span<const Example* const> examples) {
    const auto source_of = [&](Index i) -> const std::vector<Index>& {
        return examples[static_cast<std::size_t>(i)]->source;
    };
    const auto target_of = [&](Index i) -> const std::vector<Index>& {
        return examples[static_cast<std::size_t>(i)]->target;
    };
    const auto by_source =
        longest_first(examples.size(), [&](Index i) { return source_of(i).size(); });
    const auto by_target =
        longest_first(examples.size(), [&](Index i) { return target_of(i).size(); });
    std::vector<Index> source_lengths, target_lengths, place(examples.size());
    for (std::size_t i = 0; i < by_source.size(); ++i) {
        HEED_CHECK(!source_of(by_source[i]).empty(), "a sentence of {} words", 0);
        source_lengths.push_back(std::ssize(source_of(by_source[i])));
        place[static_cast<std::size_t>(by_source[i])] = static_cast<Index>(i);
    }
    source_order = by_source;
    source_place.clear();
    segments = {};
    for (const Index i : by_target) {
        target_lengths.push_back(std::ssize(target_of(i)) + 1);
        source_place.push_back(place[static_cast<std::size_t>(i)]);
        segments.add(std::ssize(source_of(i)));
    }
    source_time = nn::TimeMajor(std::move(source_lengths));
    target_time = nn::TimeMajor(std::move(target_lengths));
    source.resize(static_cast<std::size_t>(source_time.rows()));
    target.resize(static_cast<std::size_t>(target_time.rows()));
    labels.resize(target.size());
    for (Index t = 0; t < source_time.steps(); ++t) {
        for (Index s = 0; s < source_time.size(t); ++s) {
            source[static_cast<std::size_t>(source_time.row(s, t))] =
                source_of(by_source[static_cast<std::size_t>(s)])[static_cast<std::size_t>(t)];
        }
    }
    for (Index t = 0; t < target_time.steps(); ++t) {
        for (Index s = 0; s < target_time.size(t); ++s) {
            const auto& words = target_of(by_target[static_cast<std::size_t>(s)]);
            const auto at = static_cast<std::size_t>(target_time.row(s, t));
            const auto step = static_cast<std::size_t>(t);
            target[at] = step == 0 ? static_cast<Index>(text::Vocabulary::kStart) : words[step - 1];
            labels[at] =
                step < words.size() ? words[step] : static_cast<Index>(text::Vocabulary::kEnd);
        }
    }
}

std::vector<Index> RecurrentBatch::labels_at_each(std::span<const Example* const> examples) const {
    std::vector<Index> words(source.size());
    for (Index s = 0; s < std::ssize(source_order); ++s) {
        const Example& e =
            *examples[static_cast<std::size_t>(source_order[static_cast<std::size_t>(s)])];
        HEED_CHECK(e.source.size() == e.target.size(), "{} words to say at {} of a source",
                   e.target.size(), e.source.size());
        for (Index t = 0; t < std::ssize(e.target); ++t) {
            words[static_cast<std::size_t>(source_time.row(s, t))] =
                e.target[static_cast<std::size_t>(t)];
        }
    }
    return words;
}

} // namespace heed::train
