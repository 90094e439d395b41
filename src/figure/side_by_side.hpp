// Two figures as one.
#pragma once

#include "figure/figure.hpp"

namespace heed::figure {

/// `right` beside `left`, tops aligned; titles joined by " | ". Targets keep their tags, so that a
/// cell of one picture is the same cell of the other.
Figure side_by_side(Figure left, const Figure& right);

} // namespace heed::figure
