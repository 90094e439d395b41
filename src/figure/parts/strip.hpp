// Tinted strips along the sides of a grid, one cell a row or column: what each has to do with what
// is chosen of the others, and which are chosen.
#pragma once

#include "figure/base/map_data.hpp"
#include "figure/base/sheet.hpp"

#include <utility>
#include <vector>

namespace heed::figure {

inline constexpr float kStripThickness = 7, kStripGap = 3; // points; the gap to its grid
inline constexpr float kStripRoom = kStripThickness + kStripGap;

/// Neighbours that are alike: all chosen, or all not. From first up to and without last.
struct ChoiceRun {
    int first = 0, last = 0;
    bool chosen = false;
};
/// All of `count`, in order; none of them is chosen where `chosen` (ascending) is empty, and then
/// nothing is passed over either: one run of chosen ones.
std::vector<ChoiceRun> choice_runs(const std::vector<int>& chosen, int count);

/// A colour laid over what is passed over by a choice.
Color veil(const Theme& theme);
/// The veils over rows and columns that choices, as of choice_runs(), pass over.
Veils veils_of(const Theme& theme, const std::vector<int>& rows, int n_rows,
               const std::vector<int>& cols, int n_cols);

/// `shown`: which of its cells fill the box. The target reaches a gap beyond the strip on both
/// sides.
void draw_strip(Sheet& sheet, const Box& box, const Strip& strip, StripOf of,
                const std::vector<int>& chosen, const Viewport& shown);

} // namespace heed::figure
