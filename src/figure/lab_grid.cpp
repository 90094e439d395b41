#include "figure/lab_grid.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/heat_marks.hpp"
#include "figure/parts/side_by_side.hpp"
#include "figure/views/plots.hpp"
#include "lab/settings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
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

/// The style of the numbers in the cells, where there are any.
std::optional<TextStyle> style_of_numbers(const Figure& map) {
    const std::optional<GridPlace> grid = place_of_grid(map);
    if (!grid) return std::nullopt;
    for (const Primitive& item : map.items) {
        const auto* text = std::get_if<Text>(&item);
        if (text && text->style.font == Font::mono && grid->box.contains(text->at)) {
            return text->style;
        }
    }
    return std::nullopt;
}

/// "<.01" in cells of weights that are not 0 and round to it: few without a number among others
/// would be taken for masked. Many of them are told by the others, and would drown these.
void write_small_weights(Figure& map, const num::Matrix<float>& values, const Sheet& sheet) {
    constexpr int kDecimals = 2;
    constexpr Index kFew = 4;                     // of so many weights one
    constexpr float kLeast = 0.005f, kAround = 6; // of weights with a number; points
    const std::optional<GridPlace> grid = place_of_grid(map);
    const std::optional<TextStyle> style = style_of_numbers(map);
    const auto is_small = [](float weight) { return weight > 0 && weight < kLeast; };
    const Index allowed = (values.array() > 0).count(), small = values.unaryExpr(is_small).count();
    if (!grid || !style || kFew * small > allowed) return;
    const float w = grid->box.w / static_cast<float>(values.cols()),
                h = grid->box.h / static_cast<float>(values.rows());
    const std::string bound = weight_text(1e-6f, kDecimals);
    const std::string words =
        sheet.width_of(bound, *style) + kAround <= w ? bound : short_weight_text(1e-6f, kDecimals);
    for (Index i = 0; i < values.rows(); ++i) {
        for (Index j = 0; j < values.cols(); ++j) {
            if (!is_small(values(i, j))) continue;
            const Point middle{grid->box.x + (static_cast<float>(j) + 0.5f) * w,
                               grid->box.y + (static_cast<float>(i) + 0.5f) * h};
            map.items.emplace_back(
                Text{words, middle, *style, sheet.theme().muted, AlignX::centre, AlignY::middle});
        }
    }
}

/// Says below the bar what its colours are: its ends say how far they span.
void name_bar(Figure& map, const std::string& word) {
    if (word.empty()) return;
    for (Primitive& item : map.items) {
        auto* text = std::get_if<Text>(&item);
        if (text && text->text == "0 to max") text->text = word;
    }
}

/// The step between the columns or rows that have a name: step_of(map, &tag::ColLabel::key).
template <class Label> int step_of(const Figure& map, int Label::*place) {
    std::optional<int> first;
    for (const Target& target : map.targets) {
        const auto* label = target.as<Label>();
        if (!label) continue;
        if (first) return label->*place - *first;
        first = label->*place;
    }
    return 1;
}

/// Numbers of low rows, where those of the columns are thinned, are thinned as they are.
void thin_rows(Figure& map, const std::vector<std::string>& labels) {
    constexpr float kLow = 13; // points of a row
    const std::optional<GridPlace> grid = place_of_grid(map);
    const int step = step_of(map, &tag::ColLabel::key);
    const bool all = step_of(map, &tag::RowLabel::query) == 1; // else they have a step of their own
    if (!grid || step < 2 || !all || !count_evenly(labels)) return;
    const float h = grid->box.h / static_cast<float>(grid->cells.rows);
    if (h >= kLow) return;
    std::erase_if(map.items, [&](const Primitive& item) {
        const auto* text = std::get_if<Text>(&item);
        if (!text || text->align_x != AlignX::right || text->align_y != AlignY::middle)
            return false;
        const float row = (text->at.y - grid->box.y) / h;
        if (text->at.x > grid->box.x || row < 0 || row >= static_cast<float>(labels.size())) {
            return false;
        }
        return static_cast<int>(row) % step != 0;
    });
    std::erase_if(map.targets, [&](const Target& target) {
        const auto* row = target.as<tag::RowLabel>();
        return row && row->query % step != 0;
    });
}

/// Points between a place and the highest of a map's texts.
float blank_below(float top, const Figure& map, const Sheet& sheet) {
    float highest = 1e9f;
    for (const Primitive& item : map.items) {
        const auto* text = std::get_if<Text>(&item);
        if (!text) continue;
        const float sine = std::abs(std::sin(text->degrees * std::numbers::pi_v<float> / 180));
        const float up = sine * sheet.width_of(text->text, text->style) + text->style.size;
        highest = std::min(highest, text->at.y - up);
    }
    return highest - top;
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
    const Point corner{(frame.width - box.w) / 2, (frame.height - box.h) / 2};
    Figure drawn = heatmap(map, options, frame);
    constexpr float kStrong = 0.8f; // weights beside which 1 is no other colour
    const bool crowded = are_crowded(drawn, sheet);
    // Without numbers colours tell all, and weights far below 1 would have nearly the same one.
    const bool faint = grid.weights && (crowded || !style_of_numbers(drawn)) &&
                       largest_size(*grid.values) < kStrong;
    if (crowded) options.numbers = false;
    if (faint) options.range = RangeMode::map;
    if (crowded || faint) drawn = heatmap(map, options, frame);
    // Names above may have taken less room than was kept for them.
    constexpr float kBlank = 6;
    float risen = blank_below(corner.y, drawn, sheet) - kBlank;
    if (risen > kBlank) {
        frame.height += risen;
        Figure higher = heatmap(map, options, frame);
        if (blank_below(corner.y + risen, higher, sheet) > -1) {
            drawn = std::move(higher);
        } else {
            risen = 0;
        }
    } else {
        risen = 0;
    }
    if (grid.numbers && grid.zeros) write_zeros(drawn, *grid.values, sheet.theme());
    if (grid.weights) write_small_weights(drawn, *grid.values, sheet);
    name_bar(drawn, grid.weights ? "weights" : grid.bar_word);
    thin_rows(drawn, map.row_labels);
    frame_map(drawn, sheet.theme());
    draw_line_behind(drawn, sheet.theme(), grid.line_behind);
    put(sheet.figure, drawn, {box.x - corner.x, box.y - corner.y - risen});
}

} // namespace heed::figure
