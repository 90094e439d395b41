// The list of keys: what the table of actions says, and what the mouse and the keyboard do on any
// control.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void keys_dialog(Panel& panel);

} // namespace heed::ui
