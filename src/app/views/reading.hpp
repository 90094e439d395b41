// A picture of a head in words: where the chosen word looks, what the head does on this sentence,
// and what it is worth. Every number in them is measured.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"

#include <string>

namespace heed::app {

/// Whether a view is one of those that are read.
bool can_be_read(const ViewState& state);
/// "“pas” attends most to “not” (1.00). This head settles on one source word in 10 of 10 rows.
/// Without it the model says “le chat …”." Of the rooms Positions and Softmax, what their pictures
/// come to. Empty where the picture is neither, nor of one head's weights.
/// Requires snapshot.run.
std::string reading(const Snapshot& snapshot, const ViewState& state);

/// Whether what each head is worth is measured without being asked for: a trained model whose heads
/// of this kind are few.
bool tells_worth(const models::Model& model, trace::AttentionKind kind);

} // namespace heed::app
