// Signs that are drawn, in the size of the words beside them.
#pragma once

#include "ui/paint/canvas.hpp"

namespace heed::ui {

enum class Icon { none, play, pause, first, previous, next, last };

/// About a point, 10 wide and high.
void draw_icon(Canvas& canvas, Icon icon, Point middle, Color ink);

} // namespace heed::ui
