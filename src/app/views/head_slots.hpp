// Heads that are kept, to be held side by side as large maps.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/views/plots.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace heed::app {

/// Keeps a head, or lets it go where it is kept already. False where kMostSlots are.
bool toggle_slot(std::vector<trace::HeadId>& slots, const trace::HeadId& head);
/// Marks of the heads of a grid that are kept: layers × heads.
std::vector<bool> kept_heads(const std::vector<trace::HeadId>& slots, trace::AttentionKind kind,
                             int layers, int heads);

/// Marks in a grid's maps, which may be of blocks of tokens, the cell and the filter of the view.
/// Requires snapshot.run.
void mark_maps(figure::HeadGrid& grid, const Snapshot& snapshot, const ViewState& state);

/// The snapshot's slots as maps above the grid of all heads. Requires snapshot.run and slots.
/// Targets: of each slot its place (slot), its cells and labels (part: which slot); those of the
/// grid.
figure::Figure slots_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::HeadGrid& grid, const figure::Frame& frame);

/// The one head that there is, with the names of its tokens, picked as one. Requires snapshot.run.
figure::Figure one_head_figure(const Snapshot& snapshot, const ViewState& state,
                               const std::string& title, const figure::Frame& frame);

} // namespace heed::app
