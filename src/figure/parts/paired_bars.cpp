#include "figure/parts/paired_bars.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/tag.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kRowName = 18, kNumber = 14, kWidestColumn = 72, kWidestOfAll = 120,
                kNumberedPitch = 30, kLowestNumbered = 44;
constexpr float kLowestNamedAbove = 30, kNameGap = 12; // a row; between its name and bars

/// `aside`: points before the bars for the row's name, which else stands above them.
void draw_bar_row(Sheet& sheet, const PairedBars& bars, std::size_t row, const Box& box,
                  float pitch, float most, float aside) {
    const Theme& theme = sheet.theme();
    const float base = box.y + box.h;
    if (aside > 0) {
        sheet.text(sheet.fitted(bars.names[row], kNote, aside - kNameGap),
                   {box.x - aside, base - kNote.size / 2}, kNote, theme.muted, AlignX::left,
                   AlignY::middle);
    } else {
        sheet.text(sheet.fitted(bars.names[row], kNote, box.w), {box.x, box.y + 10}, kNote,
                   theme.muted);
    }
    const bool numbered = pitch >= kNumberedPitch && box.h >= kLowestNumbered;
    const float top = box.y + (aside > 0 ? 0 : kRowName) + (numbered ? kNumber : 0);
    const float room = std::max(base - top, 1.f);
    const float thick = std::clamp(pitch * 0.62f, 1.f, 34.f);
    const auto& values = bars.values[row];
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float middle = box.x + (static_cast<float>(i) + 0.5f) * pitch;
        if (!(values[i] >= kLeastBar)) continue;
        const float high = std::max(room * values[i] / most, 1.f);
        sheet.fill({middle - thick / 2, base - high, thick, high},
                   row == 0 ? theme.accent : theme.series[1], std::min(2.f, high / 2));
        if (numbered && values[i] >= 0.005f) {
            sheet.text(weight_text(values[i], 2), {middle, base - high - 4}, kMonoNote, theme.muted,
                       AlignX::centre);
        }
    }
    sheet.line({{box.x, base}, {box.x + pitch * static_cast<float>(values.size()), base}},
               theme.border);
}

} // namespace

void draw_paired_bars(Sheet& sheet, const PairedBars& bars, const Box& whole, int part) {
    const int count = static_cast<int>(bars.columns.size());
    if (count == 0) return;
    // In a low place names stand before the bars, which are higher so.
    const float labels = plan_columns(sheet, bars.columns, count,
                                      whole.w / static_cast<float>(count), whole.h / 3, bars.marked)
                             .size;
    constexpr float kGap = 8;
    const bool low = (whole.h - labels - 2 * kGap) / 2 < kLowestNamedAbove;
    float aside = 0;
    for (const std::string& name : bars.names) {
        aside = low ? std::max(aside, sheet.width_of(name, kNote) + kNameGap) : 0;
    }
    aside = std::min(std::ceil(aside), 0.4f * whole.w);
    const Box bare{whole.x + aside, whole.y, whole.w - aside, whole.h};
    const float widest = std::clamp(0.3f * whole.h, kWidestColumn, kWidestOfAll);
    // Slanted labels reach to the left of the first column.
    LabelPlan across =
        plan_columns(sheet, bars.columns, count,
                     std::min(bare.w / static_cast<float>(count), widest), bare.h / 3, bars.marked);
    const float reach =
        std::min(reach_left(sheet, across, bars.columns, count, bare.w / static_cast<float>(count)),
                 0.15f * bare.w);
    const Box box{bare.x + reach, bare.y, bare.w - reach, bare.h};
    const float pitch = std::min(box.w / static_cast<float>(count), widest);
    across = plan_columns(sheet, bars.columns, count, pitch, box.h / 3, bars.marked);
    const float high = box.h - across.size - 8;
    float most = 1e-6f;
    for (const auto& values : bars.values) {
        for (const float value : values) most = std::max(most, value);
    }
    const float row = std::max((high - kGap) / 2, 1.f);
    for (std::size_t i = 0; i < 2; ++i) {
        draw_bar_row(sheet, bars, i,
                     {box.x, box.y + static_cast<float>(i) * (row + kGap), box.w, row}, pitch, most,
                     aside > 0 ? aside + reach : 0);
    }
    const float width = pitch * static_cast<float>(count);
    sheet.target({box.x, box.y, width, high}, tag::Cells{2, count, part});
    AxisMarks marks;
    marks.selected = bars.marked;
    const std::size_t before = sheet.figure.targets.size();
    draw_columns(sheet, across, bars.columns, count, box.x, pitch, box.y + high + 6, Side::below,
                 box.x + box.w, marks, LabelOf::column);
    for (std::size_t i = before; i < sheet.figure.targets.size(); ++i) {
        std::get<tag::ColLabel>(sheet.figure.targets[i].tag).part = part;
    }
}

std::string name_of_several(BarKind kind, int count) {
    const std::string number = std::to_string(count);
    switch (kind) {
    case BarKind::head: return number + (count == 1 ? " other head" : " other heads");
    case BarKind::network: return "feed-forward, " + number + (count == 1 ? " other" : " others");
    case BarKind::other: break;
    }
    return number + (count == 1 ? " other part" : " other parts");
}

namespace {

constexpr float kLowestBar = 16;

struct PlacedBar {
    InsideBar bar;
    int place; // among all; -1: several of them
};

/// Puts bar `from` into bar `into` of its kind, which is of several then.
void join(std::vector<PlacedBar>& bars, std::size_t from, std::size_t into) {
    const InsideBar a = bars[from].bar, b = bars[into].bar;
    const int count = a.count + b.count;
    bars[into] = {{name_of_several(a.kind, count), a.value + b.value, -1, a.kind, count}, -1};
    bars.erase(bars.begin() + static_cast<std::ptrdiff_t>(from));
}

/// The place of the smallest bar that `wanted` holds of.
template <class Wanted>
std::optional<std::size_t> smallest_bar(const std::vector<PlacedBar>& bars, Wanted wanted) {
    std::optional<std::size_t> smallest;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        if (!wanted(i)) continue;
        const bool less =
            !smallest || std::abs(bars[i].bar.value) < std::abs(bars[*smallest].bar.value);
        if (less) smallest = i;
    }
    return smallest;
}

/// Joins the smallest head or feed-forward network to the others of its kind, of which one keeps
/// its name; false where no kind has two.
bool join_of_a_kind(std::vector<PlacedBar>& bars) {
    const auto is_named = [&](std::size_t i, BarKind kind) {
        return bars[i].bar.count == 1 && bars[i].bar.kind == kind;
    };
    const auto named = [&](BarKind kind) {
        return std::ranges::count_if(bars, [&](const PlacedBar& placed) {
            return placed.bar.count == 1 && placed.bar.kind == kind;
        });
    };
    const auto several = [&](BarKind kind) {
        const auto at = std::ranges::find_if(bars, [&](const PlacedBar& placed) {
            return placed.bar.count > 1 && placed.bar.kind == kind;
        });
        return at == bars.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(at - bars.begin()));
    };
    const auto from = smallest_bar(bars, [&](std::size_t i) {
        const BarKind kind = bars[i].bar.kind;
        return kind != BarKind::other && is_named(i, kind) &&
               named(kind) >= (several(kind) ? 2 : 3);
    });
    if (!from) return false;
    const BarKind kind = bars[*from].bar.kind;
    const auto into = several(kind) ? several(kind) : smallest_bar(bars, [&](std::size_t i) {
        return i != *from && is_named(i, kind);
    });
    join(bars, *from, *into);
    return true;
}

/// Bars by value, as many as there is room for: of more, heads and networks join the others of
/// their kind, and then the smallest ones are one bar, the last.
std::vector<PlacedBar> fitting_bars(const std::vector<InsideBar>& all, std::size_t room) {
    room = std::max<std::size_t>(room, 2);
    std::vector<PlacedBar> bars;
    for (std::size_t i = 0; i < all.size(); ++i) bars.push_back({all[i], static_cast<int>(i)});
    while (bars.size() > room && join_of_a_kind(bars)) {
    }
    InsideBar rest{"", 0, -1, BarKind::other, 0};
    while (bars.size() + (rest.count > 0 ? 1 : 0) > room) {
        const auto smallest = smallest_bar(bars, [](std::size_t) { return true; });
        rest.value += bars[*smallest].bar.value;
        rest.count += bars[*smallest].bar.count;
        bars.erase(bars.begin() + static_cast<std::ptrdiff_t>(*smallest));
    }
    std::ranges::stable_sort(bars, std::greater{},
                             [](const PlacedBar& placed) { return placed.bar.value; });
    if (rest.count > 0) {
        rest.name = name_of_several(BarKind::other, rest.count);
        bars.push_back({rest, -1});
    }
    return bars;
}

} // namespace

std::string part_name(const Sheet& sheet, std::string name, const TextStyle& style, float room) {
    constexpr std::pair<std::string_view, std::string_view> kShorter[] = {{"feed-forward", "FF"},
                                                                          {"head ", ""},
                                                                          {"other heads", "heads"},
                                                                          {"other parts", "others"},
                                                                          {"other part", "other"}};
    for (const auto& [words, fewer] : kShorter) {
        const auto at = name.find(words);
        if (at == std::string::npos || sheet.width_of(name, style) <= room) continue;
        name.replace(at, words.size(), fewer);
    }
    return sheet.fitted(name, style, room);
}

void draw_part_bars(Sheet& sheet, const std::vector<InsideBar>& all, const std::string& sum,
                    const Box& part, int tagged) {
    const Theme& theme = sheet.theme();
    const float foot = sum.empty() ? 0 : 22;
    const auto bars =
        fitting_bars(all, static_cast<std::size_t>(std::max(0.f, part.h - foot) / kLowestBar));
    const std::size_t count = std::max<std::size_t>(1, bars.size());
    constexpr float kHighest = 32, kHighestOfLarge = 54, kLargeCard = 600, kLargeLetters = 14.5f;
    const bool large = part.w >= kLargeCard;
    const float pitch =
        std::min((part.h - foot) / static_cast<float>(count), large ? kHighestOfLarge : kHighest);
    const bool roomy = pitch > kHighest;
    TextStyle word = kFormula;
    if (roomy) word.size = kLargeLetters;
    double low = 0, high = 0;
    for (const auto& [bar, place] : bars) {
        low = std::min(low, bar.value);
        high = std::max(high, bar.value);
    }
    if (high - low <= 0) high = 1;
    const float names = std::min(0.36f * part.w, roomy ? 190.f : 156.f);
    const float numbers = sheet.width_of("+00.00", kMonoNote) + 8;
    const float left = part.x + names + 8, room = std::max(part.w - names - 8 - numbers, 1.f);
    const auto x = [&](double value) {
        return left + room * static_cast<float>((value - low) / (high - low));
    };
    const float thick = std::clamp(pitch * 0.45f, 2.f, roomy ? 18.f : 12.f);
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const auto& [bar, place] = bars[i];
        const float middle = part.y + (static_cast<float>(i) + 0.5f) * pitch;
        sheet.text(part_name(sheet, bar.name, word, names), {part.x, middle}, word, theme.text,
                   AlignX::left, AlignY::middle);
        const float from = std::min(x(0), x(bar.value)), to = std::max(x(0), x(bar.value));
        const Color ink = bar.value < 0 ? theme.series[1] : theme.accent;
        sheet.fill({from, middle - thick / 2, std::max(to - from, 1.f), thick}, ink, 1.5f);
        sheet.text((bar.value < 0 ? "" : "+") + number_text(static_cast<float>(bar.value), 2),
                   {part.x + part.w, middle}, kMonoNote, theme.text, AlignX::right, AlignY::middle);
        sheet.target({part.x, middle - pitch / 2, part.w, pitch}, tag::Bar{place, 0, tagged});
    }
    const float bottom = part.y + static_cast<float>(count) * pitch;
    sheet.line({{x(0), part.y}, {x(0), bottom}}, theme.border);
    if (foot > 0) {
        sheet.text(sheet.fitted(sum, kMonoNote, part.w), {part.x, bottom + 15}, kMonoNote,
                   theme.muted);
    }
}

} // namespace heed::figure
