#include "figure/views/heatmap_layout.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/strip.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kUsualCell = 80; // points, where there is no room for more
constexpr float kTallest = 1.3f; // height of a cell by its width
constexpr float kWidest = 3;     // width of a cell by its height, where width would else stay blank
constexpr float kWidestNamed = 4.5f; // where all names are level so
constexpr float kGridLabelGap = 12; // between labels and grid
constexpr float kNarrowSheet = 300; // of one of several maps, or of a small picture
constexpr float kMostForLabels = 0.2f; // of the width, that slanted labels take beyond the grid

/// As large as the place allows, and wider than high where it is: labels above then stand upright,
/// and those of links below in their columns. A very long map may be flatter, so that it keeps a
/// side that can be seen. On a page, whose height is what it takes, a few columns fill the width.
/// `level`: the width from which on names above are; `most`: what no cell exceeds.
void fit_cells(HeatGrid& grid, float width, float height, bool page, float level, Box most) {
    constexpr float kThinnest = 200; // points of a side
    const auto rows = static_cast<float>(grid.rows), cols = static_cast<float>(grid.cols);
    const float largest =
        std::max(kUsualCell, std::min(HeatmapRoom::kLargestCell, std::min(width, height) / 5));
    constexpr float kWidestOnPage = 2, kWidestInWindow = 1.5f; // by how large a cell is otherwise
    float w = std::min(width / cols, (page ? kWidestOnPage : kWidestInWindow) * largest),
          h = std::min(height / rows, largest);
    const bool named = !page && level <= std::min(w, kWidestNamed * h);
    const float flat =
        std::max((named ? kWidestNamed : kWidest) * h, std::min(w, kThinnest / cols));
    const float tall = std::max(kTallest * w, std::min(h, kThinnest / rows));
    w = std::min({w, flat, most.w});
    h = std::min({h, tall, most.h});
    // Whole points where they are large: edges of cells then fall on edges of pixels.
    if (w >= 8) w = std::floor(w);
    if (h >= 8) h = std::floor(h);
    grid.cell_w = std::max(w, 0.01f);
    grid.cell_h = std::max(h, 0.01f);
    grid.box.w = grid.cell_w * cols;
    grid.box.h = grid.cell_h * rows;
}

float natural_cell(int rows, int cols) {
    return std::clamp(720.f / static_cast<float>(std::max({rows, cols, 1})), 0.25f, 56.f);
}

/// The room for labels at the left.
float most_side(const Sheet& sheet) {
    const float left = sheet.margin(), right = sheet.width() - sheet.margin();
    return 0.28f * (right - left);
}

void place_colour_bar(HeatmapLayout& layout, const HeatmapOnSheet& heatmap, float height,
                      float least) {
    const float width = heatmap.sheet.width();
    layout.with_legend =
        heatmap.options.colour_bar && std::max(width, heatmap.whole) >= 260 && height >= 100;
    layout.with_bar = layout.with_legend && heatmap.bar && !heatmap.options.bar_elsewhere;
    layout.bar_gap = width >= 500 ? 32.f : 16.f;
    layout.bar =
        layout.with_bar ? std::max(colour_bar_width(heatmap.sheet, heatmap.range), least) : 0;
    layout.under = layout.with_legend || heatmap.options.viewport ? 18.f : 0.f; // the bar's words
}

/// The labels of rows in smaller type, no larger than `largest`, where they are whole so and else
/// would be cut.
LabelPlan plan_whole_rows(const HeatmapOnSheet& heatmap, int rows, float pitch, float largest) {
    constexpr float kSmallest = 9;
    const auto& labels = heatmap.map.row_labels;
    const float room = most_side(heatmap.sheet);
    const std::optional<int> selected = heatmap.row_marks.always();
    LabelPlan plan = plan_rows(heatmap.sheet, labels, rows, pitch, room, selected);
    if (plan.size < room && plan.style.size <= largest) return plan;
    const int count = std::min(rows, static_cast<int>(labels.size()));
    const auto drawn = thinned(count, plan.step, selected, plan.phase);
    for (float size = std::min(plan.style.size, largest); size >= kSmallest; size -= 0.5f) {
        const TextStyle strong{size, plan.style.font, Weight::bold};
        float widest = 0;
        for (const int i : drawn) {
            widest = std::max(widest,
                              heatmap.sheet.width_of(labels[static_cast<std::size_t>(i)], strong));
        }
        if (widest > room) continue;
        plan.style.size = size;
        plan.size = widest;
        break;
    }
    return plan;
}

/// The width of the labels of rows, or of the axes' words, and of their gap.
float side_of(const HeatmapLayout& layout, const HeatmapOnSheet& heatmap, float pitch) {
    const Sheet& sheet = heatmap.sheet;
    const MapData& map = heatmap.map;
    constexpr float kAny = 1e9f;
    const float words = layout.with_axes ? std::max(sheet.width_of(col_axis_words(map), kNote),
                                                    sheet.width_of(row_axis_words(map), kNote))
                                         : 0;
    const LabelPlan plan = plan_whole_rows(heatmap, layout.grid.rows, pitch, kAny);
    const float width = std::max(plan.size, words);
    return width > 0 || heatmap.options.row_strip ? width + layout.row_gap : 0;
}

/// The largest cells in a place below a band of labels.
void fit_below(HeatmapLayout& layout, const HeatmapOnSheet& heatmap, Box most, Box place,
               float band) {
    const float level = upright_pitch(heatmap.sheet, heatmap.map.col_labels, layout.grid.cols);
    fit_cells(layout.grid, std::max(place.w, 1.f), std::max(place.h - band - layout.under, 1.f),
              heatmap.sheet.height_is_open(), level, most);
}

/// The largest cells in a place, with the labels above them in a band of at least `band`; returns
/// the band.
float place_cells(HeatmapLayout& layout, const HeatmapOnSheet& heatmap, const HeatmapRoom& asked,
                  Box place, float band) {
    // The height of the column labels depends on the width of the cells, which depends on the
    // height that is left: two or three rounds agree, the band only ever growing.
    const auto& labels = heatmap.map.col_labels;
    const auto fit = [&] {
        fit_below(layout, heatmap, {0, 0, asked.cell_w, asked.cell_h}, place, band);
    };
    for (int round = 0; round < 3; ++round) {
        fit();
        layout.col_plan = plan_columns(heatmap.sheet, labels, layout.grid.cols, layout.grid.cell_w,
                                       0.35f * place.h, heatmap.col_marks.always());
        if (heatmap.whole > 0 || heatmap.sheet.width() < kNarrowSheet) { // cells are narrow
            turn_columns(heatmap.sheet, layout.col_plan, labels, layout.grid.cols,
                         layout.grid.cell_w, 0.35f * place.h, heatmap.col_marks.always());
        }
        stack_columns(heatmap.sheet, layout.col_plan, labels, layout.grid.cols, layout.grid.cell_w,
                      0.35f * place.h);
        band = std::max(band, layout.col_plan.size + layout.col_gap);
    }
    fit();
    return band;
}

/// The band of names above without the room that those of narrower cells would have taken, which
/// cells then have, and in letters no larger than those of rows; returns the band. `type`: of the
/// names of rows, at most, which may be less then.
float close_band(HeatmapLayout& layout, const HeatmapOnSheet& heatmap, const HeatmapRoom& asked,
                 Box place, float least, float band, float& type) {
    constexpr float kBlank = 6; // points
    const HeatGrid& grid = layout.grid;
    const LabelPlan rows = plan_whole_rows(heatmap, grid.rows, grid.cell_h, type);
    const LabelPlan& cols = layout.col_plan;
    const float letters = rows.size > 0 ? std::min(rows.style.size / cols.style.size, 1.f) : 1.f;
    const float names = (cols.size - kLabelsFromGrid) * letters + kLabelsFromGrid;
    const float needed = std::max(least, cols.size > 0 ? names + layout.col_gap : 0);
    if (band - needed < kBlank) return band;
    type = rows.style.size;
    // Of no other width, so that names stay as they are.
    fit_below(layout, heatmap, {0, 0, grid.cell_w, asked.cell_h}, place, needed);
    return needed;
}

/// Numbers of low rows, where those of the columns are thinned, are thinned as they are.
void thin_rows(HeatmapLayout& layout, const HeatmapOnSheet& heatmap) {
    constexpr float kLow = 13; // points of a row
    const bool low = layout.row_plan.step == 1 && layout.grid.cell_h < kLow;
    if (low && layout.col_plan.step > 1 && count_evenly(heatmap.map.row_labels)) {
        layout.row_plan.step = layout.col_plan.step;
    }
}

/// Shows a part in the very place that the whole map has, its labels no further from it.
void look_at_part(HeatmapLayout& layout, const HeatmapOnSheet& heatmap, const Viewport& viewport,
                  float band) {
    HeatGrid& grid = layout.grid;
    grid.look_at(viewport);
    layout.col_plan = plan_columns(heatmap.sheet, heatmap.map.col_labels, grid.cols_seen(),
                                   grid.cell_w, band - layout.col_gap, heatmap.col_marks.always());
    stack_columns(heatmap.sheet, layout.col_plan, heatmap.map.col_labels, grid.cols_seen(),
                  grid.cell_w, band - layout.col_gap);
    layout.row_plan =
        plan_rows(heatmap.sheet, heatmap.map.row_labels, grid.rows_seen(), grid.cell_h,
                  grid.box.x - layout.row_gap - heatmap.sheet.margin(), heatmap.row_marks.always());
}

} // namespace

HeatmapRoom common_room(const HeatmapRoom& a, const HeatmapRoom& b) {
    return {std::max(a.top, b.top),       std::max(a.side, b.side),
            std::max(a.band, b.band),     std::max(a.bar, b.bar),
            std::min(a.bottom, b.bottom), std::min(a.cell_w, b.cell_w),
            std::min(a.cell_h, b.cell_h), std::min(a.row_type, b.row_type)};
}

std::string col_axis_words(const MapData& map) { return map.col_axis + " →"; }
std::string row_axis_words(const MapData& map) { return map.row_axis + " ↓"; }

float natural_heatmap_width(const MapData& map, const Frame& frame) {
    constexpr float kLeast = 360, kMargins = 48, kAxes = 52, kBar = 96;
    constexpr std::size_t kMeasured = 256; // labels; with more, one a cell is not drawn
    const TextStyle title{type_size::kTitle, Font::sans, Weight::bold};
    const TextStyle label{type_size::kLabel, Font::sans, Weight::bold};
    float labels = kAxes;
    if (map.row_labels.size() <= kMeasured) {
        for (const std::string& word : map.row_labels) {
            labels = std::max(labels, frame.measure(word, label).width);
        }
    } else {
        labels = 160;
    }
    labels = std::min(labels, 200.f);
    const int rows = map.values ? static_cast<int>(map.values->rows()) : 0;
    const int cols = map.values ? static_cast<int>(map.values->cols()) : 0;
    const float cells = static_cast<float>(cols) * natural_cell(rows, cols);
    return std::max({kLeast, kMargins + frame.measure(map.title, title).width,
                     kMargins + labels + kGridLabelGap + cells + kBar});
}

HeatmapLayout heatmap_layout(const HeatmapOnSheet& heatmap, const HeatmapRoom& asked) {
    const Sheet& sheet = heatmap.sheet;
    const int rows = static_cast<int>(heatmap.map.values->rows());
    const int cols = static_cast<int>(heatmap.map.values->cols());
    const float top = std::max(heatmap.top, asked.top);
    const float bottom = std::min(
        sheet.height_is_open() ? top + static_cast<float>(rows) * natural_cell(rows, cols) + 120
                               : heatmap.footer,
        asked.bottom);
    const float height = bottom - top, left = sheet.margin();
    HeatmapLayout layout;
    HeatGrid& grid = layout.grid;
    grid = {{}, rows, cols};
    grid.shown = whole(rows, cols);
    place_colour_bar(layout, heatmap, height, asked.bar);
    layout.with_axes = std::max(sheet.width(), heatmap.whole) >= 260 && height >= 120;
    layout.row_gap = kGridLabelGap + (heatmap.options.row_strip ? kStripThickness : 0);
    layout.col_gap = heatmap.options.col_strip ? kStripThickness : 0;
    const float rough_pitch = (height - 40) / static_cast<float>(rows);
    const float side = std::max(side_of(layout, heatmap, rough_pitch), asked.side);
    grid.box.x = std::round(left + side);
    const float right = sheet.width() - sheet.margin();
    const float grid_right = layout.with_bar ? right - layout.bar - layout.bar_gap : right;
    const float least_band = std::max((layout.with_axes ? 40.f : 0.f) + layout.col_gap, asked.band);
    Box place{0, 0, grid_right - grid.box.x, height};
    float band = place_cells(layout, heatmap, asked, place, least_band);
    // Labels of the last columns are whole before cells are large.
    const float beyond =
        reach_right(sheet, layout.col_plan, heatmap.map.col_labels, cols, grid.cell_w) -
        (sheet.width() + heatmap.beyond - sheet.margin() / 2 - grid.box.x - grid.box.w);
    if (beyond > 0.5f) {
        const float used = std::min(place.w, grid.box.w); // cells are of whole points
        place.w = used - std::min(beyond, kMostForLabels * used);
        band = place_cells(layout, heatmap, asked, place, least_band);
    }
    float type = asked.row_type;
    band = close_band(layout, heatmap, asked, place, least_band, band, type);
    grid.box.y = std::round(top + band);
    layout.row_plan = plan_whole_rows(heatmap, rows, grid.cell_h, type);
    thin_rows(layout, heatmap);
    layout.took = {top,    side,        band,        layout.bar,
                   bottom, grid.cell_w, grid.cell_h, layout.row_plan.style.size};
    const Viewport viewport = inside(heatmap.options.viewport.value_or(grid.shown), rows, cols);
    layout.part = viewport != grid.shown;
    if (layout.part) look_at_part(layout, heatmap, viewport, band);
    // One size of type on both sides where both lie flat.
    if (!layout.col_plan.slanted && layout.col_plan.size > 0) {
        float& size = layout.row_plan.style.size;
        size = std::min(size, std::max(layout.col_plan.style.size, 12.f));
    }
    if (layout.row_plan.size > 0) { // columns are no louder than rows
        float& size = layout.col_plan.style.size;
        size = std::min(size, layout.row_plan.style.size);
    }
    return layout;
}

} // namespace heed::figure
