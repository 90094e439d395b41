#include "figure/parts/beside_words.hpp"

#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kVerdictLine = 17, kFactLine = 18, kLowestFactLine = 13;
constexpr float kAboveVerdict = 8; // points, where it stands below the picture
constexpr std::size_t kMostVerdict = 40;

/// A verdict, and numbers with their names below it.
void draw_beside(Sheet& sheet, const InsideBeside& beside, const Box& box) {
    constexpr TextStyle kSmall{11.5f};
    const Theme& theme = sheet.theme();
    const auto room_for = static_cast<std::size_t>(std::max(box.h / kVerdictLine, 0.f));
    auto lines = sheet.wrapped(beside.verdict, kFormula, box.w, kMostVerdict);
    while (lines.size() > std::max<std::size_t>(room_for, 1)) { // cut at its end
        const std::string last = std::move(lines.back());
        lines.pop_back();
        lines.back() += " " + last;
    }
    float y = box.y + 11;
    for (const auto& line : lines) {
        sheet.text(sheet.fitted_end(line, kFormula, box.w), {box.x, y}, kFormula, theme.text);
        y += kVerdictLine;
    }
    y += 8;
    const float gaps = std::max(static_cast<float>(beside.facts.size()) - 1, 1.f);
    const float pitch = std::clamp((box.y + box.h - y) / gaps, kLowestFactLine, kFactLine);
    const auto room_of = [&](const InsideFact& fact) {
        return box.w - sheet.width_of(fact.value, kMonoNote) - 8;
    };
    const bool brief = std::ranges::any_of(beside.facts, [&](const InsideFact& fact) {
        return !fact.brief.empty() && sheet.width_of(fact.name, kSmall) > room_of(fact);
    });
    for (const InsideFact& fact : beside.facts) {
        if (y > box.y + box.h + 0.5f) return;
        const std::string value = sheet.fitted(fact.value, kMonoNote, box.w);
        sheet.text(value, {box.x + box.w, y}, kMonoNote, theme.text, AlignX::right);
        const std::string& name = brief && !fact.brief.empty() ? fact.brief : fact.name;
        if (const float room = room_of(fact); room > 24) {
            sheet.text(sheet.fitted(name, kSmall, room), {box.x, y}, kSmall, theme.muted);
        }
        y += pitch;
    }
}

} // namespace

float words_beside(float width) {
    constexpr float kWide = 620;
    return width >= kWide ? std::clamp(0.3f * width, 210.f, 380.f) : 0;
}

float beside_height(const Sheet& sheet, const InsideBeside& beside, float width) {
    const auto lines = sheet.wrapped(beside.verdict, kFormula, width, kMostVerdict).size();
    return 19 + kVerdictLine * static_cast<float>(lines) +
           kFactLine * static_cast<float>(beside.facts.size());
}

namespace {

constexpr float kHighAboveFacts = 180; // a narrow picture, below which facts stand, too

/// Points of the verdict below a narrow picture, and with it of the facts below that.
float verdict_below(const Sheet& sheet, const InsideBeside& beside, float width) {
    const auto lines = sheet.wrapped(beside.verdict, kFormula, width, kMostVerdict).size();
    return 5 + kVerdictLine * static_cast<float>(lines);
}
float all_below(const Sheet& sheet, const InsideBeside& beside, float width) {
    return verdict_below(sheet, beside, width) + facts_height(beside);
}

} // namespace

float facts_height(const InsideBeside& beside) {
    return kFactLine * static_cast<float>(beside.facts.size());
}

Box place_beside(const Sheet& sheet, const InsideBeside& beside, const Box& box) {
    if (beside.verdict.empty() && beside.facts.empty()) return box;
    constexpr float kGap = 24, kHighForBoth = 180;
    if (const float words = words_beside(box.w); words > 0) {
        return {box.x, box.y, box.w - words - kGap, box.h};
    }
    if (box.h < kHighForBoth) return box;
    const float all = all_below(sheet, beside, box.w);
    const bool high = box.h - all - kAboveVerdict >= kHighAboveFacts;
    const float words = high ? all : std::min(verdict_below(sheet, beside, box.w), 0.45f * box.h);
    return {box.x, box.y, box.w, box.h - words - kAboveVerdict};
}

Box beside_words(Sheet& sheet, const InsideBeside& beside, const Box& box) {
    const Box place = place_beside(sheet, beside, box);
    if (place.w < box.w) {
        const float words = words_beside(box.w);
        draw_beside(sheet, beside, {box.x + box.w - words, box.y, words, box.h});
    } else if (place.h < box.h) {
        const float words = box.h - place.h - kAboveVerdict;
        const bool all = words >= all_below(sheet, beside, box.w) - 0.5f;
        draw_beside(sheet, {beside.verdict, all ? beside.facts : std::vector<InsideFact>()},
                    {box.x, box.y + box.h - words, box.w, words});
    }
    return place;
}

namespace {
constexpr float kCardOfWords = 100;                     // its title, subtitle and borders
constexpr float kLeastAbove = 0.4f, kMostAbove = 0.62f; // of the height, that the upper one takes
} // namespace

float room_above_words(const Sheet& sheet, const WordsOfTwo& of, const Box& whole) {
    constexpr float kMost = 0.7f;
    const float room = card_room(whole);
    if (words_beside(room) > 0) return 0;
    const float around = kCardOfWords + kAboveVerdict;
    const float second = around + kHighAboveFacts + all_below(sheet, of.below, room);
    return std::min(whole.h - second, kMost * whole.h) - around - all_below(sheet, of.above, room);
}

std::vector<CardRow> rows_with_words(const Sheet& sheet, const WordsOfTwo& of, float text,
                                     const Box& whole) {
    const float room = card_room(whole), words = words_beside(room);
    if (words <= 0) { // both have all of their words below where there is the height
        constexpr float kLeast = 0.3f, kMost = 0.7f;
        const float first = kCardOfWords + text + all_below(sheet, of.above, room) + kAboveVerdict;
        const float second =
            kCardOfWords + kHighAboveFacts + all_below(sheet, of.below, room) + kAboveVerdict;
        const float share = std::clamp(first / whole.h, kLeast, kMost);
        if (first + second <= whole.h) return {{1, share}, {1, 1 - share}};
    }
    const auto beside = [&](const InsideBeside& one) {
        return words > 0 ? beside_height(sheet, one, words) : 0;
    };
    const float above = kCardOfWords + std::max(text, beside(of.above));
    const float below = kCardOfWords + beside(of.below), all = above + below;
    float share = above / std::max(all, whole.h);
    if (words > 0 && all > whole.h) { // letters get smaller before words are left out
        const float least = kCardOfWords + beside(of.above);
        share = std::max(whole.h - below, whole.h * least / (least + below)) / whole.h;
    }
    share = std::clamp(share, kLeastAbove, kMostAbove);
    return {{1, share}, {1, 1 - share}};
}

float height_with_words(const Sheet& sheet, const WordsOfTwo& of) {
    constexpr float kHigh = 1000, kBetween = 16;
    const float words = words_beside(card_room({0, 0, sheet.width() - 2 * sheet.margin(), kHigh}));
    if (words <= 0) return 0;
    const float above = kCardOfWords + beside_height(sheet, of.above, words);
    const float below = kCardOfWords + beside_height(sheet, of.below, words);
    return std::max({above + below, above / kMostAbove, below / (1 - kLeastAbove)}) + kBetween;
}

} // namespace heed::figure
