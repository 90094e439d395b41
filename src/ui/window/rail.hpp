// The rooms, at the left edge, and what belongs to all of them.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void rail(Panel& panel, const Box& box);

} // namespace heed::ui
