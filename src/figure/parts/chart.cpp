#include "figure/parts/chart.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"

#include <algorithm>

namespace heed::figure {

namespace {
constexpr TextStyle kTicks{10.5f, Font::mono};
} // namespace

void draw_counts_across(Sheet& sheet, float left, float pitch, int count, float y) {
    const float needed = sheet.width_of(std::to_string(count), kTicks) + 14;
    for (int i = 0, step = thinning(pitch, needed); i < count; i += step) {
        const float x = left + (static_cast<float>(i) + 0.5f) * pitch;
        sheet.text(std::to_string(i), {x, y}, kTicks, sheet.theme().muted, AlignX::centre,
                   AlignY::top);
    }
}

void draw_counts_down(Sheet& sheet, float top, float pitch, int count, float right) {
    for (int i = 0, step = thinning(pitch, 22); i < count; i += step) {
        const float y = top + (static_cast<float>(i) + 0.5f) * pitch;
        sheet.text(std::to_string(i), {right, y}, kTicks, sheet.theme().muted, AlignX::right,
                   AlignY::middle);
    }
}

int rules_in(float height) {
    constexpr float kApart = 36;
    return std::clamp(static_cast<int>(height / kApart), 2, 6);
}

void draw_value_rules(Sheet& sheet, const Chart& chart) {
    for (const ValueTick& rule : chart.rules) {
        const float y = chart.y(rule.value);
        sheet.line({{chart.box.x, y}, {chart.box.x + chart.box.w, y}}, sheet.theme().border);
        const TextStyle style{kTicks.size, has_raised_digits(rule.text) ? Font::sans : kTicks.font};
        sheet.text(rule.text, {chart.box.x - 8, y}, style, sheet.theme().muted, AlignX::right,
                   AlignY::middle);
    }
}

} // namespace heed::figure
