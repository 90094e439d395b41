// The logit lens: what each layer would say at tokens, as many as words can be read of, around the
// chosen one.
#pragma once

#include "figure/parts/layer_grid.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace heed::figure {

/// The first of `shown` columns, of all, with the chosen one in their middle or as near to it as
/// can be.
inline int lens_columns_from(int all, int chosen, int shown) {
    return std::clamp(chosen - shown / 2, 0, std::max(all - shown, 0));
}

/// Layers that are shown of all, about equally far apart and rising, the last one among them.
std::vector<int> lens_layers(int all, int shown);

/// Layers × tokens of probabilities, and the words of the cells, row by row; empty: not measured.
struct LensGrid {
    const InsideGrid& grid;
    const std::vector<std::string>& words;
    Index first = 0;  // token of the first column
    Index tokens = 0; // of the sentence; 0: those that are columns
};

/// The lens, and below it which tokens of a sentence are shown; of layers that have no room for
/// words, those of lens_layers(). Targets: cells of `tag_part`, as many as are shown, and labels of
/// the columns.
void draw_lens(Sheet& sheet, const LensGrid& lens, const Box& whole, int tag_part);

} // namespace heed::figure
