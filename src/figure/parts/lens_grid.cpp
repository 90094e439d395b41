#include "figure/parts/lens_grid.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr TextStyle kLensWord{12};
constexpr float kNarrowestLetter = 30, kNarrowestWord = 62;
// Narrower columns, and smaller letters, where all of them then have room.
constexpr float kNarrowestOfAll = 26, kSmallerLetters = 0.8f;
// Of words that have room there, a little smaller.
constexpr float kShortColumn = 34, kMostShort = 36;
constexpr float kLowestCell = 13; // that has a word
constexpr float kLensNumberWide = 56, kNumberBelow = 18; // of cells with numbers below their words
constexpr float kBetweenCells = 3, kBesideWord = 9, kBesideWordShare = 0.16f; // of a narrow column

/// The room for a word in a column, and the column of a word.
float room_in_column(float column) {
    return column - kBetweenCells - std::min(kBesideWord, kBesideWordShare * column);
}
float column_of(float word) {
    return std::min(word + kBetweenCells + kBesideWord,
                    (word + kBetweenCells) / (1 - kBesideWordShare));
}

/// The columns around the chosen one of which words can be read.
struct ReadableLens {
    InsideGrid grid;
    Index first = 0; // of all columns
};

/// The widest of the words in so many columns and above them.
float widest_word(const Sheet& sheet, const InsideGrid& grid, const std::vector<std::string>& words,
                  Index first, Index count) {
    const auto all = static_cast<std::size_t>(grid.values->cols());
    float widest = 0;
    for (const auto* list : {&words, &grid.columns}) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            const auto column = static_cast<Index>(i % all);
            if (column < first || column >= first + count) continue;
            widest = std::max(widest, sheet.width_of((*list)[i], kLensWord));
        }
    }
    return widest;
}

ReadableLens readable(const Sheet& sheet, const InsideGrid& grid,
                      const std::vector<std::string>& words, float width) {
    constexpr float kSpare = 2, kCloseSpare = 0.5f;
    const float widest = widest_word(sheet, grid, words, 0, grid.values->cols());
    const float narrowest =
        std::clamp(column_of(widest) + kSpare, kNarrowestLetter, kNarrowestWord);
    InsideGrid shown = named_to_fit(grid, width);
    const Index all = grid.values->cols();
    const auto fit = [&](const InsideGrid& rows, float column) {
        return static_cast<Index>(std::max(1.f, (width - row_labels(sheet, rows)) / column));
    };
    Index fitting = fit(shown, narrowest);
    if (fitting >= all) return {shown, 0};
    const float tight = std::clamp(column_of(kSmallerLetters * widest) + kCloseSpare,
                                   kNarrowestOfAll, kNarrowestWord);
    if (fit(shown, tight) >= all) return {shown, 0};
    InsideGrid numbered = shown;
    numbered.numbers = true;
    if (fit(numbered, tight) >= all) return {numbered, 0};
    const int last = static_cast<int>(all) - 1;
    const auto first_of = [&](Index count) {
        return Index(lens_columns_from(last + 1, grid.col.value_or(last), static_cast<int>(count)));
    };
    for (Index count = all - 1; count > fitting; --count) { // a long word elsewhere takes no room
        const float own = widest_word(sheet, grid, words, first_of(count), count);
        float column = std::clamp(column_of(own) + kSpare, kNarrowestLetter, kNarrowestWord);
        const float close = column_of(kSmallerLetters * own) + kCloseSpare;
        if (close <= kMostShort) column = std::min(column, std::max(close, kShortColumn));
        if (fit(shown, column) >= count) fitting = count;
    }
    const Index first = first_of(fitting);
    shown.values = num::shared_matrix(Matrix<float>(grid.values->middleCols(first, fitting)));
    shown.columns.clear();
    for (Index i = first; i < std::min(first + fitting, std::ssize(grid.columns)); ++i) {
        shown.columns.push_back(grid.columns[static_cast<std::size_t>(i)]);
    }
    if (shown.col) *shown.col -= static_cast<int>(first);
    return {shown, first};
}

/// A cell that has a word, and where its room is.
struct LensWord {
    const std::string& word;
    Point middle;
    Color ink;
};

/// Draws them in one size, in smaller letters where one only just has no room.
void draw_lens_words(Sheet& sheet, const std::vector<LensWord>& cells, float high, float room) {
    TextStyle style{std::min(kLensWord.size, high * 0.62f)};
    float widest = room;
    for (const LensWord& cell : cells) widest = std::max(widest, sheet.width_of(cell.word, style));
    if (widest > room) style.size *= std::max(0.99f * room / widest, kSmallerLetters);
    for (const LensWord& cell : cells) {
        sheet.text(sheet.fitted_end(cell.word, style, room), cell.middle, style, cell.ink,
                   AlignX::centre, AlignY::middle);
    }
}

/// "The last 9 of 15 tokens", "Tokens 3 to 12 of 25"; empty where all of them are columns.
std::string columns_shown(Index first, Index shown, Index all) {
    if (shown >= all) return {};
    const std::string of = " of " + std::to_string(all);
    if (first + shown == all) return "The last " + std::to_string(shown) + of + " tokens";
    const std::string from = shown == 1 ? "Token " : "Tokens " + std::to_string(first + 1) + " to ";
    return from + std::to_string(first + shown) + of;
}

/// "8 of 12 layers"; empty where all of them are rows.
std::string layers_shown(Index shown, Index all) {
    if (shown >= all) return {};
    return std::to_string(shown) + " of " + std::to_string(all) + " layers";
}

/// A line below the lens: what of it is shown. Returns the height above it.
float note_on_rest(Sheet& sheet, const Box& whole, const std::string& layers,
                   const std::string& columns) {
    if (layers.empty() && columns.empty()) return whole.h;
    const bool both = !layers.empty() && !columns.empty();
    return note_below(sheet, whole, columns + (both ? " · " : "") + layers);
}

/// As many layers as have words in a place so high, where not all of them have.
InsideGrid with_words(InsideGrid grid, float high) {
    const auto all = static_cast<int>(grid.values->rows());
    const int shown = std::clamp(static_cast<int>(high / kLowestCell), 1, all);
    if (shown == all || !grid.rows.empty()) return grid;
    grid.layers = lens_layers(all, shown);
    Matrix<float> values = (*grid.values)(grid.layers, Eigen::all);
    grid.values = num::shared_matrix(std::move(values));
    if (grid.row) {
        const auto at = std::ranges::find(grid.layers, *grid.row);
        grid.row.reset();
        if (at != grid.layers.end()) grid.row = static_cast<int>(at - grid.layers.begin());
    }
    return grid;
}

} // namespace

std::vector<int> lens_layers(int all, int shown) {
    std::vector<int> layers;
    for (int i = 1; i <= shown; ++i) layers.push_back(all * i / shown - 1);
    return layers;
}

void draw_lens(Sheet& sheet, const LensGrid& lens, const Box& whole, int tag_part) {
    const Index all = lens.grid.values->cols();
    const auto [columns, first] = readable(sheet, lens.grid, lens.words, whole.w);
    const Index tokens = columns.values->cols();
    const std::string shown = columns_shown(lens.first + first, tokens, std::max(lens.tokens, all));
    const auto placed = [&](const Box& room) {
        return place_grid(sheet, columns, room, Side::above, 120);
    };
    const auto layers_in = [&](const Box& room) {
        return with_words(columns, placed(room).box.h).values->rows();
    };
    Box part = whole;
    const Index all_layers = lens.grid.values->rows();
    if (!shown.empty() || layers_in(whole) < all_layers) {
        const Box above{whole.x, whole.y, whole.w, whole.h - kGridNote};
        part.h = note_on_rest(sheet, whole, layers_shown(layers_in(above), all_layers), shown);
    }
    const GridPlace place = placed(part);
    const Box& box = place.box;
    const InsideGrid grid = with_words(columns, box.h);
    const Index layers = grid.values->rows();
    const float w = box.w / static_cast<float>(tokens), h = box.h / static_cast<float>(layers);
    const float gap = std::min(w, h) > 12 ? 1.5f : 0;
    const PaletteId palette = sheet.theme().weights;
    const bool numbered = w >= kLensNumberWide && h >= 2 * kNumberBelow + 4;
    TextStyle number = kMonoNote;
    number.size *= std::min(1.f, room_in_column(w) / sheet.width_of("> 99.9 %", number));
    std::vector<LensWord> words;
    for (Index layer = 0; layer < layers; ++layer) {
        for (Index token = 0; token < tokens; ++token) {
            const float p = (*grid.values)(layer, token);
            const Box cell{box.x + static_cast<float>(token) * w + gap,
                           box.y + static_cast<float>(layers - 1 - layer) * h + gap, w - 2 * gap,
                           h - 2 * gap};
            if (!std::isfinite(p)) {
                sheet.fill(cell, sheet.theme().raised, gap);
                continue;
            }
            const Color ground = colour_of(palette, p, 0, 1);
            sheet.fill(cell, ground, gap);
            const Index of =
                grid.layers.empty() ? layer : grid.layers[static_cast<std::size_t>(layer)];
            const auto at = static_cast<std::size_t>(of * all + first + token);
            if (h < kLowestCell || w < 24 || at >= lens.words.size()) continue;
            const float middle = cell.y + cell.h / 2, below = numbered ? kNumberBelow / 2 : 0;
            const Color ink = ink_on(ground);
            words.push_back({lens.words[at], {cell.x + cell.w / 2, middle - below}, ink});
            if (!numbered) continue;
            sheet.text(probability_text(static_cast<double>(p)),
                       {cell.x + cell.w / 2, middle + below}, number, ink, AlignX::centre,
                       AlignY::middle);
        }
    }
    draw_lens_words(sheet, words, h, room_in_column(w));
    sheet.target(box, tag::Cells{static_cast<int>(layers), static_cast<int>(tokens), tag_part});
    name_grid(sheet, grid, place, Side::above, part.x + part.w, tag_part);
    outline_cell(sheet, grid, box);
}

} // namespace heed::figure
