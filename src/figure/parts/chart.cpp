#include "figure/parts/chart.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"

#include <algorithm>

namespace heed::figure {

namespace {
constexpr TextStyle kTicks{10.5f, Font::mono};

/// Numbers from 1 to the count that have room: round ones and, apart from those, the first.
std::vector<int> counts(int count, float pitch, float needed) {
    const int step = thinning(pitch, needed);
    std::vector<int> numbers;
    for (int number = 1; number <= count; ++number) {
        const bool first = number == 1 && static_cast<float>(step - 1) * pitch >= needed;
        if (number % step == 0 || first) numbers.push_back(number);
    }
    if (numbers.empty() && count > 0) numbers.push_back(1);
    return numbers;
}

} // namespace

void draw_counts_across(Sheet& sheet, float left, float pitch, int count, float y) {
    const float needed = sheet.width_of(std::to_string(count), kTicks) + 14;
    for (const int number : counts(count, pitch, needed)) {
        const float x = left + (static_cast<float>(number) - 0.5f) * pitch;
        sheet.text(std::to_string(number), {x, y}, kTicks, sheet.theme().muted, AlignX::centre,
                   AlignY::top);
    }
}

void draw_counts_down(Sheet& sheet, float top, float pitch, int count, float right) {
    for (const int number : counts(count, pitch, 22)) {
        const float y = top + (static_cast<float>(number) - 0.5f) * pitch;
        sheet.text(std::to_string(number), {right, y}, kTicks, sheet.theme().muted, AlignX::right,
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
