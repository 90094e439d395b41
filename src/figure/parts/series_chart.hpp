// Curves of several series over one quantity, with their legend, ticks and a marker.
#pragma once

#include "figure/base/sheet.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// A value that is no part of its curve, as one that was measured otherwise: a ring.
struct ApartMark {
    float x = 0, value = 0; // as the chart's xs
};

struct Series {
    std::string name{};
    std::vector<float> values{};        // one an x; what is not finite breaks the curve
    std::vector<float> least{}, most{}; // a band about the curve; empty, or one an x
    std::optional<Color> color{};       // its own; by default that of its place
    bool bare{};                        // no ground under it, in a chart that is filled
    std::optional<int> hue{};           // the place whose colour it has; by default its own
    bool dashed_name{};                 // lies mostly upon another, whose pieces show between
    std::optional<ApartMark> apart{};
};

struct SeriesChart {
    std::vector<float> xs{}; // rising
    std::vector<Series> series{};
    bool log_x = false;                 // xs above 0
    bool powers_of_ten = false;         // values are logarithms, and their powers are written
    bool top_of_values = false;         // the axis ends where they do, not at a round number
    bool filled = false;                // the ground under the curves, down to 0
    std::optional<float> low{}, high{}; // spanned whatever the values are
    /// Written at the xs instead of their numbers, in up to two lines; one an x, or none.
    std::vector<std::string> x_names{};
    std::string x_word{};                // "position →"
    std::string y_word{};                // of curves that leave the upper left corner free
    bool y_word_above = false;           // of others: above the axis
    float below = 0;                     // points under a low place that the axis may reach into
    std::string before_names{};          // "dimension ", before the first name of the legend
    bool interleaved = false;            // where curves are one line, each has pieces of its own
    std::optional<int> above{};          // the series that lies on top; or, of interleaved ones,
                                         // is whole where the others are dashed. The first
    float names_high = 0;                // points that the legend takes at least
    bool strongest_first = false;        // the legend begins with the largest value at the marker
    bool bare_names = false;             // without their values at the marker
    bool all_names = false;              // names are worth more than height: on a page
    std::optional<int> decimals{};       // of values in the legend; by default three digits
    std::optional<std::size_t> marker{}; // index of an x: a dashed line, values in the legend
    int cell = 1;                        // xs to a cell of the target
    int part = 0;                        // of its tag
};

/// Colours of the first few series are the theme's; of more, evenly spaced hues.
Color series_color(const Theme& theme, int i, int count);

/// Fills the box; its axis is a value_axis(). Targets: cells of 1 × xs, of which so many share one.
void draw_series(Sheet& sheet, const SeriesChart& chart, const Box& box);

/// The place in numbers above 0 that is nearest to x on an axis of logarithms; none where x has
/// none.
std::optional<std::size_t> nearest_by_ratio(const std::vector<float>& xs, float x);

} // namespace heed::figure
