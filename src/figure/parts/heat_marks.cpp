#include "figure/parts/heat_marks.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/pen.hpp"
#include "figure/parts/strip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace heed::figure {

void light_filter_alone(AxisMarks& marks) {
    marks.kept = marks.chosen.empty() ? marks.selected : marks.chosen.front();
    marks.selected.reset();
}

namespace {

/// Lines about the row and the column of a cell; a tint would be another colour of the data.
void draw_cross(Sheet& sheet, const HeatGrid& grid, int row, int col) {
    const Box cell = grid.cell(row, col), &g = grid.box;
    for (const Box& piece : {Box{g.x, cell.y, g.w, cell.h}, Box{cell.x, g.y, cell.w, g.h}}) {
        const Box seen = common(piece, g);
        if (seen.w > 0.01f && seen.h > 0.01f) sheet.stroke(seen, faded(sheet.theme().accent, 0.6f));
    }
}

/// A hair along the inner side of a cell, however small the cell is.
void draw_hovered(Sheet& sheet, const HeatGrid& grid, int row, int col) {
    const Box box = common(grid.cell(row, col), grid.box);
    if (box.w <= 0 || box.h <= 0) return; // beyond what is shown
    const float x = std::max(0.f, 6 - box.w) / 2, y = std::max(0.f, 6 - box.h) / 2;
    sheet.stroke({box.x - x, box.y - y, box.w + 2 * x, box.h + 2 * y},
                 faded(sheet.theme().text, 0.6f), 1);
}

/// A frame about a cell and outside of it, which keeps all of its colour; a hair sets the frame off
/// from cells of nearly its own colour.
void draw_frame(Sheet& sheet, const HeatGrid& grid, int row, int col) {
    constexpr float kFrame = 2, kHair = 1, kSetOff = 16; // points; a cell that has the hair
    const Box box = common(grid.cell(row, col), grid.box);
    if (box.w <= 0 || box.h <= 0) return; // beyond what is shown
    const auto around = [&](float by, Color color, float width) {
        sheet.stroke({box.x - by, box.y - by, box.w + 2 * by, box.h + 2 * by}, color, width);
    };
    if (std::min(box.w, box.h) >= kSetOff) {
        around(kFrame + kHair, sheet.theme().panel, kHair);
    }
    around(kFrame, sheet.theme().accent, kFrame);
}

/// The sides of a filter that a cell is not of.
int sides_passing_over(const HeatmapOptions& options, int row, int col) {
    const auto passed_over = [](const std::vector<int>& choice, int i) {
        return !choice.empty() && !std::ranges::binary_search(choice, i) ? 1 : 0;
    };
    return passed_over(options.chosen_rows, row) + passed_over(options.chosen_cols, col);
}

/// Strokes over two corners of every struck cell, beside its number and over its colour.
void strike_cells(Sheet& sheet, const HeatGrid& grid, const std::vector<CellRun>& struck,
                  const HeatmapOptions& options) {
    if (!strikes_cells(grid)) return;
    const LabelRange rows = grid.rows_seen(), cols = grid.cols_seen();
    for (const CellRun& run : struck) {
        const auto row = static_cast<int>(run.row);
        if (!HeatGrid::within(rows, row)) continue;
        for (int col = std::max(static_cast<int>(run.first), cols.first);
             col < std::min(static_cast<int>(run.last), cols.last); ++col) {
            strike(sheet, common(grid.cell(row, col), grid.box),
                   sides_passing_over(options, row, col));
        }
    }
}

/// The distance of a table's entry from nothing, 0 to 1: its number speaks as loudly.
float strength(PaletteId palette, std::size_t entry) {
    const bool two_sided = palette == PaletteId::diverging || palette == PaletteId::diverging_dark;
    const float share = static_cast<float>(entry) / 255.f;
    return std::min(1.f, 2 * (two_sided ? std::abs(2 * share - 1) : share));
}

/// True where words of this size about a place stay inside the box: of a part of a map, the cells
/// at the edges may be cut.
bool holds(const Box& box, Point centre, float width, float height) {
    return centre.x - width / 2 >= box.x && centre.x + width / 2 <= box.x + box.w &&
           centre.y - height / 2 >= box.y && centre.y + height / 2 <= box.y + box.h;
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

/// The widest number that the cells may have. Of two maps that are compared both have the digits
/// that the larger needs.
std::string widest_text(const MapData& map, const HeatmapOptions& options, int decimals) {
    const float largest = std::max(largest_size(map), options.reach);
    return (map.signed_values ? "−" : "") + number_text(largest, decimals);
}

/// Half of the last place: what is smaller rounds to 0.
float least_rounded(int decimals) { return 0.5f * std::pow(10.f, static_cast<float>(-decimals)); }

/// Digits that round to 0 would only stand before those that say something.
float least_written(const MapData& map, int decimals) {
    const bool sparse = map.weights || map.difference || !map.signed_values;
    return sparse ? least_rounded(decimals) : 0;
}

/// The number of a cell as it is written.
std::string number_of_cell(const CellNumbers& numbers, const MapData& map, int row, int col) {
    const float value = (*map.values)(row, col);
    if (!map.weights) return number_text(value, numbers.decimals);
    const float told = told_weight(value, row_of(*map.values, row));
    const std::string words = numbers.narrow ? short_weight_text(told, numbers.decimals)
                                             : weight_text(told, numbers.decimals);
    if (!numbers.pointed) return words;
    if (told == 1) return "1";
    return words.starts_with("0.") ? words.substr(1) : words;
}

/// The widest number that is written; 0 of none.
float widest_number(const Sheet& sheet, const CellNumbers& numbers, const MapData& map) {
    const float least = least_written(map, numbers.decimals);
    float widest = 0;
    for (int row = 0; row < map.values->rows(); ++row) {
        for (int col = 0; col < map.values->cols(); ++col) {
            const float value = (*map.values)(row, col);
            if (!std::isfinite(value) || std::abs(value) < least) continue;
            widest = std::max(
                widest, sheet.width_of(number_of_cell(numbers, map, row, col), numbers.style));
        }
    }
    return widest;
}

bool is_small(float value, int decimals) {
    return value != 0 && std::abs(value) < least_rounded(decimals);
}

/// "<.01" or "≈0" in cells of numbers that are not 0 and round to it: few without a number among
/// others would be taken for masked. Many such weights are told by the others, and would drown
/// these.
std::string small_number(const Sheet& sheet, const HeatGrid& grid, const MapData& map,
                         const HeatmapOptions& options, const CellNumbers& numbers) {
    constexpr Index kFew = 4;     // of so many weights one
    constexpr float kAny = 1e-6f; // a weight that rounds to 0
    const std::string near = "≈0";
    if (!map.weights) return near;
    const auto small = [&](float weight) { return is_small(weight, numbers.decimals); };
    const Index allowed = (map.values->array() > 0).count();
    if (kFew * map.values->unaryExpr(small).count() > allowed) return {};
    for (std::string bound :
         {weight_text(kAny, numbers.decimals), short_weight_text(kAny, numbers.decimals)}) {
        const float wide = sheet.width_of(bound, numbers.style) + options.free_beside_numbers;
        if (wide <= grid.cell_w) return bound;
    }
    return near;
}

/// "0" in the cells that are exactly that, instead of nothing or of digits.
bool writes_zeros(const HeatGrid& grid, const HeatmapOptions& options) {
    constexpr float kLeastWidth = 11, kLeastHeight = 12;
    return options.zeros && grid.cell_w >= kLeastWidth && grid.cell_h >= kLeastHeight;
}

/// What cells have in muted ink: zeros and, where they are told, numbers that round to 0.
void draw_quiet_numbers(Sheet& sheet, const HeatGrid& grid, const MapData& map,
                        const HeatmapOptions& options, const std::optional<CellNumbers>& numbers) {
    constexpr TextStyle kZero{10, Font::mono};
    const bool zeros = writes_zeros(grid, options), small = numbers && !numbers->small.empty();
    if (!zeros && !small) return;
    const LabelRange rows = grid.rows_seen(), cols = grid.cols_seen();
    for (int row = rows.first; row < rows.last; ++row) {
        for (int col = cols.first; col < cols.last; ++col) {
            const float value = (*map.values)(row, col);
            const bool zero = zeros && value == 0;
            if (!zero && !(small && is_small(value, numbers->decimals))) continue;
            const Box cell = grid.cell(row, col);
            sheet.text(zero ? "0" : numbers->small, {cell.x + cell.w / 2, cell.y + cell.h / 2},
                       zero ? kZero : numbers->style, sheet.theme().muted, AlignX::centre,
                       AlignY::middle);
        }
    }
}

void draw_numbers(Sheet& sheet, const HeatGrid& grid, const MapData& map, const ValueRange& range,
                  const HeatmapOptions& options, const CellNumbers& numbers) {
    const Matrix<float>& values = *map.values;
    TextStyle style = numbers.style;
    const float widest = sheet.width_of(widest_text(map, options, numbers.decimals), style);
    const Inks& ink = inks(range.palette);
    const float least = least_written(map, numbers.decimals);
    const bool zeros = writes_zeros(grid, options), small = !numbers.small.empty();
    constexpr float kQuiet = 0.65f; // quieter than any of the filter
    const bool both_sides = !options.chosen_rows.empty() && !options.chosen_cols.empty();
    const LabelRange rows = grid.rows_seen(), cols = grid.cols_seen();
    const auto count = static_cast<std::size_t>(std::max(0, rows.last - rows.first)) *
                       static_cast<std::size_t>(std::max(0, cols.last - cols.first));
    sheet.figure.items.reserve(sheet.figure.items.size() + count + 64);
    for (int row = rows.first; row < rows.last; ++row) {
        for (int col = cols.first; col < cols.last; ++col) {
            const float value = values(row, col);
            const bool chosen = options.selected == std::pair(row, col);
            const float size = std::abs(value);
            // Of the selected cell digits that round to 0 are asked for.
            const bool nothing = least > 0 && (chosen ? size <= 0 : size < least);
            const bool quiet = value == 0 ? zeros : small && is_small(value, numbers.decimals);
            if (!std::isfinite(value) || nothing || quiet) continue;
            const int veils = sides_passing_over(options, row, col);
            if (veils >= (both_sides ? 2 : 1) && !chosen) continue; // of no side of the filter
            const Box cell = grid.cell(row, col);
            const Point centre{cell.x + cell.w / 2, cell.y + cell.h / 2};
            if (!holds(grid.box, centre, widest, style.size)) continue;
            const int entry = table_index((*range.values)(row, col), range.low, range.high);
            style.weight = chosen ? Weight::bold : Weight::regular;
            const Color ground = table(range.palette)[static_cast<std::size_t>(entry)];
            const Color color =
                veils > 0
                    ? soft_ink_on(veiled(ground, {{}, {}, veil(sheet.theme())}, veils), kQuiet)
                : chosen ? ink_on(ground)
                         : ink[static_cast<std::size_t>(entry)];
            sheet.text(number_of_cell(numbers, map, row, col), centre, style, color, AlignX::centre,
                       AlignY::middle);
        }
    }
}

} // namespace

std::optional<CellNumbers> plan_numbers(const Sheet& sheet, const HeatGrid& grid,
                                        const MapData& map, const HeatmapOptions& options,
                                        float smallest_digits) {
    if (grid.cell_w < 16 || grid.cell_h < 9) return {}; // not even the smallest digits fit
    CellNumbers numbers;
    if (!map.weights) numbers.decimals = decimals_for(std::max(largest_size(map), options.reach));
    TextStyle& style = numbers.style;
    const float at_twelve =
        std::max(sheet.width_of(widest_text(map, options, numbers.decimals), style), 1.f);
    const auto size_in = [&](float around, float wide) { // of a number so wide at 12 points
        return std::floor(2 * std::min({12.f, grid.cell_w >= 70 ? 12.f : 11.f, grid.cell_h - 3,
                                        12 * (grid.cell_w - around) / wide})) /
               2;
    };
    constexpr float kAround = 6, kCloseAround = 3;
    float around = kAround;
    if (size_in(around, at_twelve) < smallest_digits) around = kCloseAround;
    style.size = around == kAround ? size_in(around, at_twelve) : smallest_digits;
    bool fits = size_in(around, at_twelve) >= smallest_digits;
    // One way of writing bounds in all cells of a picture.
    TextStyle strong = style;
    strong.weight = Weight::bold;
    numbers.narrow =
        sheet.width_of("> " + number_text(0, numbers.decimals), strong) > grid.cell_w - around;
    if (const float free = options.free_beside_numbers; free > 0) {
        const auto has_room = [&] {
            const float widest = widest_number(sheet, numbers, map);
            return widest > 0 && widest + free <= grid.cell_w;
        };
        fits = fits && has_room();
        if (!fits && map.weights && grid.cell_h - 3 >= smallest_digits) {
            numbers.narrow = numbers.pointed = true;
            style.size = smallest_digits;
            fits = has_room();
        }
    }
    if (!fits) return {};
    if (options.small_numbers) numbers.small = small_number(sheet, grid, map, options, numbers);
    return numbers;
}

void draw_edges(Sheet& sheet, const HeatGrid& grid, const HeatmapOptions& options) {
    const Box& box = grid.box;
    if (options.framed) {
        sheet.stroke({box.x - 0.5f, box.y - 0.5f, box.w + 1, box.h + 1}, sheet.theme().border);
    }
    const int count = options.line_behind;
    if (count <= 0 || count >= std::min(grid.rows, grid.cols)) return;
    const Box behind = grid.cell(count, count); // on a ground that parts the line from any colour
    for (const auto& [color, width] :
         {std::pair{sheet.theme().panel, 3.f}, std::pair{sheet.theme().text, 1.f}}) {
        sheet.line({{behind.x, box.y}, {behind.x, box.y + box.h}}, color, width);
        sheet.line({{box.x, behind.y}, {box.x + box.w, behind.y}}, color, width);
    }
}

void draw_cell_marks(Sheet& sheet, const HeatGrid& grid, const MapData& map,
                     const ValueRange& range, const HeatmapOptions& options,
                     const std::optional<CellNumbers>& numbers) {
    const bool selected = grid.has(options.selected);
    // Below the veils of a filter only pieces of it would be seen.
    const bool filtered = !options.chosen_rows.empty() || !options.chosen_cols.empty();
    if (selected && !filtered)
        draw_cross(sheet, grid, options.selected->first, options.selected->second);
    strike_cells(sheet, grid, map.struck, options);
    if (numbers) draw_numbers(sheet, grid, map, range, options, *numbers);
    if (options.numbers) draw_quiet_numbers(sheet, grid, map, options, numbers);
    draw_reasons(sheet, grid, map.rows_without_distribution);
    if (grid.has(options.hovered)) {
        draw_hovered(sheet, grid, options.hovered->first, options.hovered->second);
    }
    if (selected) draw_frame(sheet, grid, options.selected->first, options.selected->second);
}

bool strikes_cells(const HeatGrid& grid) {
    constexpr float kLeast = 8; // points of a side
    return grid.cell_w >= kLeast && grid.cell_h >= kLeast;
}

void strike(Sheet& sheet, const Box& cell, int veils) {
    const float through = 1 - static_cast<float>(veil(sheet.theme()).a) / 255;
    const Color ink =
        faded(sheet.theme().text, 0.45f * std::pow(through, static_cast<float>(veils)));
    const float most = 0.5f * std::min(cell.w, cell.h);
    for (const float reach : {most / 2, most}) {
        sheet.line({{cell.x, cell.y + reach}, {cell.x + reach, cell.y}}, ink);
        const float right = cell.x + cell.w, bottom = cell.y + cell.h;
        sheet.line({{right - reach, bottom}, {right, bottom - reach}}, ink);
    }
}

void draw_row_notes(Sheet& sheet, const HeatGrid& grid, const std::vector<RowNote>& notes,
                    float edge, float label_size) {
    constexpr TextStyle style{9.5f};
    constexpr float kFromGrid = 6, kThickness = 3; // of the mark
    const LabelRange seen = grid.rows_seen();
    for (const RowNote& note : notes) {
        if (note.row >= grid.rows) continue;
        Box row = grid.cell(static_cast<int>(note.row), 0);
        row.x = grid.box.x;
        row.w = grid.box.w;
        row = common(row, grid.box);
        if (row.h <= 0) continue;
        const Color ink = note.bad ? sheet.theme().bad : sheet.theme().accent;
        const float inset = std::min(row.h * 0.2f, 4.0f);
        sheet.fill({edge + kFromGrid, row.y + inset, kThickness, row.h - 2 * inset}, ink, 1);
        if (note.bad) sheet.stroke(row, ink, 1.5f);
        const float middle = row.y + row.h / 2 + label_size / 2;
        const bool fits = grid.cell_h >= label_size + 2 * (style.size + 4);
        if (!fits || !HeatGrid::within(seen, static_cast<int>(note.row))) continue;
        sheet.text(sheet.fitted(note.words, style, edge - sheet.margin() / 2),
                   {edge, middle + style.size}, style, ink, AlignX::right);
    }
}

/// One reason for each run of hatched rows, in its middle.
void draw_reasons(Sheet& sheet, const HeatGrid& grid, std::vector<Index> rows) {
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

std::string short_weight_text(float weight, int decimals) {
    const std::string words = weight_text(weight, decimals);
    if (!words.starts_with('<') && !words.starts_with('>')) return words;
    return words.substr(0, 1) + words.substr(words.find('.')); // without the blank and the 0
}

void mark_faulty(Sheet& sheet, const Box& box) {
    const Color bad = sheet.theme().bad;
    sheet.stroke(box, bad, 1.5f);
    const float corner = std::min(8.f, box.w / 3);
    sheet.fill({box.x + box.w - corner, box.y, corner, corner}, bad);
}

void strike_through(Sheet& sheet, const Box& box) {
    sheet.fill(box, faded(sheet.theme().panel, 0.7f));
    sheet.line({{box.x, box.y + box.h}, {box.x + box.w, box.y}}, sheet.theme().muted);
}

void mark_cell(Sheet& sheet, const Box& map, const Matrix<float>& values,
               const std::pair<int, int>& at) {
    constexpr float kLeastMap = 24, kLeast = 5;
    const auto rows = static_cast<float>(values.rows()), cols = static_cast<float>(values.cols());
    const auto row = static_cast<float>(at.first), col = static_cast<float>(at.second);
    if (map.w < kLeastMap || row < 0 || col < 0 || row >= rows || col >= cols) return;
    const float w = std::max(map.w / cols, kLeast), h = std::max(map.h / rows, kLeast);
    const float x = map.x + (col + 0.5f) * map.w / cols - w / 2;
    const float y = map.y + (row + 0.5f) * map.h / rows - h / 2;
    const Box cell{std::clamp(x, map.x, map.x + map.w - w), std::clamp(y, map.y, map.y + map.h - h),
                   w, h};
    sheet.stroke(cell, sheet.theme().panel, 3);
    sheet.stroke(cell, sheet.theme().accent, 1.5f);
}

void mark_kept(Sheet& sheet, const Box& box) {
    const float size = std::clamp(std::round(box.w * 0.16f), 4.f, 11.f);
    const Box mark{box.x + box.w - size - 1.5f, box.y + 1.5f, size, size};
    sheet.fill({mark.x - 1.5f, mark.y - 1.5f, size + 3, size + 3}, sheet.theme().panel,
               size / 2 + 1.5f);
    sheet.fill(mark, sheet.theme().accent, size / 2);
}

} // namespace heed::figure
