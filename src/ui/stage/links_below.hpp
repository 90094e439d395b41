// The links of a map, in the same picture below it.
#pragma once

#include "app/views/view_figure.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

inline constexpr float kMapPad = 24;          // points left and right of a map
inline constexpr float kLeastLinksBelow = 90; // points, where words at the stage's foot need some

/// The points that links take below a map on a stage so large; 0 where there are none, since either
/// would be too small.
float height_of_links(const Panel& p, float width, float height);

/// False where words above the large picture would leave it too little, below the card of a lesson:
/// there cells are worth more.
bool is_read(const LayoutState& layout, float height);

/// Points below the links of a presentation, which stand as far from the edge as its title does.
float foot_of_screen(const LayoutState& layout);
/// Place of a picture so wide, in the middle of a wider one.
app::Place narrowed(app::Place place, float width);

/// Says in the box of links below a map which they are, and what they are of where the map is of
/// something else. `compares`: the map is beside another.
void name_links(Panel& p, const Box& below, const figure::Figure& map, bool compares);

/// Place of the links below a map: under its columns, where it stands alone.
app::Place links_place(float width, float height, const figure::Figure& map);

} // namespace heed::ui
