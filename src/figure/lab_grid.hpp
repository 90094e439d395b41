// A matrix of a page of the lab as a heat map in a place that is there.
#pragma once

#include "figure/base/sheet.hpp"
#include "lab/picture.hpp"

namespace heed::figure {

/// Targets: cells.
void draw_lab_grid(Sheet& sheet, const lab::Grid& grid, const Box& box);

} // namespace heed::figure
