// The cells of a grid that fill its box, and the place of a cell then: one rule for pictures,
// painters and whoever points at them.
#pragma once

#include "figure/base/figure.hpp"

namespace heed::figure {

/// All of a grid.
Viewport whole(Index rows, Index cols);
/// The nearest one that lies inside the grid and is at least two cells wide and high, where the
/// grid has so many.
Viewport inside(Viewport viewport, Index rows, Index cols);
/// Showing 1/factor as many cells each way, with the place that lies at (x, y) of the box, both
/// from 0 to 1, staying there.
Viewport zoomed(const Viewport& viewport, float factor, Point at, Index rows, Index cols);
/// Moved by so many cells.
Viewport moved(Viewport viewport, float rows, float cols, Index all_rows, Index all_cols);

/// The part of a heat grid that fills its box.
Viewport shown(const Heat& heat);
/// The place of a cell, be it within the box or not.
Box cell_box(const Box& box, const Viewport& shown, Index row, Index col);
/// The place of a cell in a target of cells.
Box cell_box(const Target& target, Index row, Index col);
/// The part of a box that lies within another; no size where they do not meet.
Box common(const Box& a, const Box& b);
/// The row across the whole grid, as far as it can be seen.
Box row_box(const Heat& heat, Index row);
/// The rows and columns that can be seen, also in part: from first up to and without last.
struct CellRange {
    Index row = 0, row_end = 0, col = 0, col_end = 0;
};
CellRange cells_seen(const Heat& heat);

/// The cell of the topmost heat grid at a place.
struct HeatCell {
    const Heat* heat;
    Index row, col;
    float value;
};
std::optional<HeatCell> heat_at(const Figure& figure, Point point);

} // namespace heed::figure
