// Examples as a recurrent model reads them: both sides word after word, the longest sentence first,
// and so in two orders.
#pragma once

#include "nn/attention/segments.hpp"
#include "nn/layers/recurrent_batch.hpp"
#include "train/tasks/example.hpp"

#include <span>
#include <vector>

namespace heed::train {

struct RecurrentBatch {
    nn::TimeMajor source_time, target_time;
    std::vector<Index> source_place; // of the target's sentences among the source's
    nn::Segments segments;           // of the sources, in the order of the targets
    std::vector<Index> source_order; // of the examples: which sentence of the sources each is
    /// Words of the sources; what the decoder reads, which begins with ⟨start⟩; and what it is to
    /// say, which ends with ⟨end⟩.
    std::vector<Index> source, target, labels;

    /// ContractError for a sentence without words.
    void read(std::span<const Example* const> examples);

    /// A word of the target at each of the source's, in the order of `source`. ContractError where
    /// they are not equally many.
    std::vector<Index> labels_at_each(std::span<const Example* const> examples) const;
    /// The first word of each target, in the order of the targets; ⟨end⟩ where it has none.
    std::span<const Index> first_labels() const {
        return {labels.data(), static_cast<std::size_t>(segments.count())};
    }

    /// Calls work(row of the batch's states, row of the segments) for every word of the sources.
    template <class Work> void for_source_words(Work&& work) const {
        for (Index s = 0; s < segments.count(); ++s) {
            const Index place = source_place[static_cast<std::size_t>(s)];
            for (Index t = 0; t < segments.size(s); ++t) {
                work(source_time.row(place, t), segments.begin(s) + t);
            }
        }
    }
    /// The row of the states where a direction has read all of a sentence.
    Index end_of(Index sentence, Index direction) const {
        const Index place = source_place[static_cast<std::size_t>(sentence)];
        return source_time.row(place, direction == 0 ? segments.size(sentence) - 1 : 0);
    }
};

} // namespace heed::train
