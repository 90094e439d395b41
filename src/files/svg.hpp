// The painter of SVG: text stays text, cells stay sharp in every viewer.
#pragma once

#include "figure/base/figure.hpp"

#include <string>

namespace heed::files {

/// A whole document; one user unit is a point, also on paper. The figure's title is its <title>.
/// Heat cells are paths, one a colour, up to 256 × 256 cells; beyond, a PNG picture enlarged by a
/// whole factor, because some viewers smooth a picture whatever it asks for.
std::string write_svg(const figure::Figure& figure, bool transparent);

} // namespace heed::files
