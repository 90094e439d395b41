#include "figure/base/heat_grid.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/pen.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/strip.hpp"
#include "figure/views/plots.hpp"
#include "figure/views/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace heed::figure {

namespace {

constexpr float kLargestCell = 80, kLargestInRoom = 200; // points; where there is room for more
constexpr float kLargestAspect = 1.3f;
constexpr float kLabelAspect = 2;   // where that lets the labels above stay upright
constexpr float kGridLabelGap = 12; // between labels and grid
constexpr TextStyle kAxisWords{11};

/// Side by side as square as the place allows; a very long map may be flatter, so that it keeps
/// a side that can be seen. Cells are wider where they then reach `upright`, a width at which the
/// labels above need not slant. `most`: what no cell exceeds.
void fit_cells(HeatGrid& grid, float width, float height, float upright, Box most) {
    constexpr float kThinnest = 200; // points of a side
    constexpr float kSmall = 12;     // a height from which on cells grow flatter, to use the width
    const auto rows = static_cast<float>(grid.rows), cols = static_cast<float>(grid.cols);
    const float largest =
        std::max(kLargestCell, std::min(kLargestInRoom, std::min(width, height) / 5));
    float w = std::min(width / cols, largest), h = std::min(height / rows, largest);
    const float small = std::clamp(2 * (kSmall - h) / kSmall, 0.f, 1.f);
    const float usual = kLargestAspect + small * (kLabelAspect - kLargestAspect);
    const float aspect =
        std::max(upright <= kLabelAspect * h && upright <= w ? upright / h : 0.f, usual);
    const float flat = std::max(aspect * h, std::min(w, kThinnest / cols));
    const float tall = std::max(kLargestAspect * w, std::min(h, kThinnest / rows));
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

/// What a map takes where its frame leaves the width open: no blank beside short sentences.
float natural_width(const MapData& map, const Frame& frame, int rows, int cols) {
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
    const float cells = static_cast<float>(cols) * natural_cell(rows, cols);
    return std::max({kLeast, kMargins + frame.measure(map.title, title).width,
                     kMargins + labels + kGridLabelGap + cells + kBar});
}

std::string sentence(const MapData& map) {
    const auto rows = map.values ? map.values->rows() : 0,
               cols = map.values ? map.values->cols() : 0;
    return "Heat map of " + std::to_string(rows) + " by " + std::to_string(cols) + " (" +
           map.row_axis + " by " + map.col_axis + ")" + (map.title.empty() ? "" : ": " + map.title);
}

void draw_cells(Sheet& sheet, const HeatGrid& grid, const ValueRange& range, bool part,
                const MapData& map) {
    Heat heat{grid.box,  range.values, range.palette,
              range.low, range.high,   map.rows_without_distribution};
    heat.masked = map.masked;
    if (part) heat.shown = grid.shown;
    heat.levels = range.levels;
    sheet.figure.items.emplace_back(std::move(heat));
}

void draw_band(Sheet& sheet, const HeatGrid& grid, int row, int col) {
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
void draw_frame(Sheet& sheet, const HeatGrid& grid, int row, int col, Color color, float width) {
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
LabelRange upright_inside(const Sheet& sheet, const HeatGrid& grid, const LabelPlan& plan,
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

void draw_numbers(Sheet& sheet, const HeatGrid& grid, const MapData& map, const ValueRange& range,
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

/// What a choice of rows and columns passes over steps back.
void fade_others(Sheet& sheet, const HeatGrid& grid, const HeatmapOptions& options) {
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

void draw_strips(Sheet& sheet, const HeatGrid& grid, const HeatmapOptions& options) {
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

std::shared_ptr<const Matrix<float>> masked_cell() {
    static const auto cell = std::make_shared<const Matrix<float>>(
        Matrix<float>::Constant(1, 1, std::numeric_limits<float>::quiet_NaN()));
    return cell;
}

/// What the hatching means, at the right below the map; beside `words`, which are there already.
void draw_mask_legend(Sheet& sheet, const HeatGrid& grid, PaletteId palette, float words) {
    const std::string meaning = "masked";
    constexpr float kSwatch = 11, kGap = 5;
    const float width = kSwatch + kGap + sheet.width_of(meaning, kAxisWords);
    if (grid.box.w - words < width + 16) return;
    const float right = grid.box.x + grid.box.w, top = grid.box.y + grid.box.h + 8;
    const Box box{right - width, top, kSwatch, kSwatch};
    if (hatches_masked(grid.cell_w, grid.cell_h)) {
        Heat swatch{box, masked_cell(), palette, 0, 1, {}};
        swatch.masked = {{0, 0, 1}};
        sheet.figure.items.emplace_back(std::move(swatch));
    } else {
        sheet.fill(box, not_finite(palette));
    }
    sheet.stroke({right - width, top, kSwatch, kSwatch}, sheet.theme().border);
    sheet.text(meaning, {right, top}, kAxisWords, sheet.theme().muted, AlignX::right, AlignY::top);
}

/// Which part of the map is shown, below it. Returns the width of its words.
float draw_part(Sheet& sheet, const HeatGrid& grid, const MapData& map) {
    const auto part = [](const std::string& axis, float from, float count, int all) {
        const int first = static_cast<int>(std::floor(from)) + 1;
        const int last = std::min(all, static_cast<int>(std::ceil(from + count)));
        return axis + " " + std::to_string(first) + "–" + std::to_string(last) + " of " +
               std::to_string(all);
    };
    const Viewport& v = grid.shown;
    const std::string words = part(map.row_axis, v.row, v.rows, grid.rows) + " · " +
                              part(map.col_axis, v.col, v.cols, grid.cols);
    const std::string fitted = sheet.fitted(words, kAxisWords, grid.box.w);
    sheet.text(fitted, {grid.box.x, grid.box.y + grid.box.h + 8}, kAxisWords, sheet.theme().muted,
               AlignX::left, AlignY::top);
    return sheet.width_of(fitted, kAxisWords);
}

void draw_empty(Sheet& sheet, float top) {
    const float bottom = sheet.height_is_open() ? top + 80 : sheet.footer();
    sheet.text(sheet.fitted("Nothing to show: there are no tokens", {type_size::kSubtitle},
                            sheet.width() - 2 * sheet.margin()),
               {sheet.width() / 2, (top + bottom) / 2}, {type_size::kSubtitle}, sheet.theme().muted,
               AlignX::centre, AlignY::middle);
    sheet.close_at(bottom);
}

/// What a map takes of its frame before its cells; of maps beside each other, the most of any.
struct Room {
    float top = 0, side = 0, band = 0, bar = 0; // header, labels at the left, labels above, bar
    float bottom = 1e9f, cell_w = kLargestInRoom, cell_h = kLargestInRoom; // at most
};

Room common_room(const Room& a, const Room& b) {
    return {std::max(a.top, b.top),      std::max(a.side, b.side),     std::max(a.band, b.band),
            std::max(a.bar, b.bar),      std::min(a.bottom, b.bottom), std::min(a.cell_w, b.cell_w),
            std::min(a.cell_h, b.cell_h)};
}

/// A heat map from its header to its last mark.
class HeatMap {
  public:
    HeatMap(const MapData& map, const HeatmapOptions& options, const Frame& frame,
            std::optional<Ends> span_too = {})
        : map_(map), options_(options),
          rows_(map.values ? static_cast<int>(map.values->rows()) : 0),
          cols_(map.values ? static_cast<int>(map.values->cols()) : 0),
          sheet_(frame, natural_width(map, frame, rows_, cols_), 0) {
        sheet_.figure.title = sentence(map);
        top_ = sheet_.header(map.title, map.subtitle);
        if (empty()) return;
        range_ = value_range(map, options.range, options.palette, sheet_.theme(), options.scale,
                             span_too);
        if (!sheet_.height_is_open()) footer_ = sheet_.footer();
        grid_ = {{}, rows_, cols_};
        grid_.shown = whole(rows_, cols_);
        const bool selected = grid_.has(options.selected), hovered = grid_.has(options.hovered);
        row_marks_.chosen = options.chosen_rows;
        col_marks_.chosen = options.chosen_cols;
        if (selected) std::tie(row_marks_.selected, col_marks_.selected) = *options.selected;
        if (hovered) std::tie(row_marks_.hovered, col_marks_.hovered) = *options.hovered;
    }

    bool empty() const { return rows_ == 0 || cols_ == 0; }
    float top() const { return top_; }
    /// Lays it out, with at least so much room for what is not cells, and cells that are no larger.
    Room lay_out(const Room& asked);
    Figure draw();

  private:
    void draw_cell_marks();
    void draw_sides();

    const MapData& map_;
    const HeatmapOptions& options_;
    int rows_, cols_;
    Sheet sheet_;
    ValueRange range_;
    HeatGrid grid_;
    AxisMarks row_marks_, col_marks_;
    LabelPlan row_plan_, col_plan_;
    float top_ = 0, footer_ = 0, bottom_ = 0, band_ = 0, bar_ = 0, under_ = 0;
    float row_gap_ = 0, col_gap_ = 0, bar_gap_ = 0;
    bool with_bar_ = false, with_axes_ = false, part_ = false;
};

constexpr const char* kArrowRight = " →";
constexpr const char* kArrowDown = " ↓";

Room HeatMap::lay_out(const Room& asked) {
    const float top = std::max(top_, asked.top);
    bottom_ = std::min(sheet_.height_is_open()
                           ? top + static_cast<float>(rows_) * natural_cell(rows_, cols_) + 120
                           : footer_,
                       asked.bottom);
    const float left = sheet_.margin(), right = sheet_.width() - sheet_.margin();
    with_bar_ = options_.colour_bar && sheet_.width() >= 260 && bottom_ - top >= 100;
    bar_gap_ = sheet_.width() >= 500 ? 32.f : 16.f;
    bar_ = with_bar_ ? std::max(colour_bar_width(sheet_, range_), asked.bar) : 0;
    const float grid_right = with_bar_ ? right - bar_ - bar_gap_ : right;

    with_axes_ = sheet_.width() >= 260 && bottom_ - top >= 120;
    const float words = with_axes_
                            ? std::max(sheet_.width_of(map_.col_axis + kArrowRight, kAxisWords),
                                       sheet_.width_of(map_.row_axis + kArrowDown, kAxisWords))
                            : 0;
    const float rough_pitch = (bottom_ - top - 40) / static_cast<float>(rows_);
    const float label_room = 0.28f * (right - left);
    row_plan_ =
        plan_rows(sheet_, map_.row_labels, rows_, rough_pitch, label_room, row_marks_.selected);
    const float label_width = std::max(row_plan_.size, words);
    row_gap_ = kGridLabelGap + (options_.row_strip ? kStripThickness : 0);
    col_gap_ = options_.col_strip ? kStripThickness : 0;
    const float side =
        std::max(label_width > 0 || options_.row_strip ? label_width + row_gap_ : 0, asked.side);
    grid_.box.x = std::round(left + side);

    // The height of the column labels depends on the width of the cells, which depends on the
    // height that is left: two or three rounds agree, the band only ever growing.
    band_ = std::max((with_axes_ ? 40.f : 0.f) + col_gap_, asked.band);
    under_ = with_bar_ || options_.viewport ? 18.f : 0.f; // the colour bar's words
    const float upright = upright_pitch(sheet_, map_.col_labels, cols_);
    grid_.look_at(whole(rows_, cols_));
    const auto fit = [&] {
        fit_cells(grid_, std::max(grid_right - grid_.box.x, 1.f),
                  std::max(bottom_ - top - band_ - under_, 1.f), upright,
                  {0, 0, asked.cell_w, asked.cell_h});
    };
    for (int round = 0; round < 3; ++round) {
        fit();
        col_plan_ = plan_columns(sheet_, map_.col_labels, cols_, grid_.cell_w,
                                 0.35f * (bottom_ - top), col_marks_.selected);
        band_ = std::max(band_, col_plan_.size + col_gap_);
    }
    fit();
    grid_.box.y = std::round(top + band_);
    const Room took{top, side, band_, bar_, bottom_, grid_.cell_w, grid_.cell_h};
    row_plan_ =
        plan_rows(sheet_, map_.row_labels, rows_, grid_.cell_h, label_room, row_marks_.selected);
    const Viewport viewport = inside(options_.viewport.value_or(grid_.shown), rows_, cols_);
    part_ = viewport != grid_.shown;
    if (part_) { // in the very place that the whole map has, its labels no further from it
        grid_.look_at(viewport);
        col_plan_ = plan_columns(sheet_, map_.col_labels, grid_.cols_seen(), grid_.cell_w,
                                 band_ - col_gap_, col_marks_.selected);
        row_plan_ = plan_rows(sheet_, map_.row_labels, grid_.rows_seen(), grid_.cell_h,
                              grid_.box.x - row_gap_ - left, row_marks_.selected);
    }
    // One size of type on both sides where both lie flat.
    if (!col_plan_.slanted && col_plan_.size > 0) {
        row_plan_.style.size = std::min(row_plan_.style.size, std::max(col_plan_.style.size, 12.f));
    }
    return took;
}

/// What lies upon the cells.
void HeatMap::draw_cell_marks() {
    const bool selected = row_marks_.selected.has_value();
    if (selected) draw_band(sheet_, grid_, options_.selected->first, options_.selected->second);
    if (options_.numbers) draw_numbers(sheet_, grid_, map_, range_, options_);
    fade_others(sheet_, grid_, options_);
    draw_reasons(sheet_, grid_, map_.rows_without_distribution);
    if (row_marks_.hovered) {
        draw_frame(sheet_, grid_, options_.hovered->first, options_.hovered->second,
                   faded(sheet_.theme().text, 0.6f), 1);
    }
    if (!selected) return;
    draw_frame(sheet_, grid_, options_.selected->first, options_.selected->second,
               sheet_.theme().accent, 2);
    const Box cell =
        common(grid_.cell(options_.selected->first, options_.selected->second), grid_.box);
    if (cell.w >= 12 && cell.h >= 12) { // sets the frame off from a cell of nearly its colour
        sheet_.stroke({cell.x + 2, cell.y + 2, cell.w - 4, cell.h - 4}, sheet_.theme().panel);
    }
}

/// Labels, strips, and what the axes are.
void HeatMap::draw_sides() {
    const float edge = grid_.box.x - row_gap_;
    draw_rows(sheet_, row_plan_, map_.row_labels, grid_.rows_seen(), grid_.top(), grid_.cell_h,
              edge, row_marks_);
    draw_row_notes(sheet_, grid_, map_.row_notes, edge, row_plan_.style.size);
    draw_columns(sheet_, col_plan_, map_.col_labels,
                 part_ ? upright_inside(sheet_, grid_, col_plan_, map_.col_labels)
                       : LabelRange(cols_),
                 grid_.left(), grid_.cell_w, grid_.box.y - col_gap_, Side::above,
                 sheet_.width() - sheet_.margin() / 2, col_marks_, Tag::Kind::col_label);
    draw_strips(sheet_, grid_, options_); // after the labels, which reach down to them
    if (!with_axes_) return;
    const Color muted = sheet_.theme().muted;
    sheet_.text(map_.col_axis + kArrowRight, {edge, grid_.box.y - 26}, kAxisWords, muted,
                AlignX::right);
    sheet_.text(map_.row_axis + kArrowDown, {edge, grid_.box.y - 11}, kAxisWords, muted,
                AlignX::right);
}

Figure HeatMap::draw() {
    if (empty()) {
        draw_empty(sheet_, top_);
        return std::move(sheet_.figure);
    }
    draw_cells(sheet_, grid_, range_, part_, map_);
    sheet_.target(grid_.box, Tag::Kind::cells, rows_, cols_);
    if (part_) sheet_.figure.targets.back().shown = grid_.shown;
    draw_cell_marks();
    draw_sides();
    const Box& g = grid_.box;
    if (with_bar_) {
        draw_colour_bar(sheet_, range_, g.x + g.w + bar_gap_, g.y, g.h);
        sheet_.target({g.x + g.w + bar_gap_ - 4, g.y, bar_ + 8, g.h + under_}, Tag::Kind::control);
    }
    const float words = part_ ? draw_part(sheet_, grid_, map_) : 0;
    if (with_bar_ && !map_.masked.empty()) {
        draw_mask_legend(sheet_, grid_, range_.palette, words);
    }
    sheet_.close_at(g.y + g.h + under_);
    return std::move(sheet_.figure);
}

/// What the colours of a map span when they span all of it.
std::optional<Ends> ends_of(const MapData& map) {
    if (map.prepared) return Ends{map.prepared->low, map.prepared->high};
    if (!map.values) return std::nullopt;
    return finite_ends(map.values->data(), map.values->size());
}

} // namespace

Figure heatmap(const MapData& map, const HeatmapOptions& options, const Frame& frame) {
    HeatMap picture(map, options, frame);
    if (!picture.empty()) picture.lay_out({});
    return picture.draw();
}

Figure heatmaps_beside(const HeatmapAsked& left, const HeatmapAsked& right) {
    HeatMap a(left.map, left.options, left.frame, ends_of(right.map));
    HeatMap b(right.map, right.options, right.frame, ends_of(left.map));
    if (!a.empty() && !b.empty()) {
        // What either needs, both have; then neither has larger cells than the other.
        Room room = common_room(a.lay_out({}), b.lay_out({}));
        const Room open{};
        room.cell_w = open.cell_w;
        room.cell_h = open.cell_h;
        room = common_room(a.lay_out(room), b.lay_out(room));
        a.lay_out(room);
        b.lay_out(room);
    } else {
        for (HeatMap* map : {&a, &b}) {
            if (!map->empty()) map->lay_out({});
        }
    }
    return side_by_side(a.draw(), b.draw());
}

} // namespace heed::figure
