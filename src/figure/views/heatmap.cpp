#include "figure/base/number_text.hpp"
#include "figure/base/pen.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/heat_marks.hpp"
#include "figure/parts/side_by_side.hpp"
#include "figure/parts/strip.hpp"
#include "figure/parts/stripe.hpp"
#include "figure/views/heatmap_layout.hpp"
#include "figure/views/plots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace heed::figure {

namespace {

std::string sentence(const MapData& map) {
    const auto rows = map.values ? map.values->rows() : 0,
               cols = map.values ? map.values->cols() : 0;
    return "Heat map of " + std::to_string(rows) + " by " + std::to_string(cols) + " (" +
           map.row_axis + " by " + map.col_axis + ")" + (map.title.empty() ? "" : ": " + map.title);
}

void draw_cells(Sheet& sheet, const HeatGrid& grid, const ValueRange& range, bool part,
                const MapData& map, const HeatmapOptions& options) {
    Heat heat{grid.box,  range.values, range.palette,
              range.low, range.high,   map.rows_without_distribution};
    heat.masked = map.masked;
    if (part) heat.shown = grid.shown;
    heat.levels = range.levels;
    heat.veils =
        veils_of(sheet.theme(), options.chosen_rows, grid.rows, options.chosen_cols, grid.cols);
    sheet.figure.items.emplace_back(std::move(heat));
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

void draw_strips(Sheet& sheet, const HeatGrid& grid, const HeatmapOptions& options) {
    const Viewport& v = grid.shown;
    const Box& g = grid.box;
    if (options.row_strip) {
        // One of no colour would be frames around nothing; its rows fade anyway.
        const auto chosen = options.row_strip->tinted ? options.chosen_rows : std::vector<int>();
        draw_strip(sheet, {g.x - kStripRoom, g.y, kStripThickness, g.h}, *options.row_strip,
                   StripOf::queries, chosen, {v.row, 0, v.rows, 1});
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

constexpr float kSwatch = 11, kSwatchGap = 5, kLegendsApart = 16;

float legend_width(const Sheet& sheet, const std::string& meaning) {
    return kSwatch + kSwatchGap + sheet.width_of(meaning, kNote);
}

/// The meaning of hatching and of strokes, at the right below the map; beside `words`, which are
/// there already.
void draw_mask_legend(Sheet& sheet, const HeatGrid& grid, PaletteId palette, float words,
                      const MapData& map) {
    const float top = grid.box.y + grid.box.h + 8;
    float right = grid.box.x + grid.box.w;
    const auto say = [&](const std::string& meaning, bool struck) {
        const float width = legend_width(sheet, meaning);
        if (right - grid.box.x - words < width + kLegendsApart) return;
        const Box box{right - width, top, kSwatch, kSwatch};
        if (struck) {
            strike(sheet, box);
        } else if (hatches_masked(grid.cell_w, grid.cell_h)) {
            Heat swatch{box, masked_cell(), palette, 0, 1, {}};
            swatch.masked = {{0, 0, 1}};
            sheet.figure.items.emplace_back(std::move(swatch));
        } else {
            sheet.fill(box, not_finite(palette));
        }
        sheet.stroke(box, sheet.theme().border);
        sheet.text(meaning, {right, top}, kNote, sheet.theme().muted, AlignX::right, AlignY::top);
        right -= width + kLegendsApart;
    };
    const bool strikes = !map.struck.empty() && strikes_cells(grid);
    if (!map.masked.empty()) say(strikes ? "masked in both" : "masked", false);
    if (strikes) say(map.struck_words, true);
}

/// The part of the map that is shown, in words below it. Returns the width of its words.
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
    const std::string fitted = sheet.fitted(words, kNote, grid.box.w);
    sheet.text(fitted, {grid.box.x, grid.box.y + grid.box.h + 8}, kNote, sheet.theme().muted,
               AlignX::left, AlignY::top);
    return sheet.width_of(fitted, kNote);
}

/// The meaning of the strips along the map, at the left below it, in so much room at the most;
/// where nothing stands beside it (`alone`), below the names of rows too. Returns the width of its
/// words.
float say_strips(Sheet& sheet, const HeatGrid& grid, const HeatmapOptions& options, float room,
                 bool alone) {
    if (!options.col_strip || !options.col_strip->shares) return 0;
    const auto most = [](const Strip& of) {
        const float largest = largest_size(*of.shares);
        return ", max " + weight_text(largest, decimals_for(largest));
    };
    const std::string received = "attention received" + most(*options.col_strip);
    const std::string strip = "strip above: average " + received;
    const bool at_left = options.row_strip && options.row_strip->tinted;
    const std::string given = at_left ? "given" + most(*options.row_strip) : "";
    for (const std::string& words :
         {strip + (at_left ? "; at the left: " + given : ""),
          at_left ? "above: received" + most(*options.col_strip) + "; left: " + given : strip,
          strip, "above: " + received, received}) {
        const float width = sheet.width_of(words, kNote);
        if (width > room) continue;
        sheet.text(words, {grid.box.x, grid.box.y + grid.box.h + 8}, kNote, sheet.theme().muted,
                   AlignX::left, AlignY::top);
        return width;
    }
    const float right = grid.box.x + grid.box.w;
    const float width = sheet.width_of(received, kNote);
    if (!alone || width > right - sheet.margin()) return 0;
    sheet.text(received, {right, grid.box.y + grid.box.h + 8}, kNote, sheet.theme().muted,
               AlignX::right, AlignY::top);
    return width;
}

void draw_empty(Sheet& sheet, float top) {
    const float bottom = sheet.height_is_open() ? top + 80 : sheet.footer();
    sheet.text(sheet.fitted("Nothing to show: there are no tokens", {type_size::kSubtitle},
                            sheet.width() - 2 * sheet.margin()),
               {sheet.width() / 2, (top + bottom) / 2}, {type_size::kSubtitle}, sheet.theme().muted,
               AlignX::centre, AlignY::middle);
    sheet.close_at(bottom);
}

/// A heat map from its header to its last mark.
class HeatMap {
  public:
    HeatMap(const MapData& map, const HeatmapOptions& options, const Frame& frame,
            std::optional<Ends> span_too = {}, const ReadingPlace& reading = {})
        : map_(map), options_(options),
          rows_(map.values ? static_cast<int>(map.values->rows()) : 0),
          cols_(map.values ? static_cast<int>(map.values->cols()) : 0),
          sheet_(frame, natural_heatmap_width(map, frame), 0), pixels_(frame.pixels) {
        sheet_.figure.title = sentence(map);
        top_ = sheet_.header(map.title, map.subtitle, reading);
        if (empty()) return;
        span_too_ = span_too;
        if (options.reach > 0)
            span_too_ = Ends{map.signed_values ? -options.reach : 0, options.reach};
        set_range(options.range);
        if (!sheet_.height_is_open()) footer_ = sheet_.footer();
        const HeatGrid grid{{}, rows_, cols_};
        row_marks_.chosen = options.chosen_rows;
        col_marks_.chosen = options.chosen_cols;
        row_marks_.unknown = map.unknown_rows;
        col_marks_.unknown = map.unknown_cols;
        if (grid.has(options.selected)) {
            std::tie(row_marks_.selected, col_marks_.selected) = *options.selected;
        }
        if (!options.chosen_rows.empty() || !options.chosen_cols.empty()) {
            for (AxisMarks* marks : {&row_marks_, &col_marks_}) light_filter_alone(*marks);
        }
        if (grid.has(options.hovered)) {
            std::tie(row_marks_.hovered, col_marks_.hovered) = *options.hovered;
        }
    }

    bool empty() const { return rows_ == 0 || cols_ == 0; }
    float end_of_titles() const { return sheet_.last_title(); }
    /// Lays it out, with at least so much room for what is not cells, and cells that are no larger.
    HeatmapRoom lay_out(const HeatmapRoom& asked) {
        place(asked);
        constexpr float kRead = 9; // pixels of a screen: of smaller digits one is read as another
        const float smallest = options_.smallest_digits.value_or(compared_ ? 7.f : 8.f);
        numbers_.reset();
        if (options_.numbers) {
            numbers_ = plan_numbers(sheet_, layout_.grid, map_, options_,
                                    pixels_ > 0 ? std::max(smallest, kRead / pixels_) : smallest);
        }
        constexpr float kStrong = 0.8f; // weights beside which 1 is no other colour
        const bool bare = options_.span_where_bare && map_.weights && !numbers_;
        if (bare && options_.range == RangeMode::fixed && largest_size(map_) < kStrong) {
            set_range(RangeMode::map);
            place(asked); // beside a bar of other words
        }
        return layout_.took;
    }
    /// Makes it a part of a picture so wide, in which names may end so far right of it.
    void be_part_of(float whole, float beyond) {
        whole_ = whole;
        beyond_ = beyond;
    }
    void be_compared() { compared_ = true; }
    /// Leaves out its colour bar, where the other's says the same.
    void share_bar_of(const HeatMap& other) {
        const auto said = [](const ValueRange& r) {
            return std::tie(r.low, r.high, r.palette, r.low_text, r.high_text, r.meaning);
        };
        with_bar_ = !other.options_.colour_bar || said(other.range_) != said(range_) ||
                    other.options_.scale != options_.scale;
    }
    /// True where every column has its name, and no row's is cut.
    bool has_every_name() const {
        return layout_.col_plan.step == 1 && layout_.row_plan.size < layout_.row_plan.longest;
    }
    Figure draw();

  private:
    void set_range(RangeMode mode) {
        range_ =
            value_range(map_, mode, options_.palette, sheet_.theme(), options_.scale, span_too_);
        if (!options_.bar_word.empty()) range_.meaning = options_.bar_word;
    }
    void place(const HeatmapRoom& asked) {
        layout_ = heatmap_layout({sheet_, map_, options_, range_, row_marks_, col_marks_, top_,
                                  footer_, whole_, with_bar_, beyond_},
                                 asked);
    }
    void draw_sides();
    float say_left_out(float words);

    const MapData& map_;
    const HeatmapOptions& options_;
    int rows_, cols_;
    Sheet sheet_;
    float pixels_;
    std::optional<Ends> span_too_;
    ValueRange range_;
    std::optional<CellNumbers> numbers_;
    AxisMarks row_marks_, col_marks_;
    float top_ = 0, footer_ = 0, whole_ = 0, beyond_ = 0;
    bool with_bar_ = true, compared_ = false;
    HeatmapLayout layout_;
};

/// Labels, strips, and what the axes are.
void HeatMap::draw_sides() {
    const HeatGrid& grid = layout_.grid;
    const LabelPlan &row_plan = layout_.row_plan, &col_plan = layout_.col_plan;
    const float edge = grid.box.x - layout_.row_gap;
    draw_rows(sheet_, row_plan, map_.row_labels, grid.rows_seen(), grid.top(), grid.cell_h, edge,
              row_marks_);
    draw_row_notes(sheet_, grid, map_.row_notes, edge, row_plan.style.size);
    draw_columns(sheet_, col_plan, map_.col_labels,
                 layout_.part ? upright_inside(sheet_, grid, col_plan, map_.col_labels)
                              : LabelRange(cols_),
                 grid.left(), grid.cell_w, grid.box.y - layout_.col_gap, Side::above,
                 sheet_.width() + beyond_ - sheet_.margin() / 2, col_marks_, LabelOf::column);
    draw_strips(sheet_, grid, options_); // after the labels, which reach down to them
    if (!layout_.with_axes) return;
    const Color muted = sheet_.theme().muted;
    sheet_.text(col_axis_words(map_), {edge, grid.box.y - 26}, kNote, muted, AlignX::right);
    sheet_.text(row_axis_words(map_), {edge, grid.box.y - 11}, kNote, muted, AlignX::right);
}

/// Says which rows and columns have names, behind words so wide; returns the width of all.
float HeatMap::say_left_out(float words) {
    const int rows = layout_.row_plan.step, cols = layout_.col_plan.step;
    if (rows <= 1 && cols <= 1) return words;
    const auto every = [](int step, const std::string& axis) {
        return step > 1 ? "every " + ordinal_of(step) + " " + axis : "";
    };
    const std::string both =
        (rows == cols           ? every(rows, "row and column")
         : rows > 1 && cols > 1 ? every(cols, "column") + ", " + every(rows, "row")
                                : every(cols, map_.col_axis) + every(rows, map_.row_axis)) +
        " named";
    const HeatGrid& grid = layout_.grid;
    const float from = words > 0 ? words + kLegendsApart : 0;
    const float masked = map_.masked.empty() ? 0 : legend_width(sheet_, "masked") + kLegendsApart;
    const float width = from + sheet_.width_of(both, kNote);
    const float left = grid.box.w - masked - width; // beside them; else below names of rows, too
    if (left < 0 && (from + masked > 0 || grid.box.x + left < sheet_.margin())) return words;
    sheet_.text(both, {grid.box.x + from + std::min(left, 0.f), grid.box.y + grid.box.h + 8}, kNote,
                sheet_.theme().muted, AlignX::left, AlignY::top);
    return width;
}

Figure HeatMap::draw() {
    if (empty()) {
        draw_empty(sheet_, top_);
        return std::move(sheet_.figure);
    }
    const HeatGrid& grid = layout_.grid;
    draw_cells(sheet_, grid, range_, layout_.part, map_, options_);
    sheet_.target(grid.box, tag::Cells{rows_, cols_});
    if (layout_.part) sheet_.figure.targets.back().shown = grid.shown;
    draw_cell_marks(sheet_, grid, map_, range_, options_, numbers_);
    draw_edges(sheet_, grid, options_);
    draw_sides();
    const Box& g = grid.box;
    if (layout_.with_bar) {
        const float x = g.x + g.w + layout_.bar_gap;
        draw_colour_bar(sheet_, range_, x, g.y, g.h,
                        sheet_.width() + beyond_ - sheet_.margin() - x);
        sheet_.target({x - 4, g.y, layout_.bar + 8, g.h + layout_.under}, tag::Control{});
    }
    float words = layout_.part ? draw_part(sheet_, grid, map_) : 0;
    if (layout_.with_legend && !layout_.part) {
        const float masked =
            map_.masked.empty() ? 0 : legend_width(sheet_, "masked") + kLegendsApart;
        const bool alone = map_.masked.empty() && map_.struck.empty();
        words = say_strips(sheet_, grid, options_, g.w - masked, alone);
    }
    if (layout_.with_legend) words = say_left_out(words);
    if (layout_.with_legend) draw_mask_legend(sheet_, grid, range_.palette, words, map_);
    sheet_.close_at(g.y + g.h + layout_.under);
    return std::move(sheet_.figure);
}

/// Where nothing lies beside the titles, as in a file, as few lines are kept free below them as let
/// both maps begin at one height.
void keep_fewest_lines(const MapData& left, Frame& of_left, const MapData& right, Frame& of_right) {
    if (of_left.beside_title > 0 || of_right.beside_title > 0) return;
    const auto top = [](const MapData& map, const Frame& frame) {
        return Sheet(frame, natural_heatmap_width(map, frame), 0).header(map.title, map.subtitle);
    };
    constexpr int kMostInFile = 6;
    const int most = of_left.height > 0 ? of_left.subtitle_lines : kMostInFile;
    for (int lines = 0; lines <= most; ++lines) {
        of_left.subtitle_lines = of_right.subtitle_lines = lines;
        if (std::abs(top(left, of_left) - top(right, of_right)) < 0.5f) return;
    }
}

/// The ends that the colours of a map span when they span all of it.
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

namespace {

/// Lays out two maps so that what either needs, both have; then neither has larger cells than the
/// other. `stacked`: each begins below its own words.
void lay_out_alike(HeatMap& a, HeatMap& b, bool stacked = false) {
    for (HeatMap* map : {&a, &b}) map->be_compared();
    if (a.empty() || b.empty()) {
        for (HeatMap* map : {&a, &b}) {
            if (!map->empty()) map->lay_out({});
        }
        return;
    }
    const HeatmapRoom open{};
    const auto both = [&](const HeatmapRoom& asked) {
        HeatmapRoom room = common_room(a.lay_out(asked), b.lay_out(asked));
        if (stacked) {
            room.top = open.top;
            room.bottom = open.bottom;
        }
        return room;
    };
    HeatmapRoom room = both({});
    room.cell_w = open.cell_w;
    room.cell_h = open.cell_h;
    both(both(room));
}

/// Lays out two maps beside each other and hands them over.
template <class Use>
auto laid_beside(const HeatmapAsked& left, const HeatmapAsked& right, Use&& use) {
    Frame of_left = left.frame, of_right = right.frame;
    keep_fewest_lines(left.map, of_left, right.map, of_right);
    // A reading is of both, and as wide as both are.
    const float margin = of_left.margin.value_or(margin_of(of_left.width));
    const float reads = of_left.width + of_right.width - 2 * margin;
    HeatMap b(right.map, right.options, of_right, ends_of(left.map));
    HeatMap a(left.map, left.options, of_left, ends_of(right.map),
              {std::max(reads, 0.f), b.end_of_titles()});
    a.be_part_of(of_left.width + of_right.width, margin); // over the margin of the other one
    b.be_part_of(of_left.width + of_right.width, 0);
    a.share_bar_of(b);
    lay_out_alike(a, b);
    return use(a, b);
}

} // namespace

Figure heatmaps_beside(const HeatmapAsked& left, const HeatmapAsked& right) {
    return laid_beside(left, right,
                       [](HeatMap& a, HeatMap& b) { return side_by_side(a.draw(), b.draw()); });
}

std::optional<Figure> named_heatmaps_beside(const HeatmapAsked& left, const HeatmapAsked& right) {
    return laid_beside(left, right, [](HeatMap& a, HeatMap& b) -> std::optional<Figure> {
        if (!a.has_every_name() || !b.has_every_name()) return std::nullopt;
        return side_by_side(a.draw(), b.draw());
    });
}

Figure heatmaps_stacked(const HeatmapAsked& above, const HeatmapAsked& below) {
    HeatMap a(above.map, above.options, above.frame, ends_of(below.map));
    HeatMap b(below.map, below.options, below.frame, ends_of(above.map));
    b.share_bar_of(a);
    lay_out_alike(a, b, true);
    return stacked(a.draw(), b.draw());
}

} // namespace heed::figure
