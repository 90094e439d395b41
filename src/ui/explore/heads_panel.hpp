// The left panel: which attention, the grid of all its heads, and what the chosen one is like.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void heads_panel(Panel& panel, const Box& box);

} // namespace heed::ui
