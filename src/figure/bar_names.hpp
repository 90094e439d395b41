// Names below groups of bars: level in one line or in two, and aslant where neither has room.
#pragma once

#include "figure/base/axis_labels.hpp"

#include <string>
#include <vector>

namespace heed::figure {

struct BarNames {
    LabelPlan plan;                    // of each line
    std::vector<std::string> lines[2]; // the second is empty where one is enough
    float size = 0;                    // points below the bars
};

/// Names for bars `pitch` points apart, at most `room` high: of one size wherever they have room,
/// and broken at their last blank where they would slant or shrink in one line and not in two.
BarNames plan_bar_names(const Sheet& sheet, const std::vector<std::string>& names, float pitch,
                        float room);

/// Draws them from `top` down, the first centred at left + pitch / 2.
void draw_bar_names(Sheet& sheet, const BarNames& names, float left, float pitch, float top,
                    float right_limit);

} // namespace heed::figure
