#include "figure/lab_grid.hpp"

#include "figure/parts/side_by_side.hpp"
#include "figure/views/plots.hpp"
#include "lab/settings.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
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

struct GridPlace {
    Box box;
    tag::Cells cells;
};
std::optional<GridPlace> place_of_grid(const Figure& map) {
    for (const Target& target : map.targets) {
        if (const auto* cells = target.as<tag::Cells>()) return GridPlace{target.box, *cells};
    }
    return std::nullopt;
}

/// Zeros have the colour of the ground in some themes: the map's edge says where they are.
void frame_map(Figure& map, const Theme& theme) {
    const std::optional<GridPlace> grid = place_of_grid(map);
    if (!grid) return;
    const Box& cells = grid->box;
    map.items.emplace_back(
        Stroke{{cells.x - 0.5f, cells.y - 0.5f, cells.w + 1, cells.h + 1}, theme.border, 1, 0});
}

/// "0" in the cells that are exactly that, instead of nothing or of digits.
void write_zeros(Figure& map, const num::Matrix<float>& values, const Theme& theme) {
    constexpr float kLeastWidth = 11, kLeastHeight = 12, kZero = 10;
    const std::optional<GridPlace> grid = place_of_grid(map);
    if (!grid) return;
    const float w = grid->box.w / static_cast<float>(values.cols()),
                h = grid->box.h / static_cast<float>(values.rows());
    if (w < kLeastWidth || h < kLeastHeight) return;
    const auto is_zero = [&](const Primitive& item) {
        const auto* text = std::get_if<Text>(&item);
        if (!text || text->style.font != Font::mono || !grid->box.contains(text->at)) return false;
        const auto row = static_cast<Index>((text->at.y - grid->box.y) / h),
                   col = static_cast<Index>((text->at.x - grid->box.x) / w);
        return row < values.rows() && col < values.cols() && values(row, col) == 0;
    };
    std::erase_if(map.items, is_zero);
    for (Index i = 0; i < values.rows(); ++i) {
        for (Index j = 0; j < values.cols(); ++j) {
            if (values(i, j) != 0) continue;
            const Point middle{grid->box.x + (static_cast<float>(j) + 0.5f) * w,
                               grid->box.y + (static_cast<float>(i) + 0.5f) * h};
            map.items.emplace_back(Text{
                "0", middle, {kZero, Font::mono}, theme.muted, AlignX::centre, AlignY::middle});
        }
    }
}

/// A line behind so many rows and columns, on a ground that parts it from any colour.
void draw_line_behind(Figure& map, const Theme& theme, int count) {
    const std::optional<GridPlace> grid = place_of_grid(map);
    if (!grid || count <= 0 || count >= std::min(grid->cells.rows, grid->cells.cols)) return;
    const Box& box = grid->box;
    const auto part = [&](float size, int of) {
        return size * static_cast<float>(count) / static_cast<float>(of);
    };
    const float x = box.x + part(box.w, grid->cells.cols),
                y = box.y + part(box.h, grid->cells.rows);
    for (const auto& [color, width] : {std::pair{theme.panel, 3.f}, std::pair{theme.text, 1.f}}) {
        map.items.emplace_back(Line{{{x, box.y}, {x, box.y + box.h}}, color, width});
        map.items.emplace_back(Line{{{box.x, y}, {box.x + box.w, y}}, color, width});
    }
}

/// True where numbers fill their cells from edge to edge, and read as one.
bool are_crowded(const Figure& map, const Sheet& sheet) {
    constexpr float kBetween = 5; // points
    const std::optional<GridPlace> grid = place_of_grid(map);
    if (!grid) return false;
    const float cell = grid->box.w / static_cast<float>(grid->cells.cols);
    return std::ranges::any_of(map.items, [&](const Primitive& item) {
        const auto* text = std::get_if<Text>(&item);
        return text && text->style.font == Font::mono && grid->box.contains(text->at) &&
               sheet.width_of(text->text, text->style) + kBetween > cell;
    });
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
    HeatmapOptions options;
    options.numbers = grid.numbers;
    options.smallest_digits = 9; // a card is read from further away than a map that is worked on
    options.range = grid.weights ? RangeMode::fixed : RangeMode::map;
    options.reach = static_cast<float>(grid.reach);
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
    Figure drawn = heatmap(map, options, frame);
    if (are_crowded(drawn, sheet)) {
        options.numbers = false;
        drawn = heatmap(map, options, frame);
    }
    if (grid.numbers && grid.zeros) write_zeros(drawn, *grid.values, sheet.theme());
    frame_map(drawn, sheet.theme());
    draw_line_behind(drawn, sheet.theme(), grid.line_behind);
    put(sheet.figure, drawn,
        {box.x - (frame.width - box.w) / 2, box.y - (frame.height - box.h) / 2});
}

} // namespace heed::figure
