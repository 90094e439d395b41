#include "figure/parts/chart.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace heed::figure {

namespace {

constexpr TextStyle kTicks{10.5f, Font::mono};
constexpr TextStyle kChosenTick{kTicks.size, kTicks.font, Weight::bold};

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

/// Draws each count, of cells so wide or high of which numbers need so much: draw(number, style,
/// ink).
template <class Draw>
void draw_counts(Sheet& sheet, float pitch, float needed, int count, std::optional<int> chosen,
                 float apart, Draw&& draw) {
    if (chosen && (*chosen < 0 || *chosen >= count)) chosen.reset();
    for (const int number : counts(count, pitch, needed)) {
        const bool near =
            chosen && pitch * static_cast<float>(std::abs(number - 1 - *chosen)) < apart;
        if (!near) draw(number, kTicks, sheet.theme().muted);
    }
    if (chosen) draw(*chosen + 1, kChosenTick, sheet.theme().text);
}

} // namespace

void draw_ring(Sheet& sheet, const Chart& chart, Point values, Color color) {
    constexpr float kRing = 4.5f, kHole = 2.5f; // points
    if (!std::isfinite(values.y)) return;
    const Point at{chart.x(values.x), chart.y(std::clamp(values.y, chart.y_low, chart.y_high))};
    for (const auto& [radius, ink] : {std::pair{kRing, color}, {kHole, sheet.theme().panel}})
        sheet.fill({at.x - radius, at.y - radius, 2 * radius, 2 * radius}, ink, radius);
}

void draw_counts_across(Sheet& sheet, float left, float pitch, int count, float y,
                        std::optional<int> chosen) {
    const float wide = sheet.width_of(std::to_string(count), kChosenTick);
    draw_counts(
        sheet, pitch, wide + 14, count, chosen, wide + 4,
        [&](int number, const TextStyle& style, Color ink) {
            const float x = left + (static_cast<float>(number) - 0.5f) * pitch;
            sheet.text(std::to_string(number), {x, y}, style, ink, AlignX::centre, AlignY::top);
        });
}

void draw_counts_down(Sheet& sheet, float top, float pitch, int count, float right,
                      std::optional<int> chosen) {
    constexpr float kNeeded = 22, kLine = 11;
    draw_counts(sheet, pitch, kNeeded, count, chosen, kLine,
                [&](int number, const TextStyle& style, Color ink) {
                    const float y = top + (static_cast<float>(number) - 0.5f) * pitch;
                    sheet.text(std::to_string(number), {right, y}, style, ink, AlignX::right,
                               AlignY::middle);
                });
}

int rules_in(float height) {
    constexpr float kApart = 36;
    return std::clamp(static_cast<int>(height / kApart), 2, 6);
}

void draw_value_rules(Sheet& sheet, const Chart& chart) {
    const bool raised = std::ranges::any_of(
        chart.rules, [](const ValueTick& rule) { return has_raised_digits(rule.text); });
    const TextStyle style{kTicks.size, raised ? Font::sans : kTicks.font};
    for (const ValueTick& rule : chart.rules) {
        const float y = chart.y(rule.value);
        sheet.line({{chart.box.x, y}, {chart.box.x + chart.box.w, y}}, sheet.theme().border);
        sheet.text(rule.text, {chart.box.x - 8, y}, style, sheet.theme().muted, AlignX::right,
                   AlignY::middle);
    }
}

} // namespace heed::figure
