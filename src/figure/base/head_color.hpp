// Hues of heads: evenly spaced round the circle, all of one lightness, so that none shouts.
#pragma once

#include "figure/base/palette.hpp"

namespace heed::figure {

/// Hues of heads; after so many they begin again, and then numbers tell heads apart.
inline constexpr int kHeadHues = 16;

/// The hue of head `head` (from 0) of a model of n_heads: the same whichever heads are shown.
Color head_color(int head, int n_heads, bool dark);

} // namespace heed::figure
