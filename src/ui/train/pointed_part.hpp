// What the pointer is told of the Train room's pictures.
#pragma once

#include "figure/base/figure.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

/// The numbers of a curve's step, of a length or of a cell, as a tooltip.
void tell_pointed(Panel& panel, const figure::Hit& hit);

} // namespace heed::ui
