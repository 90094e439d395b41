// The view of a model of pictures: what a patch attends to, upon the picture.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/frame.hpp"
#include "files/tables.hpp"

#include <string>

namespace heed::app {

/// Patches of a run's picture, and the tokens before them.
struct PatchGrid {
    int leading = 0, rows = 0, cols = 0;
};
/// Nothing where the model reads no pictures.
std::optional<PatchGrid> patch_grid(const models::Model& model);

// Each requires snapshot.run, of a model that reads pictures.
/// Figure of the query that the pointer is at, else of the chosen one, else of the first token.
figure::Figure picture_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame, const Hovered& hovered = {});
/// The weights of the patches, of the leading tokens, and the classes.
/// The patch that gets most of the query, and how much the strongest tenth of all get. Requires
/// snapshot.run.
std::string picture_reading(const Snapshot& snapshot, const ViewState& state);
files::Tables picture_tables(const Snapshot& snapshot, const ViewState& state);
std::string picture_provenance(const Snapshot& snapshot);

/// Pictures of `side` pixels with what every head of the focused kind gives to the patches upon
/// them; layers × heads. Empty where there is no picture.
std::vector<std::shared_ptr<const figure::Pixels>>
picture_thumbnails(const Snapshot& snapshot, const ViewState& state, int side);

} // namespace heed::app
