// A finished figure, made larger or smaller, or cut to what is drawn: for a page that has so much
// room and no more.
#pragma once

#include "figure/base/frame.hpp"

namespace heed::figure {

/// The least box around everything that is drawn; empty where nothing is.
Box content_box(const Figure& figure, Measure measure = &figure::measure);

/// Every length, line and letter times `factor`.
Figure scaled(Figure figure, float factor);

/// The part inside of `box`, which then begins at the origin.
Figure cut_to(Figure figure, const Box& box);

} // namespace heed::figure
