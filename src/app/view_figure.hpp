// From a snapshot and a view state to a figure.
#pragma once

#include "app/engine.hpp"
#include "app/view_state.hpp"
#include "figure/figure.hpp"
#include "figure/plots.hpp"

#include <optional>
#include <utility>

namespace heed::app {

/// Whether a model of this kind has something to show in a view.
bool fits(View view, const models::Config& config);
/// The view itself, or what stands for it where it does not fit.
View fitting(View view, const models::Config& config);

/// How a state wants a map: palette, range, scale, numbers, the part that is looked at.
figure::HeatmapOptions map_options(const figure::MapData& data, const ViewState& state);
/// The query and key that are pointed out, for the map, its links and the formula alike: none where
/// the focused head's map, whose sentence may have become shorter, does not have them.
std::optional<std::pair<int, int>> selected_cell(const Snapshot& snapshot, const ViewState& state);
/// The same as a picture between words counts it, where `merged`.
std::optional<std::pair<int, int>> shown_cell(const Snapshot& snapshot, const ViewState& state,
                                              bool merged);
/// Where a picture goes, beyond its size: the window draws controls of its own beside the title,
/// or leaves the title out where another picture above has it.
struct Place {
    float width = 0, height = 0; // points; 0 is the figure's own
    float beside_title = 0;      // points at the right of the title's line to be left free
    bool titled = true;
};

/// The row or column of a picture of links that the pointer is at, if it is at one alone: its links
/// step forward.
struct Hovered {
    std::optional<int> query{}, key{};
    bool operator==(const Hovered&) const = default;
};

/// What links are drawn of a state: tokens that are pinned are rows and columns of the picture
/// here, words where it merges. Requires snapshot.run.
figure::LinksOptions links_options(const Snapshot& snapshot, const ViewState& state,
                                   const Hovered& hovered = {});

/// The one road from state to picture, for the window and for `heed export` alike.
/// Requires snapshot.run. A size of 0 is the figure's own.
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, float width,
                           float height);
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, const Place& place,
                           const Hovered& hovered = {});

} // namespace heed::app
