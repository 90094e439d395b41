// A finished figure, made larger or smaller, or cut to what is drawn: for a page that has so much
// room and no more.
#pragma once

#include "figure/base/frame.hpp"

#include <functional>

namespace heed::figure {

/// The least box around everything that is drawn; empty where nothing is.
Box content_box(const Figure& figure, Measure measure = &figure::measure);

/// The least box without words that are set from its left edge, but for bold ones: those are broken
/// at the picture's width, whatever is drawn.
Box drawn_box(const Figure& figure);

/// Every length, line and letter times `factor`.
Figure scaled(Figure figure, float factor);

/// The figure that `draw` makes, in the middle of this width: its words begin with the rest of it,
/// and are broken where it ends.
Figure centred(float width, const std::function<Figure(float)>& draw);

/// The part inside of `box`, which then begins at the origin.
Figure cut_to(Figure figure, const Box& box);

} // namespace heed::figure
