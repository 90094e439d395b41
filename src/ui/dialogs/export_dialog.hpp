// The card that exports what Explore and the rooms of formulas show.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Draws the card while it is open.
void export_dialog(Panel& panel);

} // namespace heed::ui
