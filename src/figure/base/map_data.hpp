// One matrix with its labels and marks, and how its values become colours.
#pragma once

#include "figure/base/figure.hpp"
#include "num/matrix.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::figure {

enum class RangeMode { row, map, fixed }; // colours per row, over the whole map, or 0 to 1

/// The scale on which values become colours. Logarithmic: equal steps of colour for equal ratios,
/// over as many decades as the values span, at most six below the largest; of signed values three
/// on either side.
enum class ColourScale { linear, logarithmic };

struct Strip {
    std::shared_ptr<const Matrix<float>> shares{}; // n × 1 beside rows, 1 × n above columns
    bool tinted = true; // false: they are alike whatever the map is, and no colour says anything
};

struct HeatmapOptions {
    std::optional<PaletteId> palette{}; // the theme's by default
    RangeMode range = RangeMode::fixed;
    ColourScale scale = ColourScale::linear;
    bool numbers = true;       // in the cells, when they fit
    /// Points: where numbers would be smaller, there are none. Else 8, of maps to be compared 7.
    std::optional<float> smallest_digits{};
    /// Points: where a number would leave less of its cell's width free, weights below 1 begin with
    /// their point; where that is too little, too, there are no numbers. 0: they may fill it.
    float free_beside_numbers = 0;
    bool zeros = false; // what is exactly 0 is written so, in muted ink
    /// Numbers that are not 0 and round to it are told so, in muted ink; weights where few do.
    bool small_numbers = false;
    /// Colours that are all there is (no number has room) end at the largest weight, not at 1.
    bool span_where_bare = false;
    bool framed = false; // an edge about the cells: 0 has the colour of the ground in some themes
    int line_behind = 0; // a line behind so many rows and columns; 0: none
    std::string bar_word{}; // what colours are, below the bar; empty: how far they span
    bool colour_bar = true;
    bool bar_elsewhere = false;                    // one bar, outside of this map, is of several
    std::optional<std::pair<int, int>> selected{}; // query, key: crosshair and strong labels
    std::optional<std::pair<int, int>> hovered{};
    /// The rows and columns that the map is filtered to, ascending; the others fade. Empty: all.
    std::vector<int> chosen_rows{}, chosen_cols{};
    std::optional<Strip> row_strip{}, col_strip{}; // between labels and cells
    /// The part that fills the place of the whole map; cells that lie outside are not drawn.
    std::optional<Viewport> viewport{};
    float reach = 0; // colours span −reach to reach, too: of two maps that are compared
};

/// A row's note of itself, beside its label.
struct RowNote {
    Index row = 0;
    std::string words; // "edited"
    bool bad = false;  // something is wrong with the row: it is framed
};

/// One matrix with its labels: a stage of a head, large.
struct MapData {
    std::string title{}; // "Encoder layer 5 · head 3"
    /// "query (rows) attends to key (columns)" and every control that is not at its default.
    std::string subtitle{};
    std::shared_ptr<const Matrix<float>> values{};        // not finite: masked
    std::shared_ptr<const struct PreparedMap> prepared{}; // of the same values, where it is known
    /// Labels of rows and columns; where there are fewer, the rest have none.
    std::vector<std::string> row_labels{}, col_labels{};
    /// Labels of words that the model has no row of its own for, ascending.
    std::vector<int> unknown_rows{}, unknown_cols{};
    std::vector<RowNote> row_notes{};               // by row, ascending
    std::vector<Index> rows_without_distribution{}; // hatched, and the hatch says why
    std::vector<CellRun> masked{};                  // of the other rows, ascending
    std::vector<CellRun> struck{}; // of a difference, masked on one side alone: struck, in colour
    std::string struck_words{};    // "masked now"
    bool signed_values = false; // diverging palette centred at 0 rather than 0 to 1
    bool difference = false;    // of two maps: where they are equal no number is written
    bool weights = true;        // rows are distributions: range `fixed` is 0 to 1
    bool sums = false;          // weights of several heads added: they end at their largest
    std::string row_axis = "query", col_axis = "key"; // what rows and columns are
};

/// The colours of weights in thumbnails: as in the large map.
struct ThumbnailColours {
    std::optional<PaletteId> palette{}; // the theme's by default
    ColourScale scale = ColourScale::linear;
};

} // namespace heed::figure
