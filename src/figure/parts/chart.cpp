#include "figure/parts/chart.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"

#include <cmath>

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

std::string value_text(const Chart& chart, float value) {
    if (!chart.powers_of_ten) return scale_text(value);
    const float power = std::pow(10.f, value);
    return power < 1e-3f || power >= 1e5f ? scientific_text(power) : scale_text(power);
}

std::vector<ValueTick> rules_of(const Chart& chart) {
    if (!chart.rules.empty()) return chart.rules;
    std::vector<ValueTick> rules;
    for (const float value : {chart.y_low, (chart.y_low + chart.y_high) / 2, chart.y_high}) {
        rules.push_back({value, value_text(chart, value)});
    }
    return rules;
}

void draw_value_rules(Sheet& sheet, const Chart& chart) {
    for (const ValueTick& rule : rules_of(chart)) {
        const float y = chart.y(rule.value);
        sheet.line({{chart.box.x, y}, {chart.box.x + chart.box.w, y}}, sheet.theme().border);
        sheet.text(rule.text, {chart.box.x - 8, y}, kTicks, sheet.theme().muted, AlignX::right,
                   AlignY::middle);
    }
}

} // namespace heed::figure
