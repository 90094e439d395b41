// A picture in words: where the chosen word looks, what the head does on this sentence, and what it
// is worth. Every number in them is measured.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"

#include <string>
#include <vector>

namespace heed::app {

/// True of a view that is read.
bool can_be_read(const ViewState& state);
/// Reading by the view's row; empty where there is nothing to say. Requires snapshot.run.
std::string reading(const Snapshot& snapshot, const ViewState& state);

// The rows, but for those of rooms.hpp.
/// "“pas” attends most to “not” (0.997). Without this head: “le chat …”. This head puts > 60 % on
/// one source word in 10 of 10 rows." Of a mean of
/// heads the first sentence alone. Empty of stages that are no weights, and of overlaid heads.
std::string map_reading(const Snapshot& snapshot, const ViewState& state);
/// Reading of a map that is held against another: the weight that differs most and, of their
/// difference, the chosen one. Empty where none does, or the two are not of one shape.
std::string compared_reading(const Snapshot& snapshot, const ViewState& state);
/// The head that the output hangs on most, and least; before that is measured, the sharpest one.
std::string heads_reading(const Snapshot& snapshot, const ViewState& state);
std::string neurons_reading(const Snapshot& snapshot, const ViewState& state);
/// Reading of what each stage makes of the chosen cell, or of its row's largest weight.
std::string stages_reading(const Snapshot& snapshot, const ViewState& state);
std::string flow_reading(const Snapshot& snapshot, const ViewState& state);
std::string step_reading(const Snapshot& snapshot, const ViewState& state);
std::string beam_reading(const Snapshot& snapshot, const ViewState& state);

/// " Summed by word, most goes to “unbelievable” (0.802).": of one query's weights of all keys, in
/// a picture of tokens. Nothing where words are not joined.
std::string summed_by_word(const Snapshot& snapshot, trace::AttentionKind kind,
                           const std::vector<float>& weights);

/// The number of words that a row of weights is spread over about evenly, each within a fifth of
/// the mean; 0 where it is not, or there is but one. A weight of 0 is of a word that is masked.
num::Index evenly_over(const num::RowVector<float>& row);

} // namespace heed::app
