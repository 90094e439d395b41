// Links between two columns of tokens.
#pragma once

#include "figure/views/links.hpp"

namespace heed::figure {

/// True where two columns have the height that they need; in a low and wide place rows read better.
bool columns_fit(float width, float top, float bottom);

/// Tokens × heads: at a query the largest weight that goes out, or the sum to the chosen keys; at a
/// key the mean weight that comes in, of the chosen queries where there are some.
Matrix<float> squares_of_queries(const LinesData& data, const LinksOptions& options);
Matrix<float> squares_of_keys(const LinesData& data, const LinksOptions& options);

/// Fills the sheet from `top` to `bottom`.
void draw_line_columns(Sheet& sheet, const LinesData& data, const LinksOptions& options, float top,
                       float bottom);

} // namespace heed::figure
