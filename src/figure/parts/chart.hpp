// The frame of a chart: a box in the plane of two quantities, with ticks and quiet rules.
#pragma once

#include "figure/base/round_ticks.hpp"
#include "figure/base/sheet.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct Chart {
    Box box;
    float x_low = 0, x_high = 1, y_low = 0, y_high = 1;
    std::vector<ValueTick> rules{}; // across it, from y_low to y_high

    float x(float value) const { return box.x + (value - x_low) / (x_high - x_low) * box.w; }
    float y(float value) const {
        return box.y + box.h - (value - y_low) / (y_high - y_low) * box.h;
    }
};

/// A ring where the chart has these values, for one that is no part of a curve.
void draw_ring(Sheet& sheet, const Chart& chart, Point values, Color color);

/// Whole numbers from 1 to the count along the top or bottom of a box whose cells are `pitch` wide,
/// thinned so that they stand apart; that of the chosen cell, from 0, stands out, in place of those
/// too near.
void draw_counts_across(Sheet& sheet, float left, float pitch, int count, float y,
                        std::optional<int> chosen = {});
/// Whole numbers down the left side.
void draw_counts_down(Sheet& sheet, float top, float pitch, int count, float right,
                      std::optional<int> chosen = {});

/// The most rules that can be told apart in a chart that fills this height, its words and all.
int rules_in(float height);
/// Quiet rules across the chart, with their values to the left.
void draw_value_rules(Sheet& sheet, const Chart& chart);

} // namespace heed::figure
