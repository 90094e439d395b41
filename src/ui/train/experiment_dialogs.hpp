// The card about an experiment that would be lost when the window closes.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void leave_dialog(Panel& panel); // an experiment learned what is not saved

} // namespace heed::ui
