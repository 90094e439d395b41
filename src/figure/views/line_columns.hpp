// Links as ribbons between two lines of tokens, queries and keys, which ribbons lie on top, and
// their two columns.
#pragma once

#include "figure/base/axis_labels.hpp"
#include "figure/views/links.hpp"

#include <functional>
#include <vector>

namespace heed::figure {

/// The tokens that stand out on either line: the ends of the selected and of the hovered link, and
/// those whose links are shown alone.
struct LineMarks {
    AxisMarks queries, keys;
};
LineMarks line_marks(const LinesData& data, const LinksOptions& options);

/// The distance of a head's links from the middle of their tokens, so far apart at the least: where
/// several heads are shown, links between the same tokens lie beside each other and keep their
/// hues.
float beside_heads(const LinesData& data, int head, float pitch);

/// Draws `links` over the faint ones of the other tokens, those of the selected query last. Each
/// can be picked at its middle. `ribbon_of` gives a link's curve between the two lines.
void draw_ribbons(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                  const std::vector<Link>& links,
                  const std::function<Curve(const Link&, const LinkLook&)>& ribbon_of);

/// True where two columns have the height that they need; in a low and wide place rows read better.
bool columns_fit(float width, float top, float bottom);
/// The height, with heading and note, at which two columns of so many tokens are read with ease.
float columns_height(float width, int tokens);

/// Tokens × heads: at a query the largest weight that goes out, or the sum to the chosen keys; at a
/// key the mean weight that comes in, of the chosen queries where there are some.
Matrix<float> squares_of_queries(const LinesData& data, const LinksOptions& options);
Matrix<float> squares_of_keys(const LinesData& data, const LinksOptions& options);

/// Fills the sheet from `top` to `bottom`.
void draw_line_columns(Sheet& sheet, const LinesData& data, const LinksOptions& options, float top,
                       float bottom);

} // namespace heed::figure
