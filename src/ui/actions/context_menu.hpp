// The menu of the right button: the few things that are done most with a head, a map or a word.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Opens it at what the pointer is at on a press of the right button, or at what the keyboard is at
/// by the Menu key or Shift+F10; then its entries. Once a frame, behind the panels.
void context_menu(Panel& panel);

} // namespace heed::ui
