// Notes upon a picture that is not what was asked for: which one it is, and the way to another.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Below the words of a view that has nothing to show of this run: what gives it something.
void offer_another(Panel& panel, const Box& main, const figure::Figure& words);
/// True where pictures are of a run before the newest state: that could not be computed, or is not
/// yet.
bool shows_former(const Panel& panel);
/// A picture of such a run steps back, towards the ground that it stands on.
void step_back(Panel& panel, const Box& box, Color ground);
/// Dims the large picture of such a run, which says what it is of; not words that say what the one
/// that was asked for lacks.
void dim_former(Panel& panel, const Box& box, const figure::Figure& picture);
/// Draws remarks on the newest request at the foot of the stage: what is pointed at stays where it
/// is.
void draw_remarks(Panel& panel, const Box& box);
float height_of_remarks(const Panel& panel, float width);
/// The notice on a stage; one of what went wrong goes with a click on it. `tabs_above`: the view
/// tabs stand in two rows, for the stage is narrow.
void tell_notice(Panel& panel, const Box& stage, bool tabs_above);
/// Height at the foot of a stage below what is said there, but for a notice that goes by itself.
float height_of_foot(const Panel& panel, const Box& stage, bool tabs_above);
int heads_in_row(const figure::Figure& grid);

} // namespace heed::ui
