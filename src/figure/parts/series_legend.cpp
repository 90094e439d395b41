#include "figure/parts/series_legend.hpp"

#include "figure/base/head_color.hpp"
#include "figure/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace heed::figure {

namespace {

constexpr TextStyle kLegend{11.5f}, kBound{type_size::kNote};
constexpr std::size_t kFewNames = 3;
constexpr int kHuesOfCurves = 6;
constexpr std::optional<Dash> kDashesOfCurves[] = {std::nullopt, Dash{}, Dash{1.5f, 2.5f}};
static_assert(kHuesOfCurves * std::size(kDashesOfCurves) == kMostToldApart);

/// The place of a curve's dash among those.
std::size_t dash_place(const SeriesChart& chart, int i) {
    const Series& series = chart.series[static_cast<std::size_t>(i)];
    if (series.color) return 0;
    return static_cast<std::size_t>(series.hue.value_or(i) / kHuesOfCurves) %
           std::size(kDashesOfCurves);
}

std::vector<int> legend_order(const SeriesChart& chart) {
    std::vector<int> order(chart.series.size());
    std::iota(order.begin(), order.end(), 0);
    if (!chart.strongest_first || !chart.marker) return order;
    const auto value = [&](int i) {
        const std::vector<float>& values = chart.series[static_cast<std::size_t>(i)].values;
        const float v = *chart.marker < values.size() ? values[*chart.marker] : 0;
        return std::isfinite(v) ? v : -1e30f;
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return value(a) > value(b); });
    return order;
}

std::optional<float> value_at_marker(const SeriesChart& chart, const Series& series) {
    if (chart.bare_names || !chart.marker || *chart.marker >= series.values.size())
        return std::nullopt;
    const float value = series.values[*chart.marker];
    return chart.powers_of_ten ? std::pow(10.f, value) : value;
}

/// A power of ten as beside others: "1.0·10⁶" beside "2.1·10⁶".
std::string power_text(float value) {
    std::string text = scientific_text(static_cast<double>(value));
    const std::size_t dot = text.find("·"), digits = text.starts_with("−") ? 3 : 0;
    if (text == "0" || text.find('.') < dot) return text;
    return dot == std::string::npos ? text.insert(digits, "1.0·") : text.insert(dot, ".0");
}

/// Values beside each other are in one form: all powers of ten where one is too large to be written
/// out, else with equally many decimals where these leave each of them its digits.
std::string marker_text(const SeriesChart& chart, float value) {
    if (!std::isfinite(value)) return "–";
    if (chart.decimals) {
        const bool of_one = chart.high == 1.f || value < 0.5f; // else 1 is no end of the scale
        return of_one ? weight_text(value, *chart.decimals) : number_text(value, *chart.decimals);
    }
    float largest = 0, least = std::numeric_limits<float>::max();
    bool whole = true;
    for (const Series& series : chart.series) {
        const float size = std::abs(value_at_marker(chart, series).value_or(0));
        if (!std::isfinite(size) || size == 0) continue;
        largest = std::max(largest, size);
        least = std::min(least, size);
        whole = whole && std::abs(size - std::round(size)) < 1e-5f * size; // of logarithms, nearly
    }
    if (largest >= 1e6f && chart.series.size() > 1) return power_text(value);
    if (largest >= 1e6f) return scientific_text(static_cast<double>(value));
    const int few = whole || largest >= 100 ? 0 : largest >= 10 ? 1 : 2;
    const int decimals = few == 2 && least < 0.1f ? 3 : few;
    const float smallest = decimals == 0 ? 1.f : decimals == 3 ? 0.01f : 0.1f;
    const bool alike = chart.series.size() > 1 && least >= smallest;
    if (!alike) return scale_text(value);
    if (largest > 1) return number_text(value, decimals);
    if (!(value < 0)) return weight_text(value, decimals);
    const std::string size = weight_text(-value, decimals); // a cosine is −1 only where it is
    return size.starts_with("> ") ? "< −" + size.substr(2) : number_text(value, decimals);
}

/// A curve's name and its value at the marker; without the value where both have no room, or a
/// `bare` name is asked for.
std::string legend_words(const Sheet& sheet, const SeriesChart& chart, std::size_t at, bool first,
                         float room, bool bare) {
    const Series& series = chart.series[at];
    const std::string name = (first ? chart.before_names : "") + series.name;
    std::string words = name;
    if (const auto value = value_at_marker(chart, series); value && !bare) {
        words += "  " + marker_text(chart, *value);
    }
    return sheet.width_of(words, kLegend) <= room ? words : sheet.fitted_end(name, kLegend, room);
}

constexpr float kApartNames = 14, kCloseNames = 9, kStroke = 10, kBehindStroke = 5;

struct LegendName {
    std::string words;
    int series = 0;
    Point at; // of its stroke, or of words that have none
};
struct Legend {
    std::vector<LegendName> names;
    std::string more, bound; // "+7 more": those that have no room; their values
    Point more_at, bound_at;
    float height = 0;
};

/// The order of a legend's names, and from which on they stand without their values.
struct LegendOrder {
    std::vector<int> series;
    std::size_t bare_from = std::numeric_limits<std::size_t>::max();
    bool bounded = false; // with the bound of what stands without its value
    bool close = false;   // to each other, as with a bound
};

/// "< 0.001", "both ≤ 0.012", "last 3 < 0.001": the largest value of the names that are told
/// without theirs, of which the first `count` are told. Empty but where the strongest come first.
std::string bound_of_rest(const SeriesChart& chart, const LegendOrder& names, std::size_t count) {
    const std::vector<int>& order = names.series;
    const std::size_t bare = std::min(names.bare_from, count);
    if (!chart.strongest_first || !chart.marker || bare == 0 || bare >= order.size()) return {};
    const auto text_of = [&](std::size_t i) {
        const auto value = value_at_marker(chart, chart.series[static_cast<std::size_t>(order[i])]);
        return value ? marker_text(chart, *value) : std::string();
    };
    const std::string largest = text_of(bare);
    if (largest.empty()) return {};
    const bool is_bound = largest.starts_with('<') || largest == text_of(order.size() - 1);
    const std::size_t rest = order.size() - bare;
    const std::string whose = count < order.size() || rest == 1 ? ""
                              : rest == 2                       ? "both "
                                          : "last " + std::to_string(rest) + " ";
    return whose + (is_bound ? "" : "≤ ") + largest;
}

/// The first `count` names in as many lines as they take, none longer than `line`, and how many
/// more there are.
Legend legend_of(const Sheet& sheet, const SeriesChart& chart, const LegendOrder& names,
                 std::size_t count, const Box& box, float line) {
    const std::vector<int>& order = names.series;
    Legend legend;
    float x = box.x, y = box.y;
    const auto place = [&](float width) {
        if (x > box.x && x + width > box.x + line) {
            x = box.x;
            y += kSeriesLegendLine;
        }
        const Point at{x, y};
        x += width + (names.bounded || names.close ? kCloseNames : kApartNames);
        return at;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const float room = box.w - kStroke - kBehindStroke;
        std::string words = legend_words(sheet, chart, static_cast<std::size_t>(order[i]), i == 0,
                                         room, i >= names.bare_from);
        const Point at = place(kStroke + kBehindStroke + sheet.width_of(words, kLegend));
        legend.names.push_back({std::move(words), order[i], at});
    }
    if (count < order.size()) {
        legend.more = "+" + std::to_string(order.size() - count) + " more";
        legend.more_at = place(sheet.width_of(legend.more, kLegend));
    }
    if (names.bounded) legend.bound = bound_of_rest(chart, names, count);
    if (!legend.bound.empty()) {
        if (count < order.size()) x -= kCloseNames - kBehindStroke; // it is theirs
        legend.bound_at = place(sheet.width_of(legend.bound, kBound));
    }
    legend.height = y + kSeriesLegendLine - box.y;
    return legend;
}

/// True where the last line is one name below lines of more.
bool has_orphan(const Legend& legend) {
    if (!legend.more.empty() || legend.names.size() < 4) return false;
    const std::size_t last = legend.names.size() - 1;
    return legend.names[last].at.y > legend.names[last - 1].at.y;
}

/// Legend in lines of full width, or in shorter ones where no name is then alone in the last.
Legend balanced_legend(const Sheet& sheet, const SeriesChart& chart, const LegendOrder& order,
                       std::size_t count, const Box& box) {
    constexpr float kShorterBy = 8;
    Legend full = legend_of(sheet, chart, order, count, box, box.w);
    if (!has_orphan(full)) return full;
    for (float line = box.w - kShorterBy; line > box.w / 2; line -= kShorterBy) {
        Legend shorter = legend_of(sheet, chart, order, count, box, line);
        if (shorter.height > full.height) break;
        if (!has_orphan(shorter)) return shorter;
    }
    return full;
}

/// As many names as fit into a height.
Legend fitted_legend(const Sheet& sheet, const SeriesChart& chart, const LegendOrder& order,
                     const Box& box, float room) {
    Legend legend = balanced_legend(sheet, chart, order, order.series.size(), box);
    for (std::size_t n = order.series.size(); legend.height > room && n > 0; --n) {
        legend = balanced_legend(sheet, chart, order, n - 1, box);
    }
    return legend;
}

/// Tells the values of the names that are told without theirs, where that costs no name or, of
/// names that are only counted, one.
void add_bound(const Sheet& sheet, const SeriesChart& chart, LegendOrder order, const Box& box,
               float room, Legend& legend) {
    if (legend.more.empty() && order.bare_from >= order.series.size()) return; // all have theirs
    const std::size_t least = legend.names.size() - (legend.more.empty() ? 0 : 1);
    order.bounded = true;
    const auto value_of = [&](std::size_t i) {
        const auto at = static_cast<std::size_t>(order.series[i]);
        const auto value = value_at_marker(chart, chart.series[at]);
        return value ? marker_text(chart, *value) : std::string();
    };
    for (std::size_t first = std::min(order.bare_from, order.series.size()); first > 0; --first) {
        // What has the bound's own value is told by it.
        const bool tells = first > 1 && first < order.series.size() && value_of(first) != "";
        if (tells && value_of(first - 1) == value_of(first)) continue;
        order.bare_from = first;
        Legend bounded = fitted_legend(sheet, chart, order, box, room);
        const bool beside = bounded.more.empty() || bounded.more_at.x > box.x; // names, not alone
        if (bounded.bound.empty() || !beside || bounded.names.empty()) continue;
        if (bounded.names.size() < least) continue;
        legend = std::move(bounded);
        return;
    }
}

} // namespace

Color series_color(const Theme& theme, int i, int count) {
    if (count <= static_cast<int>(theme.series.size())) {
        return theme.series[static_cast<std::size_t>(i)];
    }
    return head_color(i, count, theme.dark);
}

std::optional<Dash> dash_of_curve(const SeriesChart& chart, int i) {
    return kDashesOfCurves[dash_place(chart, i)];
}

Color curve_color(const SeriesChart& chart, const Theme& theme, int i) {
    const Series& series = chart.series[static_cast<std::size_t>(i)];
    const int count = static_cast<int>(chart.series.size()), hue = series.hue.value_or(i);
    if (series.color) return *series.color;
    return series_color(theme, hue % kHuesOfCurves, std::min(count, kHuesOfCurves));
}

namespace {

/// The names, as many as have room in a chart's place.
Legend placed_legend(const Sheet& sheet, const SeriesChart& chart, const Box& box) {
    constexpr float kTwoLines = 100; // points; a place so high has two lines of names
    const float usual = std::min(0.3f * box.h, 3 * kSeriesLegendLine);
    const float least = chart.strongest_first && box.h >= kTwoLines ? 2 * kSeriesLegendLine : 0;
    const float room = chart.all_names ? 0.6f * box.h : std::max(usual, least);
    if (room < kSeriesLegendLine || chart.series.empty()) return {};
    LegendOrder order{legend_order(chart)};
    Legend legend = fitted_legend(sheet, chart, order, box, room);
    const std::size_t valued = legend.names.size();
    for (std::size_t first = valued + 1; first > 1 && !legend.more.empty(); --first) {
        for (const bool close : {false, true}) {
            LegendOrder without = order; // where all are named so, or few have room otherwise
            without.bare_from = first - 1;
            without.close = close;
            Legend bare = fitted_legend(sheet, chart, without, box, room);
            if (!bare.more.empty()) continue;
            legend = std::move(bare);
            order = without;
            break;
        }
    }
    if (!legend.more.empty() && legend.names.size() < kFewNames && chart.strongest_first) {
        for (const std::size_t first : {1U, 0U}) {
            if (first == 0 && !legend.names.empty()) break;
            LegendOrder without = order;
            without.bare_from = first;
            Legend bare = fitted_legend(sheet, chart, without, box, room);
            if (bare.names.size() <= legend.names.size()) continue;
            legend = std::move(bare);
            order = without;
        }
    }
    add_bound(sheet, chart, order, box, room, legend);
    return legend;
}

/// A whole stroke, two dashes or three dots.
void draw_stroke(Sheet& sheet, const SeriesChart& chart, const LegendName& name, Color color) {
    constexpr float kGap = 2;
    const bool upon = chart.series[static_cast<std::size_t>(name.series)].dashed_name;
    const std::size_t dashes = std::max<std::size_t>(dash_place(chart, name.series), upon);
    const auto gaps = static_cast<float>(dashes);
    const float length = (kStroke - gaps * kGap) / (gaps + 1);
    for (std::size_t i = 0; i <= dashes; ++i) {
        const float x = name.at.x + static_cast<float>(i) * (length + kGap);
        sheet.fill({x, name.at.y + 6, length, 2}, color, 1);
    }
}

} // namespace

float series_legend_height(const Sheet& sheet, const SeriesChart& chart, const Box& box) {
    return placed_legend(sheet, chart, box).height;
}

float draw_series_legend(Sheet& sheet, const SeriesChart& chart, const Box& box) {
    const Legend legend = placed_legend(sheet, chart, box);
    const Theme& theme = sheet.theme();
    for (const LegendName& name : legend.names) {
        const float y = name.at.y;
        const Color color = curve_color(chart, theme, name.series);
        draw_stroke(sheet, chart, name, color);
        sheet.text(name.words, {name.at.x + kStroke + kBehindStroke, y + 11}, kLegend, theme.muted);
    }
    if (!legend.more.empty()) {
        sheet.text(legend.more, {legend.more_at.x, legend.more_at.y + 11}, kLegend, theme.muted);
    }
    if (!legend.bound.empty()) {
        sheet.text(legend.bound, {legend.bound_at.x, legend.bound_at.y + 11}, kBound, theme.muted);
    }
    return legend.height;
}

} // namespace heed::figure
