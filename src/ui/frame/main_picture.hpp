// The large picture of a room: where it goes, and what it is.
#pragma once

#include "app/views/view_figure.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Where the large picture goes in a box of this size: beside its title lie the view tabs, or the
/// words that tell how one stops presenting.
app::Place main_place(float width, float height, const WindowState& state);
/// The large picture; a map that is presented alone stands in the middle.
figure::Figure main_figure(const app::Snapshot& snapshot, const app::ViewState& view,
                           const app::Place& place, bool presents);
/// Where the links below a map go: under its columns, where it stands alone.
app::Place links_place(float width, float height, const figure::Figure& map);
/// Height at the foot of a stage below what is said there, but for a notice that goes by itself.
float height_of_foot(const Panel& panel, const Box& stage, bool tabs_above);
int heads_in_row(const figure::Figure& grid);

} // namespace heed::ui
