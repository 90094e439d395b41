// Keys that are pressed find their actions.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void window_keys(Panel& panel);

} // namespace heed::ui
