// The stage: the large picture of a room, where it goes, and what it is.
#pragma once

#include "app/views/view_figure.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

/// An act of the pointer upon a target of a picture.
struct Pointing;

void map_panel(Panel& panel, const Box& box);
/// True where the tabs of Explore's views lie upon the stage.
bool has_tabs(const WindowState& state);
/// The tabs of Explore's views, below `top`.
void view_tabs(Panel& panel, const Box& box, float top);

/// Place of the large picture in a box of this size: beside its title lie the view tabs, or the
/// words that tell how one stops presenting.
app::Place main_place(float width, float height, const WindowState& state);
/// The large picture; a map that is presented alone stands in the middle.
figure::Figure main_figure(const app::Snapshot& snapshot, const app::ViewState& view,
                           const app::Place& place, bool presents);

bool point_at_map(Panel& panel, const Pointing& pointing);
bool point_at_heads(Panel& panel, const Pointing& pointing); // those that are kept

} // namespace heed::ui
