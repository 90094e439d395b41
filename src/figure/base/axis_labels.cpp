#include "figure/base/axis_labels.hpp"

#include "base/utf8.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/script.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <tuple>

namespace heed::figure {

namespace {

constexpr float kSlant = -45, kTurned = -90; // degrees, rising to the right
constexpr float kSmallestLabel = 9, kSmallestCount = 10;
constexpr float kTurnedFromGrid = 6; // points between the grid and labels that are turned
constexpr int kMeasuredWhole = 256; // labels; more are never upright
constexpr float kBetweenLabels = 8; // between upright labels
constexpr float kBetweenShort = 4;  // between those of few letters
constexpr float kBetweenCharacters = 2; // between single Han characters
constexpr float kStackLine = 1.08f;     // of a character in a stack, in sizes of its letters

/// The step between labels that are drawn; where not all fit, those left stand a little apart.
int thinned_step(float pitch, float needed) {
    if (pitch >= needed) return 1;
    const float step = std::ceil(1.15f * needed / std::max(pitch, 1e-6f));
    return std::max(2, static_cast<int>(std::min(step, 1e8f)));
}

LabelRange usable(const std::vector<std::string>& labels, LabelRange range) {
    return {range.first, std::min(range.last, static_cast<int>(labels.size()))};
}

TextStyle strong(TextStyle style, bool yes) {
    if (yes) style.weight = Weight::bold;
    return style;
}

float widest(const Sheet& sheet, const std::vector<std::string>& labels,
             const std::vector<int>& drawn, const TextStyle& style) {
    float width = 0;
    for (const int i : drawn)
        width = std::max(width, sheet.width_of(labels[static_cast<std::size_t>(i)], style));
    return width;
}

/// The distance that slanted labels need of each other, in sizes of their letters. Han characters
/// fill theirs to the edges, and would touch the next label's.
float slanted_apart(const std::vector<std::string>& labels, LabelRange range) {
    constexpr float kHanLine = 1.25f;
    const auto han = [](const std::string& label) { return han_forms(label) != Han::none; };
    return std::any_of(labels.begin() + range.first, labels.begin() + range.last, han)
               ? kHanLine
               : kLabelLine;
}

/// True where each is one Han character, or less.
bool are_one_character(const std::vector<std::string>& labels, LabelRange range) {
    const auto is_one = [](const std::string& label) {
        return label.empty() || (han_forms(label) != Han::none && is_one_letter(label));
    };
    return std::all_of(labels.begin() + range.first, labels.begin() + range.last, is_one);
}

/// True where each is of a few letters, of which a Han character is two: a small one is read as
/// well as a word is.
bool are_short(const std::vector<std::string>& labels, LabelRange range) {
    constexpr int kFew = 3;
    constexpr char32_t kWide = 0x2E80;
    const auto is_short = [](const std::string& label) {
        int letters = 0;
        for (std::size_t at = 0; at < label.size() && letters <= kFew;) {
            const base::Decoded decoded = base::decode_utf8(label, at);
            letters += decoded.code_point < kWide ? 1 : 2;
            at += decoded.length;
        }
        return letters <= kFew;
    };
    return std::all_of(labels.begin() + range.first, labels.begin() + range.last, is_short);
}

bool is_unknown(const AxisMarks& marks, int i) {
    return std::binary_search(marks.unknown.begin(), marks.unknown.end(), i);
}

} // namespace

bool is_marked(const AxisMarks& marks, int i) {
    return marks.selected == i || marks.partner == i ||
           std::binary_search(marks.chosen.begin(), marks.chosen.end(), i);
}

void draw_underline(Sheet& sheet, const AxisMarks& marks, int i, const std::string& text, Point at,
                    const TextStyle& style, AlignX align, float degrees) {
    const bool unknown = is_unknown(marks, i);
    if (!unknown && !(is_marked(marks, i) && has_emoji(text))) return;
    const float width = sheet.width_of(text, style), below = (unknown ? 0.62f : 0.72f) * style.size;
    const float before = align == AlignX::left ? 0 : align == AlignX::right ? width : width / 2;
    const float sine = degrees == 0 ? 0 : degrees == kTurned ? -1 : -kSlantSine;
    const float cosine = degrees == 0 ? 1 : degrees == kTurned ? 0 : kSlantSine;
    const Point along{cosine, sine}, down{-sine, cosine};
    const Point from{at.x + below * down.x - before * along.x,
                     at.y + below * down.y - before * along.y};
    sheet.line({from, {from.x + width * along.x, from.y + width * along.y}},
               unknown ? sheet.theme().bad : sheet.theme().accent, unknown ? 1.5f : 1, unknown);
}

namespace {

/// Draws a label whose end by the grid is at `edge` as a stack of characters, or a letter alone
/// upright: on its side an m is read as an E. Returns false of one that is neither.
bool draw_stack(Sheet& sheet, const LabelPlan& plan, const std::string& label, Point edge,
                bool above, const TextStyle& style, Color ink, bool unknown) {
    auto stack = plan.stacked ? wide_characters(label) : std::vector<std::string>{};
    if (stack.empty() && plan.letters_stand && is_one_letter(label)) stack = {label};
    if (stack.empty()) return false;
    const float line = plan.style.size * kStackLine;
    const auto fits = static_cast<std::size_t>(std::max(plan.longest / line + 0.01f, 1.f));
    if (stack.size() > fits) {
        stack.resize(fits);
        stack.back() = "⋮";
    }
    const float high = static_cast<float>(stack.size()) * line;
    const float top = above ? edge.y - kTurnedFromGrid - high : edge.y + kTurnedFromGrid;
    for (std::size_t i = 0; i < stack.size(); ++i)
        sheet.text(stack[i], {edge.x, top + (static_cast<float>(i) + 0.5f) * line}, style, ink,
                   AlignX::centre, AlignY::middle);
    const float aside = edge.x + 0.62f * style.size;
    if (unknown) {
        sheet.line({{aside, top}, {aside, top + high}}, sheet.theme().bad, 1.5f, true);
    }
    return true;
}

bool is_strong(const AxisMarks& marks, int i) { return is_marked(marks, i) || marks.hovered == i; }

Color ink_of(const Sheet& sheet, const AxisMarks& marks, int i) {
    return is_marked(marks, i) ? sheet.theme().accent : sheet.theme().text;
}

} // namespace

std::vector<int> thinned(LabelRange range, int step, std::optional<int> always, int phase) {
    std::vector<int> result;
    step = std::max(step, 1);
    const bool keeps = always && *always >= range.first && *always < range.last;
    const int kept = keeps ? *always : -step;
    // Of one phase, so that the same labels stay while the view moves.
    phase %= step;
    const int first = (std::max(range.first - phase, 0) + step - 1) / step * step + phase;
    for (int i = first; i < range.last; i += step)
        if (std::abs(i - kept) >= step) result.push_back(i);
    if (!keeps) return result;
    const bool is_last = result.empty() || result.back() < kept;
    if (is_last && kept + step < range.last) result.push_back(kept + step); // for one too near
    result.push_back(kept);
    return result;
}

float upright_pitch(const Sheet& sheet, const std::vector<std::string>& labels, int count) {
    const LabelRange all = usable(labels, count);
    if (all.last == 0) return 0;
    if (all.last > kMeasuredWhole) return 1e9f;
    const float width =
        widest(sheet, labels, thinned(all, 1, {}), strong({type_size::kLabel}, true));
    return std::max(16.f, std::ceil(width * kSmallestFlat / type_size::kLabel + kBetweenLabels));
}

LabelPlan plan_columns(const Sheet& sheet, const std::vector<std::string>& labels, LabelRange range,
                       float pitch, float room, std::optional<int> selected, float smallest_flat) {
    LabelPlan plan;
    plan.style.size = type_size::kLabel;
    const LabelRange n = usable(labels, range);
    if (n.last <= n.first) return plan;
    const auto flat = [&](float size) {
        plan.style.size = std::min(size, type_size::kLabel);
        plan.longest = pitch;
        plan.size = plan.style.size + kLabelsFromGrid + 4;
        return plan;
    };
    // Strong letters are wider: measured strong, a label fits in both of its states.
    const bool few = n.last - n.first <= kMeasuredWhole;
    const float width =
        few ? widest(sheet, labels, thinned(n, 1, {}), strong(plan.style, true)) : 0;
    const auto size_within = [&](float space) {
        return std::floor(2 * plan.style.size * space / width) / 2;
    };
    if (few && pitch >= 16) {
        const float size = size_within(pitch - kBetweenLabels);
        if (width <= 0 || size >= smallest_flat) return flat(size);
        // Slanted, they would be cut sooner than small and level.
        const float slanted = (room - kLabelsFromGrid) / kSlantSine - type_size::kLabel;
        if (slanted < pitch - kBetweenLabels / 2) {
            flat(std::max(size, kSmallestLabel));
            plan.longest = pitch - kBetweenLabels / 2;
            return plan;
        }
    }
    if (few && width > 0 && are_one_character(labels, n)) {
        // Upright they take no more than slanted.
        flat(std::max(size_within(pitch - kBetweenCharacters), kSmallestLabel));
        const float needed = width * plan.style.size / type_size::kLabel + kBetweenCharacters;
        plan.step = thinned_step(pitch, std::floor(needed));
        plan.longest = static_cast<float>(plan.step) * pitch;
        return plan;
    }
    if (few && width > 0 && are_short(labels, n)) {
        const float size = size_within(pitch - kBetweenShort);
        if (size >= kSmallestLabel) return flat(size);
    }
    if (few &&
        count_evenly(std::span(labels).subspan(static_cast<std::size_t>(n.first),
                                               static_cast<std::size_t>(n.last - n.first)))) {
        flat(kSmallestCount);
        const float needed = width * kSmallestCount / type_size::kLabel + kBetweenLabels;
        plan.step = static_cast<int>(std::ceil(needed / std::max(pitch, 1e-3f)));
        plan.longest = static_cast<float>(plan.step) * pitch;
        return plan;
    }
    plan.slanted = true;
    const float apart = slanted_apart(labels, n);
    plan.style.size = std::clamp(std::floor(2 * pitch * kSlantSine / apart) / 2, 9.5f, 13.f);
    const float line = plan.style.size * kLabelLine;
    plan.step = thinned_step(pitch, plan.style.size * apart / kSlantSine);
    plan.longest = std::max(0.f, std::min(190.f, (room - kLabelsFromGrid) / kSlantSine - line / 2));
    const float reach =
        std::min(widest(sheet, labels, thinned(n, plan.step, selected), strong(plan.style, true)),
                 plan.longest);
    plan.size = (reach + line / 2) * kSlantSine + kLabelsFromGrid;
    return plan;
}

LabelPlan plan_columns_turned(const Sheet& sheet, const std::vector<std::string>& labels,
                              LabelRange range, float pitch, float room,
                              std::optional<int> selected, float smallest, float largest) {
    const LabelRange n = usable(labels, range);
    LabelPlan plan;
    plan.slanted = plan.turned = true;
    if (n.last <= n.first) return plan;
    const float apart = slanted_apart(labels, n);
    plan.style.size = std::clamp(std::floor(2 * pitch / apart) / 2, smallest, largest);
    plan.step = thinned_step(pitch, plan.style.size * apart);
    const float reach =
        widest(sheet, labels, thinned(n, plan.step, selected), strong(plan.style, true)) + 0.1f;
    plan.longest = std::clamp(room - kTurnedFromGrid, 0.f, 190.f);
    plan.size = kTurnedFromGrid + 2 + std::min(plan.longest, reach);
    return plan;
}

void turn_columns(const Sheet& sheet, LabelPlan& plan, const std::vector<std::string>& labels,
                  LabelRange range, float pitch, float room, std::optional<int> selected) {
    if (!plan.slanted || plan.turned || plan.step == 1) return;
    const LabelPlan turned =
        plan_columns_turned(sheet, labels, range, pitch, room, selected, kSmallestLabel, 13);
    if (turned.step < plan.step) plan = turned;
}

void stack_columns(const Sheet& sheet, LabelPlan& plan, const std::vector<std::string>& labels,
                   LabelRange range, float pitch, float room) {
    constexpr float kOfPitch = 0.62f; // the rest is between stacks: else rows of them are read
    const LabelRange n = usable(labels, range);
    const float size = std::floor(std::min(kOfPitch * pitch, 13.f));
    if (!plan.slanted || n.last <= n.first || size < kSmallestLabel) return;
    TextStyle style = plan.style;
    style.size = size;
    int stacks = 0;
    float reach = 0;
    for (int i = n.first; i < n.last; ++i) {
        const std::string& label = labels[static_cast<std::size_t>(i)];
        const auto stack = wide_characters(label);
        stacks += !stack.empty();
        reach =
            std::max(reach, stack.empty() ? sheet.width_of(label, strong(style, true))
                                          : static_cast<float>(stack.size()) * size * kStackLine);
    }
    if (2 * stacks <= n.last - n.first) return;
    plan.turned = plan.stacked = true;
    plan.style = style;
    plan.step = 1;
    plan.longest = std::clamp(room - kTurnedFromGrid, 0.f, 190.f);
    plan.size = kTurnedFromGrid + 2 + std::min(plan.longest, reach);
}

LabelPlan plan_columns_level(const Sheet& sheet, const std::vector<std::string>& labels,
                             float pitch, std::optional<int> selected) {
    constexpr float kSmallestLevel = 9.5f, kLargestLevel = 12.5f, kBetween = 5, kLevelFoot = 5;
    constexpr float kEnough = 32, kLeastPitch = 0.5f; // of a name: longer ones are shortened
    constexpr float kShortened = 22;                  // columns in which the half of a name tells
    const LabelRange n(static_cast<int>(labels.size()));
    LabelPlan plan;
    const float width =
        std::max(widest(sheet, labels, thinned(n, 1, {}), strong({type_size::kLabel}, true)), 1.f);
    const float whole = std::floor(2 * type_size::kLabel * (pitch - kBetween) / width) / 2;
    plan.style.size = std::clamp(whole, kSmallestLevel, kLargestLevel);
    if (whole < kSmallestLevel && pitch < kShortened) {
        const float needed =
            std::min(width * kSmallestLevel / type_size::kLabel, kEnough) + kBetween;
        plan.step = static_cast<int>(std::ceil(needed / std::max(pitch, kLeastPitch)));
        plan.phase = selected.value_or(0) % plan.step;
    }
    const bool cuts = plan.step > 1 || whole < kSmallestLevel;
    plan.longest = static_cast<float>(plan.step) * pitch - (cuts ? kBetween : 0);
    plan.size = plan.style.size + kLevelFoot;
    return plan;
}

LabelPlan plan_rows(const Sheet& sheet, const std::vector<std::string>& labels, LabelRange range,
                    float pitch, float room, std::optional<int> selected, bool from_selected) {
    LabelPlan plan;
    const LabelRange n = usable(labels, range);
    plan.style.size = std::clamp(std::floor(std::min(0.8f * pitch, 5 + 0.42f * pitch)),
                                 kSmallestLabel, type_size::kLabel);
    if (n.last <= n.first) return plan;
    constexpr float kDigitLine = 0.95f, kSmallestClose = 8; // digits reach below no line
    const bool digits = count_evenly(std::span(labels).subspan(
        static_cast<std::size_t>(n.first), static_cast<std::size_t>(n.last - n.first)));
    plan.step = thinned_step(pitch, plan.style.size * (digits ? kDigitLine : kLabelLine));
    if (const float close = std::floor(1.85f * pitch) / 2; plan.step > 1 && close >= kSmallestClose)
        std::tie(plan.style.size, plan.step) = std::pair(std::min(plan.style.size, close), 1);
    if (from_selected) plan.phase = selected.value_or(0) % plan.step;
    plan.longest = room;
    const auto shown = thinned(n, plan.step, selected, plan.phase);
    plan.size = std::min(widest(sheet, labels, shown, strong(plan.style, true)), room);
    return plan;
}

float reach_left(const Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
                 LabelRange range, float pitch) {
    if (!plan.slanted || plan.turned) return 0;
    const float line = plan.style.size * kLabelLine;
    float reach = 0;
    for (const int i : thinned(usable(labels, range), plan.step, {})) {
        const float x = (static_cast<float>(i) + 0.5f) * pitch;
        if (x > (plan.longest + line / 2) * kSlantSine) break; // no label is longer
        const float width =
            std::min(sheet.width_of(labels[static_cast<std::size_t>(i)], strong(plan.style, true)),
                     plan.longest);
        reach = std::max(reach, (width + line / 2) * kSlantSine - x);
    }
    return reach;
}

float reach_right(const Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
                  LabelRange range, float pitch) {
    if (!plan.slanted || plan.turned) return 0;
    const float line = plan.style.size * kLabelLine;
    const LabelRange all = usable(labels, range);
    float reach = 0;
    for (int i = all.last - 1; i >= all.first; --i) {
        const float behind = (static_cast<float>(range.last - i) - 0.5f) * pitch;
        if (behind > (plan.longest + line / 2) * kSlantSine) break; // no label is longer
        const float width =
            std::min(sheet.width_of(labels[static_cast<std::size_t>(i)], strong(plan.style, true)),
                     plan.longest);
        reach = std::max(reach, (width + line / 2) * kSlantSine + 1 - behind);
    }
    return reach;
}

namespace {

Tag label_tag(LabelOf of, int i) {
    switch (of) {
    case LabelOf::row: return tag::RowLabel{i};
    case LabelOf::column: return tag::ColLabel{i};
    case LabelOf::bar: break;
    }
    return tag::Bar{i};
}

} // namespace

void draw_columns(Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
                  LabelRange range, float left, float pitch, float edge, Side side,
                  float right_limit, const AxisMarks& marks, LabelOf of) {
    const LabelRange n = usable(labels, range);
    const bool above = side == Side::above;
    const float line = plan.style.size * kLabelLine;
    for (const int i : thinned(n, plan.step, marks.always(), plan.phase)) {
        const float x = left + (static_cast<float>(i) + 0.5f) * pitch;
        const bool stressed = is_strong(marks, i);
        const TextStyle style = strong(plan.style, stressed);
        float longest = plan.longest;
        if (plan.slanted && !plan.turned) {
            const float space = above ? right_limit - x : x - sheet.margin() / 2;
            longest = std::min(longest, space / kSlantSine - line / 2);
        } else if (plan.step > 1 && !plan.slanted) {
            longest = std::min(longest, 2 * std::min(right_limit - x, x - sheet.margin() / 2));
        }
        const std::string text = sheet.fitted(labels[static_cast<std::size_t>(i)], style, longest);
        const float reach = above ? -1.f : 1.f;
        const bool stack =
            plan.turned && draw_stack(sheet, plan, labels[static_cast<std::size_t>(i)], {x, edge},
                                      above, style, ink_of(sheet, marks, i), is_unknown(marks, i));
        if (stack) {
            // Drawn already.
        } else if (!plan.slanted) {
            const float away = kLabelsFromGrid + plan.further(i);
            const float y = above ? edge - away : edge + away + plan.style.size * 0.75f;
            const float middle = x + plan.moved_by(i);
            sheet.text(text, {middle, y}, style, ink_of(sheet, marks, i), AlignX::centre);
            const Point at{middle, y - 0.34f * style.size};
            draw_underline(sheet, marks, i, text, at, style, AlignX::centre);
        } else {
            const float away = plan.turned ? kTurnedFromGrid : line * 0.5f * kSlantSine + 4;
            const Point at{x, edge + reach * away};
            const AlignX align = above ? AlignX::left : AlignX::right;
            const float degrees = plan.turned ? kTurned : kSlant;
            sheet.text(text, at, style, ink_of(sheet, marks, i), align, AlignY::middle, degrees);
            draw_underline(sheet, marks, i, text, at, style, align, degrees);
        }
        const float width = static_cast<float>(plan.step) * pitch;
        sheet.target({x - width / 2, above ? edge - plan.size : edge, width, plan.size},
                     label_tag(of, i));
    }
}

void draw_rows(Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
               LabelRange range, float top, float pitch, float edge, const AxisMarks& marks) {
    for (const int i : thinned(usable(labels, range), plan.step, marks.always(), plan.phase)) {
        const float y = top + (static_cast<float>(i) + 0.5f) * pitch;
        const TextStyle style = strong(plan.style, is_strong(marks, i));
        const std::string text =
            sheet.fitted(labels[static_cast<std::size_t>(i)], style, plan.longest);
        sheet.text(text, {edge, y}, style, ink_of(sheet, marks, i), AlignX::right, AlignY::middle);
        draw_underline(sheet, marks, i, text, {edge, y}, style, AlignX::right);
        const float height = static_cast<float>(plan.step) * pitch;
        sheet.target({edge - plan.size, y - height / 2, plan.size, height}, tag::RowLabel{i});
    }
}

void draw_word_brackets(Sheet& sheet, const std::vector<int>& rows, const std::vector<int>& word_of,
                        float x, float top, float pitch) {
    constexpr float kTick = 3;
    if (word_of.empty()) return;
    const auto word = [&](std::size_t row) { return word_of[static_cast<std::size_t>(rows[row])]; };
    for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
        for (end = first + 1; end < rows.size() && word(end) == word(first);) ++end;
        if (end - first < 2) continue;
        const float inset = std::min(0.25f * pitch, 5.f);
        const float from = top + static_cast<float>(first) * pitch + inset;
        const float to = top + static_cast<float>(end) * pitch - inset;
        sheet.line({{x - kTick, from}, {x, from}, {x, to}, {x - kTick, to}}, sheet.theme().muted);
    }
}

} // namespace heed::figure
