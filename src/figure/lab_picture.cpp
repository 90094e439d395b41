#include "figure/lab_picture.hpp"

#include "figure/bar_names.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/round_ticks.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/lab_grid.hpp"
#include "figure/lab_words.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/chart.hpp"
#include "figure/parts/series_chart.hpp"
#include "figure/parts/stripe.hpp"
#include "lab/number_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace heed::figure {

namespace {

constexpr TextStyle kLabLegend{11.5f}, kLabVerdict{13, Font::sans, Weight::bold};
constexpr TextStyle kLabNumber{12, Font::mono}, kLabTick{10.5f, Font::mono};
constexpr float kLegendLine = 17;
constexpr std::string_view kBits = "bits"; // of an entropy: two decimals, as everywhere

std::vector<float> floats(const std::vector<double>& values, bool logarithm = false) {
    std::vector<float> result;
    for (const double v : values) {
        result.push_back(static_cast<float>(logarithm ? std::log10(v) : v));
    }
    return result;
}

Series series_of(const lab::Series& series, bool logarithm) {
    Series made;
    made.name = lab::plain(series.name);
    made.values = floats(series.values, logarithm);
    made.hue = series.colour;
    // Bands that are no wider than a stroke would only thicken it.
    if (series.least != series.most) {
        made.least = floats(series.least, logarithm);
        made.most = floats(series.most, logarithm);
    }
    return made;
}

/// Says of each series whether it lies mostly upon one before it, and is dashed there.
void dash_names(std::vector<Series>& series) {
    constexpr float kOneLine = 0.01f; // of what the values span
    float low = 0, high = 0;
    for (const Series& s : series) {
        for (const float v : s.values) {
            if (!std::isfinite(v)) continue;
            low = std::min(low, v);
            high = std::max(high, v);
        }
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
        const std::vector<float>& own = series[i].values;
        std::size_t upon = 0;
        for (std::size_t place = 0; place < own.size(); ++place) {
            upon += std::any_of(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(i),
                                [&](const Series& other) {
                                    return place < other.values.size() &&
                                           std::abs(other.values[place] - own[place]) <
                                               kOneLine * (high - low);
                                });
        }
        series[i].dashed_name = 3 * upon > 2 * own.size();
    }
}

Color bar_color(const Theme& theme, const lab::Bars& bars, std::size_t i) {
    const int own = bars.series[i].colour.value_or(static_cast<int>(i));
    return series_color(theme, own, static_cast<int>(bars.series.size()));
}

std::optional<std::size_t> nearest_place(const std::vector<double>& xs, double x) {
    if (xs.empty()) return std::nullopt;
    std::size_t best = 0;
    for (std::size_t i = 1; i < xs.size(); ++i) {
        if (std::abs(xs[i] - x) < std::abs(xs[best] - x)) best = i;
    }
    return best;
}

/// What a dashed line is, at the right behind a piece of it. Returns the width that it took.
float draw_line_key(Sheet& sheet, const std::string& words, const Box& box) {
    if (words.empty()) return 0;
    constexpr float kBehindLine = 6, kApart = 12;
    const float width = sheet.width_of(words, kLabLegend), x = box.x + box.w - width;
    const float line = x - kBehindLine;
    sheet.text(words, {x, box.y + 11}, kLabLegend, sheet.theme().muted);
    sheet.line({{line, box.y + 1}, {line, box.y + 13}}, sheet.theme().muted, 1, true);
    return width + kBehindLine + kApart;
}

void draw_data(Sheet& sheet, const lab::Curves& curves, const Box& box) {
    SeriesChart chart;
    chart.xs = floats(curves.xs);
    chart.log_x = curves.log_x;
    chart.interleaved = true;
    chart.powers_of_ten = curves.log_y;
    for (const lab::Series& series : curves.series) {
        chart.series.push_back(series_of(series, curves.log_y));
    }
    dash_names(chart.series);
    // Ticks of a chart are round numbers; of few places each has its own.
    constexpr std::size_t kMostNames = 12;
    if (curves.xs.size() <= kMostNames) {
        for (const double x : curves.xs) {
            chart.x_names.push_back(shortest_text(static_cast<float>(x), 3));
        }
    }
    chart.x_word = lab::plain(curves.x_word);
    if (curves.now) chart.marker = nearest_place(curves.xs, *curves.now);
    chart.bare_names = !curves.now_values;
    chart.decimals = curves.decimals;
    if (!curves.log_y) chart.low = 0;
    float above = 0;
    const std::string line = curves.now ? lab::plain(curves.now_words) : std::string();
    if (!curves.y_word.empty() || !line.empty()) {
        constexpr float kWord = 17;
        above = kWord;
        const float room = box.w - draw_line_key(sheet, line, box);
        sheet.text(sheet.fitted_end(lab::plain(curves.y_word), kLabLegend, room),
                   {box.x, box.y + 11}, kLabLegend, sheet.theme().muted);
    }
    draw_series(sheet, chart, {box.x, box.y + above, box.w, box.h - above});
}

void draw_data(Sheet& sheet, const lab::Histogram& histogram, const Box& box) {
    SeriesChart chart;
    chart.filled = true;
    chart.interleaved = true; // what is drawn lies upon what a formula gives
    chart.x_word = lab::plain(histogram.x_word);
    for (const lab::Series& s : histogram.counts) chart.series.push_back(series_of(s, false));
    for (const lab::Series& s : histogram.closed) {
        chart.series.push_back(series_of(s, false));
        chart.series.back().bare = true;
        chart.series.back().color = sheet.theme().text;
    }
    dash_names(chart.series);
    const std::size_t bins = chart.series.empty() ? 0 : chart.series[0].values.size();
    for (std::size_t i = 0; i < bins; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(bins);
        chart.xs.push_back(
            static_cast<float>(histogram.from + share * (histogram.to - histogram.from)));
    }
    chart.low = 0;
    constexpr float kWord = 17;
    const float above = histogram.y_word.empty() ? 0 : kWord;
    if (above > 0) {
        sheet.text(sheet.fitted_end(lab::plain(histogram.y_word), kLabLegend, box.w),
                   {box.x, box.y + 11}, kLabLegend, sheet.theme().muted);
    }
    draw_series(sheet, chart, {box.x, box.y + above, box.w, box.h - above});
}

/// What bars count and, of several series, names behind squares of their colours. Returns the
/// height that they took.
float draw_bar_legend(Sheet& sheet, const lab::Bars& bars, const Box& box) {
    float top = box.y;
    if (!bars.y_word.empty()) {
        sheet.text(sheet.fitted_end(lab::plain(bars.y_word), kLabLegend, box.w), {box.x, top + 11},
                   kLabLegend, sheet.theme().muted);
        top += kLegendLine;
    }
    if (bars.series.size() < 2) return top - box.y;
    float x = box.x, all = -14;
    for (const lab::Series& s : bars.series) {
        all += sheet.width_of(lab::plain(s.name), kLabLegend) + 28;
    }
    const float others = all > box.w ? 14 + sheet.width_of("+9 more", kLabLegend) : 0;
    for (std::size_t s = 0; s < bars.series.size(); ++s) {
        const std::string words = lab::plain(bars.series[s].name);
        const float width = sheet.width_of(words, kLabLegend);
        if (x + 14 + width + others > box.x + box.w) {
            sheet.text("+" + std::to_string(bars.series.size() - s) + " more", {x, top + 11},
                       kLabLegend, sheet.theme().muted);
            break;
        }
        sheet.fill({x, top + 2, 9, 9}, bar_color(sheet.theme(), bars, s), 2);
        sheet.text(words, {x + 14, top + 11}, kLabLegend, sheet.theme().muted);
        x += width + 28;
    }
    return top + kLegendLine - box.y;
}

struct BarSpan {
    float low = 0, high = 0;
};
BarSpan span_of(const lab::Bars& bars) {
    BarSpan span;
    for (const lab::Series& s : bars.series) {
        for (const auto* values : {&s.values, &s.most, &s.least}) {
            for (const double v : *values) {
                if (!std::isfinite(v)) continue;
                span.low = std::min(span.low, static_cast<float>(v));
                span.high = std::max(span.high, static_cast<float>(v));
            }
        }
    }
    if (!(span.high > span.low)) span.high = span.low + 1;
    return span;
}

void draw_groups(Sheet& sheet, const lab::Bars& bars, const Chart& chart) {
    const auto groups = static_cast<float>(std::max<std::size_t>(bars.labels.size(), 1));
    const auto count = static_cast<int>(bars.series.size());
    const float pitch = chart.box.w / groups;
    const float width = std::min(pitch * 0.8f / static_cast<float>(count), 40.f);
    for (int s = 0; s < count; ++s) {
        const lab::Series& series = bars.series[static_cast<std::size_t>(s)];
        const Color color = bar_color(sheet.theme(), bars, static_cast<std::size_t>(s));
        for (std::size_t g = 0; g < series.values.size() && g < bars.labels.size(); ++g) {
            if (!std::isfinite(series.values[g])) continue;
            const float middle = chart.box.x + (static_cast<float>(g) + 0.5f) * pitch;
            const float left =
                middle + (static_cast<float>(s) - static_cast<float>(count) / 2) * width;
            const float y = chart.y(static_cast<float>(series.values[g])), zero = chart.y(0);
            const Box bar{left, std::min(y, zero), std::max(width - 1, 1.f), std::abs(zero - y)};
            sheet.fill(bar, color, std::min(2.f, bar.h / 2));
            sheet.target({left, chart.box.y, width, chart.box.h}, tag::Bar{static_cast<int>(g), s});
            if (g < series.least.size() && series.most[g] > series.least[g]) {
                const float x = left + width / 2;
                sheet.line({{x, chart.y(static_cast<float>(series.least[g]))},
                            {x, chart.y(static_cast<float>(series.most[g]))}},
                           sheet.theme().text, 1);
            }
        }
    }
}

/// Says behind what bars count which of them have names.
void say_which_are_named(Sheet& sheet, const lab::Bars& bars, const BarNames& names,
                         const Box& box) {
    const std::string words = "every " + ordinal_of(names.plan.step) + " named";
    const float before = sheet.width_of(lab::plain(bars.y_word), kLabLegend) + 14;
    if (bars.y_word.empty() || before + sheet.width_of(words, kLabLegend) > box.w) return;
    sheet.text(words, {box.x + box.w, box.y + 11}, kLabLegend, sheet.theme().muted, AlignX::right);
}

void draw_data(Sheet& sheet, const lab::Bars& bars, const Box& box) {
    if (bars.labels.empty() || bars.series.empty()) return;
    const BarSpan span = span_of(bars);
    std::vector<std::string> labels;
    for (const std::string& label : bars.labels) labels.push_back(lab::plain(label));
    Chart chart;
    chart.rules = round_ticks(span.low, span.high, rules_in(box.h));
    chart.y_low = chart.rules.front().value;
    chart.y_high = chart.rules.back().value;
    float left = 0;
    for (const ValueTick& rule : chart.rules) {
        left = std::max(left, sheet.width_of(rule.text, kLabTick) + 12);
    }
    const float above = draw_bar_legend(sheet, bars, box) + 10;
    const auto count = static_cast<int>(labels.size());
    const float pitch = (box.w - left) / static_cast<float>(count);
    const BarNames names = plan_bar_names(sheet, labels, pitch, 0.4f * box.h);
    if (names.plan.step > 1 && !count_evenly(labels)) say_which_are_named(sheet, bars, names, box);
    chart.box = {box.x + left, box.y + above, box.w - left, box.h - above - names.size - 10};
    if (chart.box.w < 20 || chart.box.h < 20) return;
    draw_value_rules(sheet, chart);
    draw_groups(sheet, bars, chart);
    draw_bar_names(sheet, names, chart.box.x, pitch, chart.box.y + chart.box.h + 6, box.x + box.w);
}

void draw_data(Sheet& sheet, const lab::Grid& grid, const Box& box) {
    draw_lab_grid(sheet, grid, box);
}

void draw_data(Sheet& sheet, const lab::Words& words, const Box& box) {
    draw_lab_words(sheet, words, box);
}

Color verdict_color(const Theme& theme, lab::Verdict verdict) {
    switch (verdict) {
    case lab::Verdict::holds: return theme.good;
    case lab::Verdict::does_not_hold: return theme.bad;
    case lab::Verdict::depends: return theme.accent;
    }
    return theme.text;
}

/// Numbers in two columns, then the verdict. Returns the bottom.
float draw_measured(Sheet& sheet, const LabPage& page, float top) {
    const float left = sheet.margin(), width = sheet.width() - 2 * left;
    float y = top + 28;
    for (std::size_t i = 0; i < page.measured.size(); ++i) {
        const bool second = i % 2 == 1;
        const float column = (width - 32) / 2, x = left + (second ? column + 32 : 0);
        const std::string text = measured_text(page.measured[i]);
        const float room = column - sheet.width_of(text, kLabNumber) - 10;
        sheet.text(sheet.fitted_end(lab::plain(page.measured[i].label), kLabLegend, room), {x, y},
                   kLabLegend, sheet.theme().muted);
        sheet.text(text, {x + column, y}, kLabNumber, sheet.theme().text, AlignX::right);
        if (second || i + 1 == page.measured.size()) y += 20;
    }
    y += 10;
    const lab::Judgement& judgement = page.judgement;
    std::string verdict(lab::name(judgement.verdict));
    verdict[0] = static_cast<char>(verdict[0] - 'a' + 'A');
    sheet.text(verdict, {left, y}, kLabVerdict, verdict_color(sheet.theme(), judgement.verdict));
    for (const std::string& line :
         sheet.wrapped(lab::plain(judgement.because), kLabLegend, width, 4)) {
        y += 18;
        sheet.text(line, {left, y}, kLabLegend, sheet.theme().text);
    }
    y += 20;
    sheet.text(sheet.fitted_end(page.source, kNote, width), {left, y}, kNote, sheet.theme().muted);
    return y + 8;
}

/// "1.000 ± 0.013"; what is very large or small with one power of ten behind both.
std::string mean_text(const lab::Number& number, std::optional<int> decimals) {
    const double value = number.value, spread = number.spread;
    const double size = std::max(std::abs(value), spread);
    if (decimals) {
        // No float: it would not hold all of these digits.
        const std::string mean = fmt::format("{:.{}f}", std::abs(value), *decimals);
        const bool zero = mean.find_first_not_of("0.") == std::string::npos;
        return fmt::format("{}{} ± {:.{}f}", value < 0 && !zero ? "−" : "", mean, spread,
                           *decimals);
    }
    if (size >= 1e6 || size < 1e-3) {
        const double power = std::pow(10.0, std::floor(std::log10(size)));
        const lab::Number digits{"", "", value / power, spread / power};
        if (const auto places = lab::shared_decimals(digits)) {
            return fmt::format("({})·{}", mean_text(digits, places), scientific_text(power, 0));
        }
    }
    return significant_text(value, 4) + " ± " + significant_text(spread, 2);
}

} // namespace

std::string measured_text(const lab::Number& number) {
    const std::string unit =
        number.unit.empty() ? "" : (number.unit == "×" ? "" : " ") + number.unit;
    if (std::isinf(number.value)) return (number.value < 0 ? "−∞" : "∞") + unit;
    const bool share = number.unit == lab::kShare, points = number.unit == lab::kPoints;
    lab::Number shown = number;
    if (share || points) {
        shown.value *= 100;
        shown.spread *= 100;
    }
    const bool bits = number.unit == kBits;
    if (shown.spread > 0) {
        // A spread of nothing but zeros would say that there is none.
        const bool two = bits && shown.spread >= 0.005 && shown.value < 1e3;
        const std::string mean = mean_text(shown, two ? 2 : lab::shared_decimals(shown));
        return number.unit == "×" ? "(" + mean + ")" + unit : mean + unit;
    }
    if (share) return percent_text(number.value);
    if (points) return number_text(static_cast<float>(shown.value), 1) + unit;
    if (bits) return number_text(static_cast<float>(number.value), 2) + unit;
    return lab::grouped(significant_text(number.value, 4)) + unit;
}

void draw_lab_picture(Sheet& sheet, const lab::Picture& picture, const Box& box) {
    if (box.w < 60 || box.h < 40) return;
    std::visit([&](const auto& data) { draw_data(sheet, data, box); }, picture.data);
}

void draw_lab_card(Sheet& sheet, const lab::Picture& picture, const Box& box, float beside) {
    const Box inner = draw_card(sheet, box, picture.title, picture.subtitle, beside);
    if (inner.w > 0) draw_lab_picture(sheet, picture, inner);
}

Figure lab_picture(const lab::Picture& picture, const Frame& frame) {
    Sheet sheet(frame, 520, 360);
    const std::string title = lab::plain(picture.title);
    sheet.figure.title = title;
    const float top = sheet.header(title, lab::plain(picture.subtitle));
    const float bottom = sheet.content_bottom();
    draw_lab_picture(sheet, picture,
                     {sheet.margin(), top, sheet.width() - 2 * sheet.margin(), bottom - top});
    return std::move(sheet.figure);
}

Figure lab_page(const LabPage& page, const Frame& frame) {
    constexpr float kCard = 320;
    const std::size_t rows = (page.pictures.size() + 1) / 2;
    const float numbers =
        page.measured.empty() ? 0 : 20 * static_cast<float>((page.measured.size() + 1) / 2) + 112;
    Sheet sheet(frame, 1040, 110 + kCard * static_cast<float>(rows) + numbers);
    const std::string title = lab::plain(page.title);
    sheet.figure.title = title;
    const float top = sheet.header(title, lab::plain(page.subtitle));
    const float bottom = sheet.content_bottom();
    const float end = std::min(bottom, sheet.height()) - numbers;
    const Box whole{sheet.margin(), top, sheet.width() - 2 * sheet.margin(),
                    std::max(end - top, 1.f)};
    std::vector<CardRow> shares;
    for (std::size_t i = 0; i < rows; ++i) {
        shares.push_back({2 * i + 1 == page.pictures.size() ? 1 : 2, 1});
    }
    if (rows > 0) {
        const auto places = card_places(whole, shares);
        for (std::size_t i = 0; i < std::min(places.size(), page.pictures.size()); ++i) {
            const lab::Picture& picture = page.pictures[i];
            draw_lab_card(sheet, picture, places[i]);
        }
    }
    if (!page.measured.empty()) draw_measured(sheet, page, end);
    return std::move(sheet.figure);
}

} // namespace heed::figure
