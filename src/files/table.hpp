// A labelled matrix as CSV (RFC 4180): what a spreadsheet or pandas.read_csv(…, index_col=0) reads;
// or with tabs, as a spreadsheet takes it from the clipboard.
#pragma once

#include "num/matrix.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heed::files {

/// Characters between cells and behind a line.
struct Dialect {
    char between = ',';
    std::string_view line_end = "\r\n";
};
inline constexpr Dialect kCommas{}, kTabs{'\t', "\n"};

/// UTF-8. The first row names the columns (keys) after an empty corner, the first
/// cell of each further row names that row (query). `rows` and `cols` are as long as the matrix is
/// high and wide. Numbers have the fewest digits that read back to the same float; what is not
/// finite is nan, inf or -inf. A label is quoted where it needs it; broken UTF-8 becomes U+FFFD.
/// Before one that a spreadsheet would take for a formula stands an apostrophe, which makes it
/// text.
std::string write_csv(const num::Matrix<float>& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols, const Dialect& dialect = kCommas);
/// A text in each cell, row by row, quoted as labels are.
std::string write_csv(const std::vector<std::string>& cells, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols, const Dialect& dialect = kCommas);

} // namespace heed::files
