// Two rows of bars over the same columns: one thing as it is, and another beside it.
#pragma once

#include "figure/base/sheet.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct PairedBars {
    std::array<std::string, 2> names;         // of the upper and the lower row
    std::array<std::vector<float>, 2> values; // at least 0; one a column, both to one height
    std::vector<std::string> columns;
    std::optional<int> marked{}; // a column whose label stands out
};

/// Targets: cells, two rows of as many columns, and labels of columns, all of `part`.
void draw_paired_bars(Sheet& sheet, const PairedBars& bars, const Box& whole, int part);

} // namespace heed::figure
