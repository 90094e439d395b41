// The places of a heat map's cells, its labels and its colour bar on a sheet.
#pragma once

#include "figure/base/heat_grid.hpp"
#include "figure/base/value_range.hpp"

#include <string>

namespace heed::figure {

/// The room that a map takes of its frame before its cells; of maps beside each other, the most of
/// any.
struct HeatmapRoom {
    static constexpr float kLargestCell = 200; // points, where there is room for as much

    float top = 0, side = 0, band = 0, bar = 0; // header, labels at the left, labels above, bar
    float bottom = 1e9f, cell_w = kLargestCell, cell_h = kLargestCell; // at most
    float row_type = 1e9f; // of the names of rows, at most
};
HeatmapRoom common_room(const HeatmapRoom& a, const HeatmapRoom& b);

/// A map to be laid out, on a sheet that has its header and its footer. At least one cell.
struct HeatmapOnSheet {
    const Sheet& sheet;
    const MapData& map;
    const HeatmapOptions& options;
    const ValueRange& range;
    const AxisMarks &row_marks, &col_marks;
    float top, footer; // y between which the content lies; no footer where the height is open
    float whole = 0;   // width of the picture that it is a part of; 0: it is all of it
    bool bar = true;   // false: the colour bar of another map beside it holds for it too
    float beyond = 0;  // right of the sheet, where names of columns may end
};

struct HeatmapLayout {
    HeatGrid grid;
    LabelPlan row_plan, col_plan;
    float row_gap = 0, col_gap = 0; // between labels and cells; strips lie there
    float bar = 0, bar_gap = 0;     // of the colour bar with its words; between it and the cells
    float under = 0;                // height of the words below the cells
    bool with_bar = false, with_axes = false;
    bool with_legend = false; // of masked cells: where there is a bar, here or beside it
    bool part = false; // not all cells are shown
    HeatmapRoom took;
};

/// Layout with at least so much room for what is not cells, and cells that are no larger.
HeatmapLayout heatmap_layout(const HeatmapOnSheet& heatmap, const HeatmapRoom& asked);

/// The width of a sheet whose frame leaves it open: no blank beside short sentences.
float natural_heatmap_width(const MapData& map, const Frame& frame);

/// "key →", "query ↓".
std::string col_axis_words(const MapData& map);
std::string row_axis_words(const MapData& map);

} // namespace heed::figure
