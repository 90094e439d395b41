#include "figure/bar_names.hpp"

#include <algorithm>
#include <optional>

namespace heed::figure {

namespace {

constexpr float kName = 10;           // in every window, level or slanted
constexpr float kSmallestName = 9.5f; // a little smaller is better read than slanted

/// The size that names have level in one line; nothing where they are too wide.
std::optional<float> level_size(const Sheet& sheet, const std::vector<std::string>& names,
                                float pitch) {
    constexpr float kApart = 6, kStep = 0.5f;
    for (float size = kName; size >= kSmallestName; size -= kStep) {
        const auto fits = [&](const std::string& name) {
            return sheet.width_of(name, TextStyle{size}) + kApart <= pitch;
        };
        if (std::ranges::all_of(names, fits)) return size;
    }
    return std::nullopt;
}

LabelPlan planned(const Sheet& sheet, const std::vector<std::string>& names, float pitch,
                  float room) {
    if (const auto size = level_size(sheet, names, pitch)) {
        LabelPlan plan;
        plan.style.size = *size;
        plan.longest = pitch;
        plan.size = *size + kLabelsFromGrid + 4;
        return plan;
    }
    LabelPlan plan =
        plan_columns(sheet, names, static_cast<int>(names.size()), pitch, room, {}, kName);
    if (plan.slanted && plan.style.size > kName) {
        plan.size = (plan.size - kLabelsFromGrid) * kName / plan.style.size + kLabelsFromGrid;
        plan.style.size = kName;
    }
    return plan;
}

bool is_level(const LabelPlan& plan) { return !plan.slanted && !plan.turned && plan.step == 1; }

} // namespace

BarNames plan_bar_names(const Sheet& sheet, const std::vector<std::string>& names, float pitch,
                        float room) {
    BarNames result{planned(sheet, names, pitch, room), {names, {}}, 0};
    result.size = result.plan.size;
    if (is_level(result.plan) && result.plan.style.size >= kName) return result;
    std::vector<std::string> first, second;
    for (const std::string& name : names) {
        const auto blank = name.rfind(' ');
        first.push_back(name.substr(0, blank));
        second.push_back(blank == std::string::npos ? "" : name.substr(blank + 1));
    }
    const LabelPlan a = planned(sheet, first, pitch, room), b = planned(sheet, second, pitch, room);
    const LabelPlan& smaller = a.style.size < b.style.size ? a : b;
    const bool larger = !is_level(result.plan) || smaller.style.size > result.plan.style.size;
    if (!is_level(a) || !is_level(b) || !larger) return result;
    return {smaller,
            {std::move(first), std::move(second)},
            smaller.size + smaller.style.size * kLabelLine};
}

void draw_bar_names(Sheet& sheet, const BarNames& names, float left, float pitch, float top,
                    float right_limit) {
    for (const std::vector<std::string>& line : names.lines) {
        if (line.empty()) continue;
        draw_columns(sheet, names.plan, line, static_cast<int>(line.size()), left, pitch, top,
                     Side::below, right_limit, {}, LabelOf::bar);
        top += names.plan.style.size * kLabelLine;
    }
}

} // namespace heed::figure
