#include "figure/parts/head_scatter.hpp"

#include "figure/base/text_styles.hpp"
#include "figure/parts/chart.hpp"
#include "figure/parts/colour_bar.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::figure {

namespace {

constexpr float kDot = 9, kSelectedDot = 13, kPicked = 16; // points across
constexpr float kBetweenPointNames = 5;                    // beside each other
constexpr TextStyle kPointName{10.5f, Font::mono};
constexpr TextStyle kAxisName{12, Font::sans, Weight::bold};

bool overlap(const Box& a, const Box& b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

Point place_of(const Chart& chart, const HeadScatter::Point& point) {
    return {chart.x(point.x), chart.y(point.y)};
}

void draw_rules(Sheet& sheet, const Chart& chart, const std::vector<ValueTick>& across) {
    draw_value_rules(sheet, chart);
    const float bottom = chart.box.y + chart.box.h;
    for (const ValueTick& rule : across) {
        const float x = chart.x(rule.value);
        sheet.line({{x, chart.box.y}, {x, bottom}}, sheet.theme().border);
        sheet.text(rule.text, {x, bottom + 8}, kMonoNote, sheet.theme().muted, AlignX::centre,
                   AlignY::top);
    }
}

/// Names and formulas: one below the chart, one above its upper left corner.
void name_axes(Sheet& sheet, const Chart& chart, const HeadScatter& scatter) {
    const auto name = [&](const HeadScatter::Axis& axis, Point at, const char* arrow,
                          ScatterAxis which, float room) {
        const std::string words = axis.name + " " + arrow;
        const float width = sheet.width_of(words, kAxisName);
        sheet.text(words, at, kAxisName, sheet.theme().text);
        sheet.text(sheet.fitted_end(axis.formula, kFormula, std::max(room - width - 12, 1.f)),
                   {at.x + width + 12, at.y}, kFormula, sheet.theme().muted);
        sheet.target({at.x, at.y - 14, room, 20}, tag::Control{static_cast<int>(which)});
    };
    name(scatter.up, {chart.box.x, chart.box.y - 12}, "↑", ScatterAxis::up, chart.box.w);
    name(scatter.across, {chart.box.x, chart.box.y + chart.box.h + 42}, "→", ScatterAxis::across,
         chart.box.w);
}

void draw_point(Sheet& sheet, const Chart& chart, const HeadScatter& scatter,
                const HeadScatter::Point& point, bool selected) {
    const Point at = place_of(chart, point);
    const float size = selected ? kSelectedDot : kDot;
    const Theme& theme = sheet.theme();
    Color ink = faded(theme.accent, 0.75f);
    if (scatter.shades && point.shade) {
        const ValueRange& range = *scatter.shades;
        ink = colour_of(range.palette, *point.shade, range.low, range.high);
    } else if (scatter.shades) {
        ink = theme.faint;
    }
    if (point.faded) ink = faded(theme.faint, 0.5f);
    const Box dot{at.x - size / 2, at.y - size / 2, size, size};
    if (selected) sheet.fill(dot, theme.ground, size / 2); // no other shows through
    sheet.fill(dot, ink, size / 2);
    sheet.stroke(dot, selected ? theme.text : faded(theme.text, point.faded ? 0.1f : 0.35f),
                 selected ? 2 : 0.75f, size / 2);
    sheet.target({at.x - kPicked / 2, at.y - kPicked / 2, kPicked, kPicked},
                 tag::Head{point.layer, point.head});
}

/// The selected one first, then those that are spoken of, then the outermost: by how far from the
/// middle of all they stand.
std::vector<std::size_t> naming_order(const HeadScatter& scatter, const Chart& chart) {
    std::vector<std::size_t> order(scatter.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = [&](float HeadScatter::Point::*score) {
        std::vector<float> values;
        for (const HeadScatter::Point& point : scatter.points) values.push_back(point.*score);
        const auto half = values.begin() + std::ssize(values) / 2;
        std::ranges::nth_element(values, half);
        return *half;
    };
    const float x_middle = middle(&HeadScatter::Point::x),
                y_middle = middle(&HeadScatter::Point::y);
    const auto far = [&](std::size_t i) {
        const HeadScatter::Point& point = scatter.points[i];
        if (scatter.selected == std::pair(point.layer, point.head)) return 1e9f;
        if (point.told) return 1e8f;
        return std::hypot((point.x - x_middle) / (chart.x_high - chart.x_low),
                          (point.y - y_middle) / (chart.y_high - chart.y_low));
    };
    std::ranges::stable_sort(order, [&](auto a, auto b) { return far(a) > far(b); });
    return order;
}

/// True of a name's place that is about as near to another point as to its own, or beside another
/// one and not its own. Of two points on each other each has its name on its own side.
bool reads_as_other(const Chart& chart, const HeadScatter& scatter, const Box& box,
                    std::size_t own) {
    constexpr float kClearly = 4, kClearlyBeside = 14, kApart = 2;
    const auto is_beside = [&](std::size_t point) {
        const float y = place_of(chart, scatter.points[point]).y;
        return y >= box.y && y <= box.y + box.h;
    };
    const auto away = [&](std::size_t point) {
        const Point at = place_of(chart, scatter.points[point]);
        return std::hypot(at.x - std::clamp(at.x, box.x, box.x + box.w),
                          at.y - std::clamp(at.y, box.y, box.y + box.h));
    };
    const Point at = place_of(chart, scatter.points[own]);
    for (std::size_t i = 0; i < scatter.points.size(); ++i) {
        if (i == own) continue;
        const Point other = place_of(chart, scatter.points[i]);
        const float apart = std::hypot(other.x - at.x, other.y - at.y);
        const bool pair = apart >= kApart && apart < kDot;
        const float least = pair                              ? 0.8f * apart
                            : is_beside(i) && !is_beside(own) ? kClearlyBeside
                                                              : kClearly;
        if (away(i) < away(own) + least) return true;
    }
    return false;
}

/// `across`: rules that stand upright.
void name_points(Sheet& sheet, const Chart& chart, const HeadScatter& scatter,
                 const std::vector<ValueTick>& across) {
    constexpr std::size_t kMost = 12;
    const auto struck = [&](const Box& box) {
        return std::ranges::any_of(chart.rules,
                                   [&](const ValueTick& rule) {
                                       const float y = chart.y(rule.value);
                                       return y > box.y + 1 && y < box.y + box.h - 1;
                                   }) ||
               std::ranges::any_of(across, [&](const ValueTick& rule) {
                   const float x = chart.x(rule.value);
                   return x > box.x - 1 && x < box.x + box.w + 1;
               });
    };
    std::vector<Box> taken;
    const auto on_dots = [&](const Box& box, std::size_t own) {
        for (std::size_t i = 0; i < scatter.points.size(); ++i) {
            const Point at = place_of(chart, scatter.points[i]);
            if (i != own && overlap({at.x - 4, at.y - 4, 8, 8}, box)) return true;
        }
        return false;
    };
    for (const std::size_t i : naming_order(scatter, chart)) {
        if (taken.size() >= kMost) return;
        const HeadScatter::Point& point = scatter.points[i];
        if (point.faded) continue;
        const Point at = place_of(chart, point);
        const float width = sheet.width_of(point.name, kPointName);
        // Inside, and not upon the frame that the point may stand on.
        constexpr float kHalf = 7;
        const float y =
            std::clamp(at.y, chart.box.y + kHalf + 2, chart.box.y + chart.box.h - kHalf - 2);
        const Box sides[] = {{at.x + 9, y - kHalf, width, 2 * kHalf},
                             {at.x - 9 - width, y - kHalf, width, 2 * kHalf},
                             {at.x - width / 2, at.y + 7, width, 2 * kHalf},
                             {at.x - width / 2, at.y - 7 - 2 * kHalf, width, 2 * kHalf},
                             {at.x - 2, at.y + 7, width, 2 * kHalf},
                             {at.x + 2 - width, at.y - 7 - 2 * kHalf, width, 2 * kHalf},
                             // Beside the point, above or below a rule that it stands at.
                             {at.x + 7, y - 2 * kHalf, width, 2 * kHalf},
                             {at.x + 7, y, width, 2 * kHalf},
                             {at.x - 7 - width, y - 2 * kHalf, width, 2 * kHalf},
                             {at.x - 7 - width, y, width, 2 * kHalf}};
        const auto fits = [&](const Box& box) {
            return box.x >= chart.box.x + 2 && box.x + width <= chart.box.x + chart.box.w - 3 &&
                   box.y >= chart.box.y + 2 && box.y + box.h <= chart.box.y + chart.box.h - 2 &&
                   std::ranges::none_of(taken, [&](const Box& b) {
                       return overlap(
                           {b.x - kBetweenPointNames, b.y, b.w + 2 * kBetweenPointNames, b.h}, box);
                   });
        };
        const auto free = [&](const Box& box) { return fits(box) && !on_dots(box, i); };
        const bool selected = scatter.selected == std::pair(point.layer, point.head);
        const auto own = [&](const Box& box) {
            return free(box) && !reads_as_other(chart, scatter, box, i);
        };
        const auto clear = [&](const Box& box) { return own(box) && !struck(box); };
        const Box* place = std::ranges::find_if(sides, clear);
        if (place == std::end(sides)) place = std::ranges::find_if(sides, own);
        if (selected || point.told) { // else no name rather than one that is read as another's
            if (place == std::end(sides)) place = std::ranges::find_if(sides, free);
            if (place == std::end(sides)) place = std::ranges::find_if(sides, fits);
        }
        if (place == std::end(sides)) continue;
        const Box box = *place;
        taken.push_back(box);
        if (on_dots(box, i)) sheet.fill(box, faded(sheet.theme().ground, 0.8f), 3);
        sheet.text(point.name, {box.x, box.y + kHalf}, kPointName,
                   selected ? sheet.theme().accent : sheet.theme().text, AlignX::left,
                   AlignY::middle);
    }
}

} // namespace

Figure head_scatter(const HeadScatter& scatter, const Frame& frame) {
    Sheet sheet(frame, 640, 480);
    sheet.figure.title = scatter.title + ": " + scatter.up.name + " over " + scatter.across.name;
    const float top = sheet.header(scatter.title, scatter.subtitle);
    const float bottom = sheet.content_bottom();
    const float numbers = 44, names = 56, above = 26;
    const float bar = scatter.shades ? colour_bar_width(sheet, *scatter.shades) + 18 : 0;
    Chart chart;
    chart.box = {sheet.margin() + numbers, top + above,
                 sheet.width() - 2 * sheet.margin() - numbers - bar - 12,
                 bottom - top - above - names};
    if (chart.box.w < 60 || chart.box.h < 60) return std::move(sheet.figure);
    const auto across =
        round_ticks(scatter.across.low, scatter.across.high, rules_in(chart.box.w / 2));
    chart.rules = round_ticks(scatter.up.low, scatter.up.high, rules_in(chart.box.h));
    chart.x_low = across.front().value;
    chart.x_high = across.back().value;
    chart.y_low = chart.rules.front().value;
    chart.y_high = chart.rules.back().value;
    draw_rules(sheet, chart, across);
    name_axes(sheet, chart, scatter);
    if (scatter.points.empty()) {
        sheet.text("No head of this kind has both scores on this text",
                   {chart.box.x + chart.box.w / 2, chart.box.y + chart.box.h / 2},
                   {type_size::kSubtitle}, sheet.theme().muted, AlignX::centre, AlignY::middle);
        return std::move(sheet.figure);
    }
    const HeadScatter::Point* chosen = nullptr;
    for (const HeadScatter::Point& point : scatter.points) {
        const bool selected = scatter.selected == std::pair(point.layer, point.head);
        if (selected) {
            chosen = &point;
        } else {
            draw_point(sheet, chart, scatter, point, false);
        }
    }
    if (chosen) draw_point(sheet, chart, scatter, *chosen, true); // above the others
    name_points(sheet, chart, scatter, across);
    if (scatter.shades) {
        draw_colour_bar(sheet, *scatter.shades, chart.box.x + chart.box.w + 24, chart.box.y,
                        std::min(chart.box.h - 30, 220.f));
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
