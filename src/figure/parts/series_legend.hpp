// The names of a chart's curves, above them, each behind a stroke as its curve is.
#pragma once

#include "figure/base/dashed_line.hpp"
#include "figure/parts/series_chart.hpp"

#include <optional>

namespace heed::figure {

inline constexpr float kSeriesLegendLine = 17; // points
inline constexpr int kMostToldApart = 18;      // curves, by hue and dash

/// The dash of a curve: none of as many as there are hues; the next ones are dashed, then dotted.
std::optional<Dash> dash_of_curve(const SeriesChart& chart, int i);
Color curve_color(const SeriesChart& chart, const Theme& theme, int i);

/// Names in as many lines as fit into a chart of this place, without the values of the weaker where
/// few have room with them; of those that have none their number. Returns the height that they
/// took.
float draw_series_legend(Sheet& sheet, const SeriesChart& chart, const Box& box);
/// The height of those.
float series_legend_height(const Sheet& sheet, const SeriesChart& chart, const Box& box);

} // namespace heed::figure
