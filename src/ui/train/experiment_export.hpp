// The card that exports what the Train room shows.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Draws the card while it is open.
void experiment_export_dialog(Panel& panel);

} // namespace heed::ui
