#include "figure/lab_grid.hpp"

#include "figure/parts/side_by_side.hpp"
#include "figure/views/plots.hpp"
#include "lab/settings.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace heed::figure {

namespace {

std::vector<std::string> labels_of(const std::vector<std::string>& given, Index count) {
    std::vector<std::string> labels;
    for (Index i = 0; i < count; ++i) {
        const auto place = static_cast<std::size_t>(i);
        labels.push_back(place < given.size() ? lab::plain(given[place]) : std::to_string(i + 1));
    }
    return labels;
}

HeatmapOptions options_of(const lab::Grid& grid) {
    HeatmapOptions options;
    options.numbers = grid.numbers;
    options.smallest_digits = 9; // a card is read from further away than a map that is worked on
    options.free_beside_numbers = 5;
    options.zeros = grid.zeros;
    options.small_numbers = true;
    options.span_where_bare = grid.weights;
    options.framed = true;
    options.line_behind = grid.line_behind;
    options.bar_word = grid.weights ? "weights" : grid.bar_word;
    options.range = grid.weights ? RangeMode::fixed : RangeMode::map;
    options.reach = static_cast<float>(grid.reach);
    return options;
}

} // namespace

void draw_lab_grid(Sheet& sheet, const lab::Grid& grid, const Box& box) {
    if (!grid.values || grid.values->size() == 0) return;
    MapData map;
    map.values = grid.values;
    map.row_labels = labels_of(grid.rows, grid.values->rows());
    map.col_labels = labels_of(grid.cols, grid.values->cols());
    map.signed_values = grid.signed_values;
    map.weights = grid.weights;
    if (!grid.row_word.empty()) map.row_axis = lab::plain(grid.row_word);
    if (!grid.col_word.empty()) map.col_axis = lab::plain(grid.col_word);
    // A figure's own margins would be added to those of the place.
    constexpr float kMargin = 0.045f, kMostMargin = 24;
    const auto grown = [](float side) {
        return std::min(side / (1 - 2 * kMargin), side + 2 * kMostMargin);
    };
    Frame frame;
    frame.width = grown(box.w);
    frame.height = grown(box.h);
    frame.theme = &sheet.theme();
    frame.headline = frame.titled = false;
    put(sheet.figure, heatmap(map, options_of(grid), frame),
        {box.x - (frame.width - box.w) / 2, box.y - (frame.height - box.h) / 2});
}

} // namespace heed::figure
