// Bars of the Inside room: one below the other, of the parts of a logit; and two rows over the same
// columns, one thing as it is, and another beside it.
#pragma once

#include "figure/base/sheet.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

enum class BarKind { other, head, network };

struct InsideBar {
    std::string name;
    double value = 0;
    int part = -1; // which one of the attribution's; −1: several together
    BarKind kind = BarKind::other;
    int count = 1; // of parts
};

/// "10 other heads", "feed-forward, 2 others", "3 other parts".
std::string name_of_several(BarKind kind, int count);

/// "cross head 2.1", or where that has no room "cross 2.1"; of a feed-forward network "FF 2"; "9
/// other parts", or "9 others".
std::string part_name(const Sheet& sheet, std::string name, const TextStyle& style, float room);

/// Draws as many bars as there is room for, by value, and the sum below them; of more, heads and
/// feed-forward networks are counted with the others of their kind. Targets: bars (place in `all`;
/// −1: several) of `tagged`.
void draw_part_bars(Sheet& sheet, const std::vector<InsideBar>& all, const std::string& sum,
                    const Box& part, int tagged);

struct PairedBars {
    std::array<std::string, 2> names;         // of the upper and the lower row
    std::array<std::vector<float>, 2> values; // at least 0; one a column, both to one height
    std::vector<std::string> columns;
    std::optional<int> marked{}; // a column whose label stands out
};

/// Targets: cells, two rows of as many columns, and labels of columns, all of `part`.
void draw_paired_bars(Sheet& sheet, const PairedBars& bars, const Box& whole, int part);

} // namespace heed::figure
