// The views of a decoder's steps: one step with all its parts, of a transformer in the focused head,
// the whole of a recurrent model unrolled, the beam that was searched.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/base/frame.hpp"
#include "files/tables.hpp"

namespace heed::app {

/// The step that is looked at: the row of the chosen cell, else the first that is not hidden.
int step_shown(const Snapshot& snapshot, const ViewState& state);
/// The row of a beam's first step: a decoder alone has those of its text before it.
int first_searched_row(const trace::Trace& trace);

/// Words for what a decoder that does not attend reads instead, "context: mean of the states"; of
/// the last state of two directions, which words they end at. Empty where it attends.
std::string context_words(const models::Run& run);
/// The place of the last token of the source that is no padding.
num::Index last_read(const models::Run& run);
/// Meaning of that context, "the mean of all states": a sentence's end. Empty where it attends.
std::string context_meaning(const models::Run& run);

// Each requires snapshot.run; what is not there is said to be missing.
figure::Figure step_figure(const Snapshot& snapshot, const ViewState& state,
                           const figure::Frame& frame);
figure::Figure unrolled_figure(const Snapshot& snapshot, const ViewState& state,
                               const figure::Frame& frame);
figure::Figure beam_figure(const Snapshot& snapshot, const ViewState& state,
                           const figure::Frame& frame);

// The same as numbers; none where nothing is there.
files::Tables step_tables(const Snapshot& snapshot, const ViewState& state);
files::Tables unrolled_tables(const Snapshot& snapshot, const ViewState& state);
files::Tables beam_tables(const Snapshot& snapshot, const ViewState& state);

} // namespace heed::app
