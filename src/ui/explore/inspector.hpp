// The right panel: the controls of a head, a layer, a kind of attention or the whole model.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void inspector(Panel& panel, const Box& box);

} // namespace heed::ui
