#include "figure/axis_labels.hpp"
#include "figure/colour_bar.hpp"
#include "figure/number_text.hpp"
#include "figure/plots.hpp"
#include "figure/sheet.hpp"
#include "figure/strip.hpp"
#include "figure/value_range.hpp"
#include "figure/viewport.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace heed::figure {

namespace {

constexpr float kLargestCell = 80;
constexpr float kLargestAspect = 1.3f;
constexpr float kLabelAspect = 2; // where that lets the labels above stay upright
constexpr float kLabelGap = 12;   // between labels and grid
constexpr TextStyle kAxisWords{11};

struct Grid {
    Box box;
    int rows = 0, cols = 0;
    float cell_w = 0, cell_h = 0;
    Viewport shown{}; // what fills the box

    Box cell(int row, int col) const { return cell_box(box, shown, row, col); }
    /// Where row 0 and column 0 would begin.
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
    /// The same box, filled with a part of the grid.
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

/// Side by side as square as the place allows; a very long map may be flatter, so that it keeps
/// a side that can be seen. Cells are wider where they then reach `upright`, a width at which the
/// labels above need not slant.
void fit_cells(Grid& grid, float width, float height, float upright) {
    constexpr float kThinnest = 200; // points of a side
    const auto rows = static_cast<float>(grid.rows), cols = static_cast<float>(grid.cols);
    float w = std::min(width / cols, kLargestCell), h = std::min(height / rows, kLargestCell);
    const float aspect =
        std::max(upright <= kLabelAspect * h && upright <= w ? upright / h : 0.f, kLargestAspect);
    const float flat = std::max(aspect * h, std::min(w, kThinnest / cols));
    const float tall = std::max(kLargestAspect * w, std::min(h, kThinnest / rows));
    w = std::min(w, flat);
    h = std::min(h, tall);
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

std::string sentence(const MapData& map) {
    const auto rows = map.values ? map.values->rows() : 0,
               cols = map.values ? map.values->cols() : 0;
    return "Heat map of " + std::to_string(rows) + " by " + std::to_string(cols) + " (" +
           map.row_axis + " by " + map.col_axis + ")" + (map.title.empty() ? "" : ": " + map.title);
}

void draw_cells(Sheet& sheet, const Grid& grid, const ValueRange& range, bool part,
                std::vector<Index> hatched_rows) {
    Heat heat{grid.box,  range.values, range.palette,
              range.low, range.high,   std::move(hatched_rows)};
    if (part) heat.shown = grid.shown;
    heat.levels = range.levels;
    sheet.figure.items.emplace_back(std::move(heat));
}

void draw_band(Sheet& sheet, const Grid& grid, int row, int col) {
    const Theme& theme = sheet.theme();
    const Color band = theme.dark ? faded(theme.text, 0.085f) : faded(theme.accent, 0.07f);
    const Box cell = grid.cell(row, col);
    const Box& g = grid.box;
    const Box pieces[] = {{g.x, cell.y, cell.x - g.x, cell.h},
                          {cell.x + cell.w, cell.y, g.x + g.w - cell.x - cell.w, cell.h},
                          {cell.x, g.y, cell.w, cell.y - g.y},
                          {cell.x, cell.y + cell.h, cell.w, g.y + g.h - cell.y - cell.h}};
    for (const Box& piece : pieces) {
        const Box seen = common(piece, g);
        if (seen.w > 0.01f && seen.h > 0.01f) sheet.fill(seen, band);
    }
}

/// A frame about a cell, however small the cell is.
void draw_frame(Sheet& sheet, const Grid& grid, int row, int col, Color color, float width) {
    const Box box = common(grid.cell(row, col), grid.box);
    if (box.w <= 0 || box.h <= 0) return; // beyond what is shown
    const float x = std::max(0.f, 6 - box.w) / 2, y = std::max(0.f, 6 - box.h) / 2;
    sheet.stroke({box.x - x, box.y - y, box.w + 2 * x, box.h + 2 * y}, color, width);
}

/// How far an entry of a table stands from nothing, 0 to 1: its number speaks as loudly.
float strength(PaletteId palette, std::size_t entry) {
    const bool two_sided = palette == PaletteId::diverging || palette == PaletteId::diverging_dark;
    const float share = static_cast<float>(entry) / 255.f;
    return std::min(1.f, 2 * (two_sided ? std::abs(2 * share - 1) : share));
}

/// Whether words of this size about a place stay inside the box: of a part of a map, the cells at
/// the edges may be cut.
bool holds(const Box& box, Point centre, float width, float height) {
    return centre.x - width / 2 >= box.x && centre.x + width / 2 <= box.x + box.w &&
           centre.y - height / 2 >= box.y && centre.y + height / 2 <= box.y + box.h;
}

/// The columns whose upright labels stay above the grid.
LabelRange upright_inside(const Sheet& sheet, const Grid& grid, const LabelPlan& plan,
                          const std::vector<std::string>& labels) {
    constexpr float kBeyond = 6; // points that a label may reach past the grid
    LabelRange range = grid.cols_seen();
    if (plan.slanted) return range;
    const auto inside = [&](int i) {
        if (static_cast<std::size_t>(i) >= labels.size()) return true;
        const Box cell = grid.cell(0, i);
        const float half = sheet.width_of(labels[static_cast<std::size_t>(i)], plan.style) / 2;
        const float centre = cell.x + cell.w / 2;
        return centre - half >= grid.box.x - kBeyond &&
               centre + half <= grid.box.x + grid.box.w + kBeyond;
    };
    while (range.first < range.last && !inside(range.first)) ++range.first;
    while (range.first < range.last && !inside(range.last - 1)) --range.last;
    return range;
}

using Inks = std::array<Color, 256>;

const Inks& inks(PaletteId palette) {
    static const auto all = [] {
        std::array<Inks, std::size(kPalettes)> result;
        for (const PaletteId id : kPalettes) {
            for (std::size_t i = 0; i < 256; ++i) {
                result[static_cast<std::size_t>(id)][i] =
                    soft_ink_on(table(id)[i], 0.4f * (1 - strength(id, i)));
            }
        }
        return result;
    }();
    return all[static_cast<std::size_t>(palette)];
}

void draw_numbers(Sheet& sheet, const Grid& grid, const MapData& map, const ValueRange& range,
                  const HeatmapOptions& options) {
    const Matrix<float>& values = *map.values;
    if (grid.cell_w < 16 || grid.cell_h < 9) return; // not even the smallest digits fit
    const float largest = largest_size(map);
    const int decimals = map.weights ? 2 : decimals_for(largest);
    const std::string widest = (map.signed_values ? "−" : "") + number_text(largest, decimals);
    TextStyle style{12, Font::mono};
    const float at_twelve = sheet.width_of(widest, style);
    style.size = std::min({12.f, grid.cell_w >= 70 ? 12.f : 11.f, grid.cell_h - 3,
                           12 * (grid.cell_w - 6) / std::max(at_twelve, 1.f)});
    style.size = std::floor(2 * style.size) / 2;
    if (style.size < 7) return;
    const Inks& ink = inks(range.palette);
    const LabelRange rows = grid.rows_seen(), cols = grid.cols_seen();
    const auto count = static_cast<std::size_t>(std::max(0, rows.last - rows.first)) *
                       static_cast<std::size_t>(std::max(0, cols.last - cols.first));
    sheet.figure.items.reserve(sheet.figure.items.size() + count + 64);
    for (int row = rows.first; row < rows.last; ++row) {
        for (int col = cols.first; col < cols.last; ++col) {
            const float value = values(row, col);
            // A weight of exactly 0 belongs to a masked key, and says nothing.
            if (!std::isfinite(value) || (map.weights && value == 0)) continue;
            const Box cell = grid.cell(row, col);
            const Point centre{cell.x + cell.w / 2, cell.y + cell.h / 2};
            if (!holds(grid.box, centre, at_twelve * style.size / 12, style.size)) continue;
            const int entry = table_index((*range.values)(row, col), range.low, range.high);
            const bool chosen = options.selected == std::pair(row, col);
            style.weight = chosen ? Weight::bold : Weight::regular;
            const Color color = chosen
                                    ? ink_on(table(range.palette)[static_cast<std::size_t>(entry)])
                                    : ink[static_cast<std::size_t>(entry)];
            sheet.text(number_text(value, decimals), centre, style, color, AlignX::centre,
                       AlignY::middle);
        }
    }
}

/// The labels of rows with what the rows have to say of themselves.
std::vector<std::string> noted_labels(const MapData& map) {
    std::vector<std::string> labels = map.row_labels;
    for (const RowNote& note : map.row_notes) {
        const auto row = static_cast<std::size_t>(note.row);
        if (row < labels.size()) labels[row] += " · " + note.words;
    }
    return labels;
}

void frame_bad_rows(Sheet& sheet, const Grid& grid, const MapData& map) {
    for (const RowNote& note : map.row_notes) {
        if (!note.bad || note.row >= grid.rows) continue;
        Box row = grid.cell(static_cast<int>(note.row), 0);
        row.x = grid.box.x;
        row.w = grid.box.w;
        row = common(row, grid.box);
        if (row.h > 0) sheet.stroke(row, sheet.theme().bad, 1.5f);
    }
}

/// What a choice of rows and columns passes over steps back.
void fade_others(Sheet& sheet, const Grid& grid, const HeatmapOptions& options) {
    const auto fade = [&](Box box) {
        box = common(box, grid.box);
        if (box.w > 0 && box.h > 0) sheet.fill(box, veil(sheet.theme()));
    };
    for (const ChoiceRun& run : choice_runs(options.chosen_rows, grid.rows)) {
        if (run.chosen) continue;
        const Box first = grid.cell(run.first, 0);
        fade({grid.box.x, first.y, grid.box.w, first.h * static_cast<float>(run.last - run.first)});
    }
    for (const ChoiceRun& run : choice_runs(options.chosen_cols, grid.cols)) {
        if (run.chosen) continue;
        const Box first = grid.cell(0, run.first);
        fade({first.x, grid.box.y, first.w * static_cast<float>(run.last - run.first), grid.box.h});
    }
}

void draw_strips(Sheet& sheet, const Grid& grid, const HeatmapOptions& options) {
    const Viewport& v = grid.shown;
    const Box& g = grid.box;
    if (options.row_strip) {
        draw_strip(sheet, {g.x - kStripRoom, g.y, kStripThickness, g.h}, *options.row_strip,
                   StripOf::queries, options.chosen_rows, {v.row, 0, v.rows, 1});
    }
    if (options.col_strip) {
        draw_strip(sheet, {g.x, g.y - kStripRoom, g.w, kStripThickness}, *options.col_strip,
                   StripOf::keys, options.chosen_cols, {0, v.col, 1, v.cols});
    }
}

/// One reason for each run of hatched rows, in its middle.
void draw_reasons(Sheet& sheet, const Grid& grid, std::vector<Index> rows) {
    constexpr TextStyle style{11};
    std::sort(rows.begin(), rows.end());
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t last = first;
        while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1) ++last;
        Box run = grid.cell(static_cast<int>(rows[first]), 0);
        run.h *= static_cast<float>(last + 1 - first);
        run.x = grid.box.x;
        run = common(run, grid.box);
        const float top = run.y, height = run.h;
        first = last + 1;
        if (height < 14 || rows[last] >= grid.rows) continue;
        const std::string reason = sheet.fitted("no key: all are masked", style, grid.box.w - 16);
        if (reason.empty()) continue;
        const float width = sheet.width_of(reason, style) + 12;
        const Point centre{grid.box.x + grid.box.w / 2, top + height / 2};
        sheet.fill({centre.x - width / 2, centre.y - 9, width, 18}, sheet.theme().panel, 4);
        sheet.text(reason, centre, style, sheet.theme().muted, AlignX::centre, AlignY::middle);
    }
}

/// Which part of the map is shown, below it.
void draw_part(Sheet& sheet, const Grid& grid, const MapData& map) {
    const auto part = [](const std::string& axis, float from, float count, int all) {
        const int first = static_cast<int>(std::floor(from)) + 1;
        const int last = std::min(all, static_cast<int>(std::ceil(from + count)));
        return axis + " " + std::to_string(first) + "–" + std::to_string(last) + " of " +
               std::to_string(all);
    };
    const Viewport& v = grid.shown;
    const std::string words = part(map.row_axis, v.row, v.rows, grid.rows) + " · " +
                              part(map.col_axis, v.col, v.cols, grid.cols);
    sheet.text(sheet.fitted(words, kAxisWords, grid.box.w),
               {grid.box.x, grid.box.y + grid.box.h + 8}, kAxisWords, sheet.theme().muted,
               AlignX::left, AlignY::top);
}

void draw_empty(Sheet& sheet, float top) {
    const float bottom = sheet.height_is_open() ? top + 80 : sheet.footer();
    sheet.text(sheet.fitted("Nothing to show: there are no tokens", {type_size::kSubtitle},
                            sheet.width() - 2 * sheet.margin()),
               {sheet.width() / 2, (top + bottom) / 2}, {type_size::kSubtitle}, sheet.theme().muted,
               AlignX::centre, AlignY::middle);
    sheet.close_at(bottom);
}

} // namespace

Figure heatmap(const MapData& map, const HeatmapOptions& options, const Frame& frame) {
    const int rows = map.values ? static_cast<int>(map.values->rows()) : 0;
    const int cols = map.values ? static_cast<int>(map.values->cols()) : 0;
    Grid grid{{}, rows, cols};
    grid.shown = whole(rows, cols);
    const float natural = natural_cell(rows, cols);
    Sheet sheet(frame, std::max(480.f, static_cast<float>(cols) * natural + 300), 0);
    sheet.figure.title = sentence(map);
    const std::vector<std::string> row_labels = noted_labels(map);
    const float top = sheet.header(map.title, map.subtitle);
    if (rows == 0 || cols == 0) {
        draw_empty(sheet, top);
        return std::move(sheet.figure);
    }
    const float bottom =
        sheet.height_is_open() ? top + static_cast<float>(rows) * natural + 120 : sheet.footer();
    const ValueRange range =
        value_range(map, options.range, options.palette, sheet.theme(), options.scale);

    const bool selected = grid.has(options.selected), hovered = grid.has(options.hovered);
    AxisMarks row_marks, col_marks;
    row_marks.chosen = options.chosen_rows;
    col_marks.chosen = options.chosen_cols;
    if (selected) std::tie(row_marks.selected, col_marks.selected) = *options.selected;
    if (hovered) std::tie(row_marks.hovered, col_marks.hovered) = *options.hovered;

    const float left = sheet.margin(), right = sheet.width() - sheet.margin();
    const bool with_bar = options.colour_bar && sheet.width() >= 260 && bottom - top >= 100;
    const float bar_gap = sheet.width() >= 500 ? 32.f : 16.f;
    const float bar_width = with_bar ? colour_bar_width(sheet, range) : 0;
    const float grid_right = with_bar ? right - bar_width - bar_gap : right;

    const std::string col_word = map.col_axis + " →", row_word = map.row_axis + " ↓";
    const bool with_axes = sheet.width() >= 260 && bottom - top >= 120;
    const float words = with_axes ? std::max(sheet.width_of(col_word, kAxisWords),
                                             sheet.width_of(row_word, kAxisWords))
                                  : 0;
    const float rough_pitch = (bottom - top - 40) / static_cast<float>(rows);
    const float label_room = 0.28f * (right - left);
    LabelPlan row_plan =
        plan_rows(sheet, row_labels, rows, rough_pitch, label_room, row_marks.selected);
    const float label_width = std::max(row_plan.size, words);
    const float row_gap = kLabelGap + (options.row_strip ? kStripThickness : 0);
    const float col_gap = options.col_strip ? kStripThickness : 0;
    grid.box.x =
        std::round(left + (label_width > 0 || options.row_strip ? label_width + row_gap : 0));

    // The height of the column labels depends on the width of the cells, which depends on the
    // height that is left: two or three rounds agree, the band only ever growing.
    LabelPlan col_plan;
    float band = (with_axes ? 40.f : 0.f) + col_gap;
    const float under = with_bar || options.viewport ? 18.f : 0.f; // the colour bar's words
    const float upright = upright_pitch(sheet, map.col_labels, cols);
    for (int round = 0; round < 3; ++round) {
        fit_cells(grid, std::max(grid_right - grid.box.x, 1.f),
                  std::max(bottom - top - band - under, 1.f), upright);
        col_plan = plan_columns(sheet, map.col_labels, cols, grid.cell_w, 0.35f * (bottom - top),
                                col_marks.selected);
        band = std::max(band, col_plan.size + col_gap);
    }
    fit_cells(grid, std::max(grid_right - grid.box.x, 1.f),
              std::max(bottom - top - band - under, 1.f), upright);
    grid.box.y = std::round(top + band);
    row_plan = plan_rows(sheet, row_labels, rows, grid.cell_h, label_room, row_marks.selected);
    const Viewport viewport = inside(options.viewport.value_or(grid.shown), rows, cols);
    const bool part = viewport != grid.shown;
    if (part) { // in the very place that the whole map has, its labels no further from it
        grid.look_at(viewport);
        col_plan = plan_columns(sheet, map.col_labels, grid.cols_seen(), grid.cell_w,
                                band - col_gap, col_marks.selected);
        row_plan = plan_rows(sheet, row_labels, grid.rows_seen(), grid.cell_h,
                             grid.box.x - row_gap - left, row_marks.selected);
    }
    // One size of type on both sides where both lie flat.
    if (!col_plan.slanted && col_plan.size > 0) {
        row_plan.style.size = std::min(row_plan.style.size, std::max(col_plan.style.size, 12.f));
    }

    draw_cells(sheet, grid, range, part, map.rows_without_distribution);
    sheet.target(grid.box, Tag::Kind::cells, rows, cols);
    if (part) sheet.figure.targets.back().shown = viewport;
    if (selected) draw_band(sheet, grid, options.selected->first, options.selected->second);
    if (options.numbers) draw_numbers(sheet, grid, map, range, options);
    fade_others(sheet, grid, options);
    frame_bad_rows(sheet, grid, map);
    draw_reasons(sheet, grid, map.rows_without_distribution);
    if (hovered) {
        draw_frame(sheet, grid, options.hovered->first, options.hovered->second,
                   faded(sheet.theme().text, 0.6f), 1);
    }
    if (selected) {
        draw_frame(sheet, grid, options.selected->first, options.selected->second,
                   sheet.theme().accent, 2);
        const Box cell =
            common(grid.cell(options.selected->first, options.selected->second), grid.box);
        if (cell.w >= 12 && cell.h >= 12) { // sets the frame off from a cell of nearly its colour
            sheet.stroke({cell.x + 2, cell.y + 2, cell.w - 4, cell.h - 4}, sheet.theme().panel);
        }
    }

    draw_rows(sheet, row_plan, row_labels, grid.rows_seen(), grid.top(), grid.cell_h,
              grid.box.x - row_gap, row_marks);
    draw_columns(sheet, col_plan, map.col_labels,
                 part ? upright_inside(sheet, grid, col_plan, map.col_labels) : LabelRange(cols),
                 grid.left(), grid.cell_w, grid.box.y - col_gap, Side::above,
                 sheet.width() - sheet.margin() / 2, col_marks, Tag::Kind::col_label);
    draw_strips(sheet, grid, options); // after the labels, which reach down to them
    if (with_axes) {
        const float x = grid.box.x - row_gap;
        sheet.text(col_word, {x, grid.box.y - 26}, kAxisWords, sheet.theme().muted, AlignX::right);
        sheet.text(row_word, {x, grid.box.y - 11}, kAxisWords, sheet.theme().muted, AlignX::right);
    }
    if (with_bar) {
        draw_colour_bar(sheet, range, grid.box.x + grid.box.w + bar_gap, grid.box.y, grid.box.h);
        sheet.target(
            {grid.box.x + grid.box.w + bar_gap - 4, grid.box.y, bar_width + 8, grid.box.h + under},
            Tag::Kind::control);
    }
    if (part) draw_part(sheet, grid, map);
    sheet.close_at(grid.box.y + grid.box.h + under);
    return std::move(sheet.figure);
}

} // namespace heed::figure
