// Pointing at the scatter of heads by two of their scores.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

struct Pointing;

bool point_at_scatter(Panel& panel, const Pointing& pointing); // false: none is shown

} // namespace heed::ui
