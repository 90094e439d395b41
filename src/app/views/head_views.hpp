// The views of many heads, of one head's stages, of one query's neurons, and of what flows through
// all layers.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/views/plots.hpp"
#include "files/tables.hpp"

#include <string>
#include <vector>

namespace heed::app {

/// Notes what a grid of the focused kind has beside its maps: strips, and which heads fade, are
/// silent or show something wrong. Requires its layers and heads.
void note_heads(figure::HeadGrid& grid, const Snapshot& snapshot, const ViewState& state);

// Each requires snapshot.run; what the focus did not ask for is said to be missing.
figure::Figure heads_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::Frame& frame);
/// The places (layer · heads + head) of the focused kind's heads, as that view draws them.
std::vector<int> heads_in_order(const Snapshot& snapshot, HeadOrder order);
figure::Figure neurons_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame);
figure::Figure flow_figure(const Snapshot& snapshot, const ViewState& state,
                           const figure::Frame& frame);
/// Every stage as a thumbnail.
figure::Figure stages_figure(const Snapshot& snapshot, const ViewState& state,
                             const figure::Frame& frame);

// The same as numbers.
/// Heads that are kept, whole; then the grid as it is drawn, a thumbnail a head; then what the
/// heads are sorted by.
files::Tables heads_tables(const Snapshot& snapshot, const ViewState& state);
files::Tables neurons_tables(const Snapshot& snapshot, const ViewState& state);
/// None where there is no flow.
files::Tables flow_tables(const Snapshot& snapshot, const ViewState& state);
/// "encoder.2.1": layer and head from 1.
std::string head_name(const trace::HeadId& head);

} // namespace heed::app
