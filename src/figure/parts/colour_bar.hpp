// The strip beside a heat picture that says what its colours mean.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"

#include <cstddef>
#include <vector>

namespace heed::figure {

inline constexpr float kColourBarWidth = 14;

/// Width of the bar with its words.
float colour_bar_width(const Sheet& sheet, const ValueRange& range);

/// The bar's strip fills `left`, `top`, `height`; its words stand to the right and below.
void draw_colour_bar(Sheet& sheet, const ValueRange& range, float left, float top, float height);

inline constexpr float kColourBarGap = 20; // left of each of several bars

/// Bars above each other, or beside each other where that leaves them too low.
bool bars_go_beside(std::size_t bars, float height);
float colour_bars_width(const Sheet& sheet, const std::vector<ValueRange>& bars, bool beside);
/// The bars right of `left`, all of them together as high as `height` with their words.
void draw_colour_bars(Sheet& sheet, const std::vector<ValueRange>& bars, bool beside, float left,
                      float top, float height);

} // namespace heed::figure
