// The strip along the bottom: one live thumbnail a stage, from tokens to the layer's output.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void strip_panel(Panel& panel, const Box& box);

} // namespace heed::ui
