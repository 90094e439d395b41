// Several figures as one.
#pragma once

#include "figure/base/figure.hpp"

namespace heed::figure {

/// Draws `piece` onto a figure, its upper left corner at `at`. Targets keep their tags, but those
/// of cells and labels have `which` as their part: they are the piece's.
void put(Figure& onto, const Figure& piece, Point at, int which = 0);

/// `right` beside `left`, tops aligned; titles joined by " | ". Targets keep their tags, so that a
/// cell of one picture is the same cell of the other.
Figure side_by_side(Figure left, const Figure& right);
/// `below` under `above`, at one left edge.
Figure stacked(Figure above, const Figure& below);

} // namespace heed::figure
