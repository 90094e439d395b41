// Layers of a model down the side, the last one on top, and tokens or heads across.
#pragma once

#include "figure/base/axis_labels.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// Layers × columns, the first layer first; what is not measured yet is NaN.
struct InsideGrid {
    std::shared_ptr<const Matrix<float>> values{};
    std::vector<std::string> columns{};
    std::vector<std::string> rows{}; // names of what stands in the layers' place; empty: layers
    bool numbers = false;            // "2" in place of "layer 2"
    std::vector<int> layers{};       // that the rows are; empty: all of them
    std::string across{};            // what the columns are; empty: their labels say it
    std::string corner{};            // before names above: "reads"; empty: nothing
    std::string across_short{};      // where that has no room; empty: none
    std::vector<int> marked{};       // columns whose labels stand out
    std::optional<int> row{}, col{}; // chosen
    std::vector<float> below{};      // one a column, in a row under the grid; empty: no row
    std::string below_name{};        // of that row
};

struct GridPlace {
    Box box;
    LabelPlan across;
    float between = 0;            // grid and labels
    std::optional<float> title{}; // middle of the line that says what the columns are
};

/// Points of one layer at most, of a grid with its columns' names below.
inline constexpr float kHighestCell = 240;

/// Rows by their numbers alone where "layer 12" takes too much of the width.
InsideGrid named_to_fit(const InsideGrid& grid, float width);
/// A line at the bottom of a place, of kGridNote points; what is left of the height above it. None
/// in a low place.
inline constexpr float kGridNote = 17;
float note_below(Sheet& sheet, const Box& box, const std::string& words);

/// Points that the names of rows take at the left.
float row_labels(const Sheet& sheet, const InsideGrid& grid);
/// Layers down the left side, names of columns above or below, and behind them what they are.
/// `between`: what is kept free between grid and names.
GridPlace place_grid(const Sheet& sheet, const InsideGrid& grid, const Box& part, Side side,
                     float widest_cell, float between = 0);
/// All names. Targets: labels of columns, of `part`.
void name_grid(Sheet& sheet, const InsideGrid& grid, const GridPlace& place, Side side, float right,
               int part);
/// The grid in colours, what is not measured yet left empty. Targets: cells of `part`.
void draw_layer_heat(Sheet& sheet, const InsideGrid& grid, const ValueRange& range, const Box& box,
                     int part);
/// The chosen cell.
void outline_cell(Sheet& sheet, const InsideGrid& grid, const Box& box);

/// The largest size of what stands in the row under a grid; above 0.
float largest_below(const InsideGrid& grid);
/// The row of cells under a grid, in its columns, `high` with the space above it. Targets: cells of
/// `part`.
void draw_row_below(Sheet& sheet, const InsideGrid& grid, const Box& box, float high, int part);

/// True where a colour bar in a place has room for two lines below it.
bool has_two_lines(const Box& part);
/// Colours of shares of an answer: up to 1, or where none comes near it or one is more up to the
/// largest one, once all are measured. `roomy`: the bar says in two lines what they are.
ValueRange range_of_shares(const Matrix<float>& shares, PaletteId palette, bool roomy);

} // namespace heed::figure
