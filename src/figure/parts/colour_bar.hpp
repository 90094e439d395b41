// The strip beside a heat picture that says what its colours mean.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"

namespace heed::figure {

inline constexpr float kColourBarWidth = 14;

/// Width of the bar with its words.
float colour_bar_width(const Sheet& sheet, const ValueRange& range);

/// The bar's strip fills `left`, `top`, `height`; its words stand to the right and below.
void draw_colour_bar(Sheet& sheet, const ValueRange& range, float left, float top, float height);

} // namespace heed::figure
