#include "figure/parts/series_chart.hpp"

#include "base/check.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/dashed_line.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/chart.hpp"
#include "figure/parts/series_legend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace heed::figure {

namespace {

constexpr TextStyle kTick{10.5f, Font::mono};
constexpr float kTickLine = 13;
/// Heights around the curves: above them, of the numbers below and of the axis' word.
struct Around {
    float above, ticks, word;
    bool dense = false;
};
constexpr Around kRoomy{10, 20, 16}, kDense{7, 17, 14, true};
constexpr float kWordAbove = 22; // points of the name of the values there
// Heights of the curves' own place.
constexpr float kLowCurves = 80, kLowestWithRules = 28, kLowestWithEnds = 13;
constexpr float kEasyWithWord = 64, kLowestWithWord = 20; // above a line of the word's own

float place_of(const SeriesChart& chart, float x) { return chart.log_x ? std::log2(x) : x; }

std::pair<float, float> span_of(const SeriesChart& chart) {
    float low = chart.low.value_or(1e30f), high = chart.high.value_or(-1e30f);
    const auto see = [&](const std::vector<float>& values) {
        for (const float v : values) {
            if (!std::isfinite(v)) continue;
            low = std::min(low, v);
            high = std::max(high, v);
        }
    };
    for (const Series& series : chart.series) {
        for (const auto* values : {&series.values, &series.least, &series.most}) see(*values);
        if (series.apart) see({series.apart->value});
    }
    if (chart.low) high = std::max(high, low);
    if (chart.high) low = std::min(low, high);
    if (low > high) low = high = 0;
    if (!(high > low)) high = low + std::max(1.f, std::abs(low) * 1e-3f);
    return {low, high};
}

ValueAxis axis_of(const SeriesChart& chart, const Box& box) {
    const auto [low, high] = span_of(chart);
    const int most = rules_in(box.h);
    if (chart.top_of_values) return value_axis(low, high, most, 0.05f);
    if (!chart.powers_of_ten) return value_axis(low, high, most);
    std::vector<ValueTick> ticks = power_ticks(low, high, most);
    return {ticks.front().value, ticks.back().value, std::move(ticks)};
}

/// Rules with their values; in a low place the first and the last of them, as three numbers would
/// lie upon each other.
void draw_series_rules(Sheet& sheet, const Chart& frame) {
    if (frame.box.h >= kLowestWithRules) return draw_value_rules(sheet, frame);
    for (const ValueTick* rule : {&frame.rules.back(), &frame.rules.front()}) {
        const float y = frame.y(rule->value);
        sheet.line({{frame.box.x, y}, {frame.box.x + frame.box.w, y}}, sheet.theme().border);
        if (frame.box.h < kLowestWithEnds) continue;
        sheet.text(rule->text, {frame.box.x - 6, y}, kTick, sheet.theme().muted, AlignX::right,
                   AlignY::middle);
    }
}

/// The name of one x, whose second line is smaller news.
void draw_tick_name(Sheet& sheet, const std::string& name, Point at) {
    const std::size_t line = name.find('\n');
    sheet.text(name.substr(0, line), at, kTick, sheet.theme().muted, AlignX::centre, AlignY::top);
    if (line == std::string::npos) return;
    sheet.text(name.substr(line + 1), {at.x, at.y + kTickLine}, kTick, sheet.theme().muted,
               AlignX::centre, AlignY::top);
}

void draw_tick_names(Sheet& sheet, const SeriesChart& chart, const Chart& frame) {
    const float y = frame.box.y + frame.box.h + 5;
    float widest = 0;
    for (const std::string& name : chart.x_names) {
        for (std::size_t from = 0; from <= name.size();) {
            const std::size_t end = std::min(name.find('\n', from), name.size());
            widest = std::max(widest, sheet.width_of(name.substr(from, end - from), kTick));
            from = end + 1;
        }
    }
    const auto places = static_cast<float>(std::max<std::size_t>(chart.xs.size() - 1, 1));
    const auto step = static_cast<std::size_t>(thinning(frame.box.w / places, widest + 8));
    for (std::size_t i = 0; i < chart.x_names.size(); i += step) {
        const float x = frame.x(place_of(chart, chart.xs[i]));
        sheet.line({{x, y - 5}, {x, y - 2}}, sheet.theme().border);
        draw_tick_name(sheet, chart.x_names[i], {x, y});
    }
}

/// Ticks at whole numbers.
std::vector<ValueTick> whole_ticks(const Sheet& sheet, const Chart& frame) {
    const auto widest = std::max(sheet.width_of(number_text(frame.x_low, 0), kTick),
                                 sheet.width_of(number_text(frame.x_high, 0), kTick));
    const int step = thinning(frame.box.w / (frame.x_high - frame.x_low), widest + 16);
    const auto first = static_cast<long>(std::ceil(frame.x_low / static_cast<float>(step)));
    std::vector<ValueTick> ticks;
    for (long tick = first * step; static_cast<float>(tick) <= frame.x_high + 1e-3f; tick += step) {
        const auto value = static_cast<float>(tick);
        ticks.push_back({value, number_text(value, 0)});
    }
    return ticks;
}

/// A number below the axis, and where it is.
struct PlacedTick {
    std::string text;
    float x = 0, half = 0; // its middle, and half of its width
};

/// Numbers that end before `right`.
std::vector<PlacedTick> placed_ticks(const Sheet& sheet, const SeriesChart& chart,
                                     const Chart& frame, float right) {
    const int most = static_cast<int>(frame.box.w / (sheet.width_of("0.001", kTick) + 10)) + 1;
    std::vector<PlacedTick> placed;
    for (const ValueTick& tick : chart.log_x ? log_ticks(chart.xs.front(), chart.xs.back(), most)
                                             : whole_ticks(sheet, frame)) {
        const PlacedTick at{tick.text, frame.x(place_of(chart, tick.value)),
                            sheet.width_of(tick.text, kTick) / 2};
        if (at.x + at.half <= right) placed.push_back(at);
    }
    return placed;
}

/// Where the axis' word ends behind the last number or else before it; nothing where that would
/// cost a number.
std::optional<float> word_among(const Sheet& sheet, const SeriesChart& chart,
                                const std::vector<PlacedTick>& ticks, float left, float right) {
    constexpr float kApart = 8;
    const float width = sheet.width_of(chart.x_word, kNote);
    if (ticks.empty()) return right;
    const auto free_from = [&](std::size_t count) { // behind so many numbers
        return count == 0 ? left : ticks[count - 1].x + ticks[count - 1].half + kApart;
    };
    if (free_from(ticks.size()) + width <= right) return right;
    const float end = ticks.back().x - ticks.back().half - kApart;
    return free_from(ticks.size() - 1) + width <= end ? std::optional(end) : std::nullopt;
}

/// Narrows a chart by `room` at its right, with all of its numbers; false where they would touch.
bool make_room(Chart& frame, std::vector<PlacedTick>& ticks, float room) {
    constexpr float kApart = 6;
    if (frame.box.w <= 2 * room) return false;
    std::vector<PlacedTick> closer = ticks;
    const float narrower = (frame.box.w - room) / frame.box.w;
    for (PlacedTick& tick : closer) tick.x = frame.box.x + (tick.x - frame.box.x) * narrower;
    const auto touching = std::ranges::adjacent_find(
        closer, [](const auto& a, const auto& b) { return a.x + a.half + kApart > b.x - b.half; });
    if (touching != closer.end()) return false;
    frame.box.w -= room;
    ticks = std::move(closer);
    return true;
}

/// Draws numbers and, where it ends among them, the axis' word.
void draw_ticks(Sheet& sheet, const SeriesChart& chart, const Chart& frame,
                const std::vector<PlacedTick>& ticks, std::optional<float> word) {
    const float y = frame.box.y + frame.box.h + 5;
    if (word) {
        sheet.text(chart.x_word, {*word, y + 8}, kNote, sheet.theme().muted, AlignX::right);
    }
    for (const PlacedTick& tick : ticks) {
        sheet.line({{tick.x, y - 5}, {tick.x, y - 2}}, sheet.theme().border);
        sheet.text(tick.text, {tick.x, y}, kTick, sheet.theme().muted, AlignX::centre, AlignY::top);
    }
}

/// `left`: of the whole; `room`: above the axis.
void draw_y_word(Sheet& sheet, const SeriesChart& chart, const Chart& frame, float left,
                 float room) {
    constexpr float kMostOfWidth = 0.3f, kLowest = 20, kFromCorner = 4;
    const bool fits = sheet.width_of(chart.y_word, kNote) <= kMostOfWidth * frame.box.w;
    if (chart.y_word.empty() || !fits || frame.box.h < kLowest) return;
    if (chart.y_word_above) {
        if (room < kWordAbove) return;
        const Point at{left, frame.box.y - kWordAbove};
        return sheet.text(chart.y_word, at, kNote, sheet.theme().muted, AlignX::left, AlignY::top);
    }
    const Point corner{frame.box.x,
                       frame.y(frame.rules.back().value)}; // no rule strikes it through
    sheet.text(chart.y_word, {corner.x + kFromCorner, corner.y + kFromCorner}, kNote,
               sheet.theme().muted, AlignX::left, AlignY::top);
}

/// Heights around curves in a place that is so high below its legend.
Around around_curves(const SeriesChart& chart, float high) {
    constexpr float kDeeper = 4, kEasyWithName = 60, kNameAndGap = kWordAbove + 2;
    const bool two_lines =
        !chart.x_names.empty() && chart.x_names[0].find('\n') != std::string::npos;
    const float lines = two_lines ? kTickLine : 0;
    const auto curves = [&](const Around& around) {
        return high - around.above - around.ticks - lines - around.word;
    };
    Around around = curves(kRoomy) >= kLowCurves ? kRoomy : kDense;
    if (chart.y_word_above && curves(around) >= kEasyWithName) around.above = kNameAndGap;
    if (around.dense) around.word += std::min(chart.below, kDeeper);
    around.ticks += lines;
    return around;
}

/// One dash, or none, a place: of what leads there from the place before.
void draw_curve_pieces(Sheet& sheet, const SeriesChart& chart, const Chart& frame,
                       const std::vector<float>& values, Color color, float width,
                       const std::vector<std::optional<Dash>>& dashes = {}) {
    constexpr float kOnePlace = 0.01f; // points
    std::vector<Point> points;
    std::optional<Dash> dash;
    const auto end_piece = [&] {
        draw_piece(sheet, points, color, width, dash);
        points.clear();
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            end_piece();
            continue;
        }
        const std::optional<Dash> here = dashes.empty() ? std::nullopt : dashes[i];
        if (points.size() > 1 && here != dash) {
            const Point joint = points.back();
            end_piece();
            points.push_back(joint);
        }
        dash = here;
        const float value = std::clamp(values[i], frame.y_low, frame.y_high);
        const Point at{frame.x(place_of(chart, chart.xs[i])), frame.y(value)};
        // Of few steps many places are one; a painter would give a line of no length no width.
        const bool again = !points.empty() && std::abs(points.back().x - at.x) < kOnePlace &&
                           std::abs(points.back().y - at.y) < kOnePlace;
        if (!again) points.push_back(at);
    }
    end_piece();
}

/// The series upon which so many others lie.
int series_at(const SeriesChart& chart, int lies) {
    const int above = chart.above.value_or(0);
    if (lies == 0) return above;
    return lies <= above ? lies - 1 : lies;
}

void draw_ground(Sheet& sheet, const SeriesChart& chart, const Chart& frame, const Series& series,
                 Color color) {
    const std::size_t n = chart.xs.size();
    const auto place = [&](std::size_t i) { return frame.x(place_of(chart, chart.xs[i])); };
    // Neighbours share an edge on a whole point, so that no seam shows between them.
    const auto edge = [&](std::size_t i) {
        if (i == 0) return frame.box.x;
        return i == n ? frame.box.x + frame.box.w : std::round((place(i - 1) + place(i)) / 2);
    };
    const float zero = frame.y(std::clamp(0.f, frame.y_low, frame.y_high));
    for (std::size_t i = 0; i < n; ++i) {
        if (!std::isfinite(series.values[i]) || series.values[i] == 0) continue;
        const float y = frame.y(std::clamp(series.values[i], frame.y_low, frame.y_high));
        const float left = edge(i), right = edge(i + 1);
        if (right > left) {
            sheet.fill({left, std::min(y, zero), right - left, std::abs(zero - y)}, color);
        }
    }
}

using Curves = std::vector<float> Series::*; // the values of each, or one side of its band

/// True where two curves are one line, from the place before this one on.
bool coincide(const Chart& frame, const std::vector<float>& a, const std::vector<float>& b,
              std::size_t place) {
    constexpr float kOneLine = 1.2f; // points
    const auto at = [&](std::size_t i) {
        return std::abs(frame.y(a[i]) - frame.y(b[i])) < kOneLine; // never of a gap
    };
    return at(place) && (place == 0 || at(place - 1));
}

/// The dashes of a curve at each place. Where interleaved ones are one line each has pieces of the
/// same length in turn: the one that is drawn first lies whole below the others.
std::vector<std::optional<Dash>> dashes_of(const SeriesChart& chart, const Chart& frame, int i,
                                           int nth, Curves curves) {
    constexpr float kPiece = 5;
    std::vector<std::optional<Dash>> dashes(chart.xs.size(), dash_of_curve(chart, i));
    if (!chart.interleaved) return dashes;
    const auto values = [&](int lies) -> const std::vector<float>& {
        return chart.series[static_cast<std::size_t>(series_at(chart, lies))].*curves;
    };
    for (std::size_t place = 0; place < dashes.size(); ++place) {
        int below = 0, above = 0;
        for (int other = 0; other < std::ssize(chart.series); ++other) {
            if (other == nth || values(other).empty()) continue;
            if (coincide(frame, values(nth), values(other), place)) {
                ++(other < nth ? below : above);
            }
        }
        if (below == 0) continue;
        dashes[place] =
            Dash{kPiece * static_cast<float>(above + 1), kPiece * static_cast<float>(below)};
    }
    return dashes;
}

void draw_curves(Sheet& sheet, const SeriesChart& chart, const Chart& frame) {
    const int count = static_cast<int>(chart.series.size());
    const auto each = [&](auto draw) {
        for (int nth = 0; nth < count; ++nth) {
            const int i = series_at(chart, chart.interleaved ? nth : count - 1 - nth);
            draw(chart.series[static_cast<std::size_t>(i)], i, nth);
        }
    };
    const auto thin = [&](const Series& series, int i, int nth) {
        const float strength = sheet.theme().dark ? 0.65f : 0.4f; // else lost on a dark ground
        const Color color = faded(curve_color(chart, sheet.theme(), i), strength);
        for (const Curves side : {&Series::least, &Series::most}) {
            if ((series.*side).empty()) continue;
            const bool alone = series.least.empty() || series.most.empty(); // a line, and no band
            draw_curve_pieces(sheet, chart, frame, series.*side, color, 0.8f,
                              alone ? dashes_of(chart, frame, i, nth, side)
                                    : std::vector<std::optional<Dash>>());
        }
    };
    if (chart.interleaved) each(thin); // below what is bold
    each([&](const Series& series, int i, int nth) {
        const Color color = curve_color(chart, sheet.theme(), i);
        if (chart.filled && !series.bare)
            draw_ground(sheet, chart, frame, series, faded(color, 0.3f));
        if (!chart.interleaved) thin(series, i, nth);
        draw_curve_pieces(sheet, chart, frame, series.values, color, count > 8 ? 1.3f : 1.8f,
                          dashes_of(chart, frame, i, nth, &Series::values));
    });
    each([&](const Series& series, int i, int) {
        if (!series.apart) return;
        draw_ring(sheet, frame, {place_of(chart, series.apart->x), series.apart->value},
                  curve_color(chart, sheet.theme(), i));
    });
}

/// Xs are evenly spaced, as all of ours are.
void target_cells(Sheet& sheet, const SeriesChart& chart, const Chart& frame) {
    const std::size_t cells = (chart.xs.size() - 1) / static_cast<std::size_t>(chart.cell) + 1;
    const float pitch = frame.box.w / static_cast<float>(std::max<std::size_t>(cells - 1, 1));
    sheet.target(
        {frame.box.x - pitch / 2, frame.box.y, pitch * static_cast<float>(cells), frame.box.h},
        tag::Cells{1, static_cast<int>(cells), chart.part});
}

void check_lengths(const SeriesChart& chart) {
    const std::size_t n = chart.xs.size();
    for (const Series& series : chart.series) {
        HEED_CHECK(series.values.size() == n, "a curve of {} values over {} places",
                   series.values.size(), n);
        for (const auto* side : {&series.least, &series.most}) {
            HEED_CHECK(side->empty() || side->size() == n, "a band of {} values over {} places",
                       side->size(), n);
        }
    }
}

} // namespace

void draw_series(Sheet& sheet, const SeriesChart& chart, const Box& box) {
    check_lengths(chart);
    const std::size_t n = chart.xs.size();
    if (n == 0 || box.w < 60 || box.h < 40) return;
    const ValueAxis axis = axis_of(chart, box);
    const float names = std::max(draw_series_legend(sheet, chart, box), chart.names_high);
    float numbers = 0;
    for (const ValueTick& rule : axis.ticks) {
        numbers = std::max(numbers, sheet.width_of(rule.text, kTick));
    }
    const Around around = around_curves(chart, box.h - names);
    const float above = names + around.above, ticks = around.ticks;
    const float word = around.word - (around.dense ? chart.below : 0); // what it takes of the box
    float from = place_of(chart, chart.xs.front()), to = place_of(chart, chart.xs.back());
    if (!(to > from)) to = from + 1;
    // The last number stands under the end of its axis, and a name is wider.
    const float half_tick = chart.x_names.empty() ? 14 : 24;
    // In a low place a short word stands in the line of numbers.
    constexpr float kShortWord = 0.45f;
    const bool may_beside = around.dense && chart.x_names.empty() &&
                            sheet.width_of(chart.x_word, kNote) <= kShortWord * (box.w - numbers);
    const float left_over = box.h - above - ticks - word;
    Chart frame{
        {box.x + numbers + 12, box.y + above, std::max(box.w - numbers - 12 - half_tick, 2.f), 2.f},
        from,
        to,
        axis.low,
        axis.high,
        axis.ticks};
    const float end = box.x + box.w;
    std::vector<PlacedTick> placed;
    if (chart.x_names.empty()) placed = placed_ticks(sheet, chart, frame, end + half_tick);
    auto among = may_beside ? word_among(sheet, chart, placed, frame.box.x, end) : std::nullopt;
    // Numbers by ratio are few, with no room for a word among them.
    const float enough = may_beside && !chart.log_x ? kEasyWithWord : kLowestWithWord;
    bool below_ticks =
        !chart.x_word.empty() && (left_over >= enough || (!may_beside && box.h >= 110));
    frame.box.h = std::max(box.h - above - ticks - (below_ticks ? word : 0), 2.f);
    bool beside = !chart.x_word.empty() && may_beside && !below_ticks;
    if (beside && !among && make_room(frame, placed, sheet.width_of(chart.x_word, kNote) + 8)) {
        among = end; // behind the last number
    } else if (beside && !among && left_over >= kLowestWithWord) { // rather than upon curves
        beside = false;
        below_ticks = true;
        frame.box.h -= word;
    }
    draw_series_rules(sheet, frame);
    if (chart.x_names.empty()) {
        draw_ticks(sheet, chart, frame, placed, beside ? among : std::nullopt);
        if (beside && !among) { // above the end of its axis, rather than in a number's place
            sheet.text(chart.x_word, {end, frame.box.y + frame.box.h - 4}, kNote,
                       sheet.theme().muted, AlignX::right);
        }
    } else {
        draw_tick_names(sheet, chart, frame);
    }
    if (below_ticks) {
        const float y = frame.box.y + frame.box.h + ticks + around.word - 4;
        sheet.text(chart.x_word, {frame.box.x + frame.box.w, y}, kNote, sheet.theme().muted,
                   AlignX::right);
    }
    draw_curves(sheet, chart, frame);
    draw_y_word(sheet, chart, frame, box.x, around.above);
    if (chart.marker && *chart.marker < n) {
        const float x = frame.x(place_of(chart, chart.xs[*chart.marker]));
        sheet.line({{x, frame.box.y}, {x, frame.box.y + frame.box.h}}, sheet.theme().muted, 1,
                   true);
    }
    target_cells(sheet, chart, frame);
}

std::optional<std::size_t> nearest_by_ratio(const std::vector<float>& xs, float x) {
    if (!(x > 0) || !std::isfinite(x) || xs.empty()) return std::nullopt;
    const auto distance = [&](float other) { return std::abs(std::log(other / x)); };
    const auto best = std::ranges::min_element(xs, {}, distance);
    return static_cast<std::size_t>(best - xs.begin());
}

} // namespace heed::figure
