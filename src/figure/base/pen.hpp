// Pens that every painter draws with alike: dashes, and the hatching of rows without a
// distribution.
#pragma once

#include "figure/base/figure.hpp"

#include <optional>

namespace heed::figure {

struct Dashes {
    float on, off; // points
};
/// The dashes of a line of this width in points.
Dashes dashes(float width);

/// Stripes that rise to the right at 45 degrees.
struct Hatching {
    float spacing, width; // points; spacing along the row
    Color color;
};
/// The hatching of one row of a grid that is drawn. Requires a row that the grid has.
Hatching hatching(const Heat& heat, Index row);

/// True where masked cells of this size have stripes, not their colour alone.
bool hatches_masked(float cell_w, float cell_h);

/// The number of veils over a cell: of its row and of its column.
int veils_over(const Heat& heat, Index row, Index col);
/// A colour below so many veils.
Color veiled(Color color, const Veils& veils, int count);
/// The places of veils that can be seen.
std::vector<Box> veil_boxes(const Heat& heat);

/// A place to hatch, in colours that its veils are mixed into.
struct HatchedBox {
    Box box;
    Hatching pen;
    std::optional<Color> ground{}; // fills the box first
    bool hatched = true;           // false: too small for stripes, the ground alone tells it
};
/// Every hatched row and every masked run of the grid that can be seen; neighbours that are thinner
/// than a point are one. What the grid does not have is left out.
std::vector<HatchedBox> hatched_boxes(const Heat& heat);

} // namespace heed::figure
