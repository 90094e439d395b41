// Links between two columns of tokens.
#pragma once

#include "figure/views/links.hpp"

namespace heed::figure {

/// Whether two columns have the height that they need; in a low and wide place rows read better.
bool columns_fit(float width, float top, float bottom);

/// Fills the sheet from `top` to `bottom`.
void draw_line_columns(Sheet& sheet, const LinesData& data, const LinksOptions& options, float top,
                       float bottom);

} // namespace heed::figure
