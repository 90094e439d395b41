// The link of a notice: the way out that its words tell, one click away.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Points that the notice's link takes behind words of one line; 0 where it has none.
float link_width(const Panel& panel);
/// Points that it takes below words of several lines.
float link_height(const Panel& panel);
/// Draws it at the end of the notice's box, and does what is clicked. What it leaves of the box.
Box draw_link(Panel& panel, const Box& notice, bool one_line);

} // namespace heed::ui
