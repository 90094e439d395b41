// The grid of a heat map that is being drawn, and what its rows have to say of themselves.
#pragma once

#include "figure/base/axis_labels.hpp"
#include "figure/base/map_data.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/viewport.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace heed::figure {

struct HeatGrid {
    Box box;
    int rows = 0, cols = 0;
    float cell_w = 0, cell_h = 0;
    Viewport shown{}; // what fills the box

    Box cell(int row, int col) const { return cell_box(box, shown, row, col); }
    /// The places at which row 0 and column 0 would begin.
    float left() const { return box.x - shown.col * cell_w; }
    float top() const { return box.y - shown.row * cell_h; }
    /// The rows, or columns, whose middle can be seen.
    LabelRange rows_seen() const { return seen(shown.row, shown.rows, rows); }
    LabelRange cols_seen() const { return seen(shown.col, shown.cols, cols); }
    static LabelRange seen(float from, float count, int all) {
        return {std::max(0, static_cast<int>(std::ceil(from - 0.5f))),
                std::min(all, static_cast<int>(std::floor(from + count - 0.5f)) + 1)};
    }
    static bool within(const LabelRange& range, int i) {
        return i >= range.first && i < range.last;
    }
    /// Fills the same box with a part of the grid.
    void look_at(const Viewport& viewport) {
        shown = viewport;
        cell_w = box.w / shown.cols;
        cell_h = box.h / shown.rows;
    }
    bool has(const std::optional<std::pair<int, int>>& place) const {
        return place && place->first >= 0 && place->first < rows && place->second >= 0 &&
               place->second < cols;
    }
};

/// A mark at the grid's side of every row that has a note, with the note's words below the label
/// where rows are high enough: they take no room, so that a map stays put when a note comes. What
/// is wrong with a row frames it. `edge`: where labels end; `label_size`: points.
void draw_row_notes(Sheet& sheet, const HeatGrid& grid, const std::vector<RowNote>& notes,
                    float edge, float label_size);
/// One reason for each run of hatched rows, in its middle.
void draw_reasons(Sheet& sheet, const HeatGrid& grid, std::vector<Index> rows);

} // namespace heed::figure
