// The values that the ends of a palette stand for, and the words in which a reader is told.
#pragma once

#include "figure/base/levels.hpp"
#include "figure/base/map_data.hpp"
#include "figure/base/theme.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace heed::figure {

struct ValueRange {
    std::shared_ptr<const Matrix<float>> values; // to be coloured: the map's own, or scaled by row
    PaletteId palette = PaletteId::amber;
    float low = 0, high = 1;
    std::string low_text, middle_text, high_text; // beside the colour bar
    std::string meaning;         // "weights", "0 to max", "each row", "0-centred"…
    std::string whole_meaning{}; // "attention weight": where there is room for it
    std::shared_ptr<const Levels> levels{};       // of `values`, where it is large
    std::optional<Decades> decades{};             // of `values`, where they are known already
    /// Words beside the bar, in place of those at its ends and its middle, and the values, as
    /// coloured, at which they stand.
    std::vector<std::pair<float, std::string>> ticks{};
};

struct Ends {
    float low = 0, high = 0;
};
/// The least and the largest finite number; both 0 when there is none.
Ends finite_ends(const float* values, Index count);
/// Each row divided by its own largest size.
std::shared_ptr<const Matrix<float>> by_row(const Matrix<float>& values);

/// The largest finite number above 0 of each row; 0 when there is none.
std::vector<float> largest_of_rows(const Matrix<float>& values);

/// Largest absolute value that is finite; 0 when there is none.
float largest_size(const Matrix<float>& values);
/// Largest absolute value of a map, which may know it already.
float largest_size(const MapData& map);

/// One value for each block of tall × wide values: the one of largest size, not finite only where
/// the whole block is not. Blocks at the far sides may be smaller.
Matrix<float> strongest_of_blocks(const Matrix<float>& values, Index tall, Index wide);

/// Colours from the low end to the high one, with the words of both and of their middle.
ValueRange range_between(std::shared_ptr<const Matrix<float>> values, PaletteId palette, Ends ends,
                         std::string meaning);

/// Colours for signed values, −a … a; a is 1 where everything is 0.
ValueRange signed_range(std::shared_ptr<const Matrix<float>> values, PaletteId palette);

/// The range of a map. Signed values are centred at 0 in every mode; `fixed` is 0 to 1 for weights
/// and the whole map for anything else, sums of weights too; in mode `row` every row is divided by its own largest size.
/// `span_too`: colours over the whole map span these, too.
ValueRange value_range(const MapData& map, RangeMode mode, std::optional<PaletteId> palette,
                       const Theme& theme, ColourScale scale = ColourScale::linear,
                       std::optional<Ends> span_too = {});

/// The decades of numbers above 0, up to `high` (above 0): down to the power of ten at or below the
/// least of them, at most six.
Decades decades(const std::shared_ptr<const Matrix<float>>& values, const Levels* levels,
                float high);

/// The range with logarithms in place of its values: decades above a floor, so that 0 is the low
/// end and larger is still stronger. Values of exactly 0 have no logarithm and are not finite;
/// those below the floor stand at it. Signed values keep their sign, and all below the floor are 0.
/// Remembered for the last few matrices, so that asking again costs a look-up. Any thread.
ValueRange logarithmic(const ValueRange& range);

/// The range of a thumbnail: of weights 0 to `high`. Not remembered: there are many of them, and
/// they are small.
ValueRange thumbnail_range(const std::shared_ptr<const Matrix<float>>& values, bool signed_values,
                           float high, const ThumbnailColours& colours, const Theme& theme);

} // namespace heed::figure
