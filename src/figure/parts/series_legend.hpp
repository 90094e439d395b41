// The names of a chart's curves, above them, each behind a stroke as its curve is.
#pragma once

#include "figure/parts/series_chart.hpp"

namespace heed::figure {

inline constexpr float kSeriesLegendLine = 17; // points

/// True of curves beyond as many as there are hues.
bool is_dashed_curve(const SeriesChart& chart, int i);
Color curve_color(const SeriesChart& chart, const Theme& theme, int i);

/// Names in as many lines as fit into `room`, without the values of the weaker where few have room
/// with them; of those that have none their number. Returns the height that they took.
float draw_series_legend(Sheet& sheet, const SeriesChart& chart, const Box& box, float room);

} // namespace heed::figure
