#include "figure/parts/card.hpp"

#include "figure/parts/formula.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {
constexpr float kCardGap = 16, kInset = 15;
constexpr float kLowestCard = 106; // a title, and the lowest picture below it
constexpr TextStyle kCardTitle{13, Font::sans, Weight::bold};
constexpr float kLeastTitle = 11;

float inset_of(const Box& box) { return std::min(kInset, 0.1f * std::min(box.w, box.h)); }

bool has_scripts(const std::string& words) {
    return words.find("_{") != std::string::npos || words.find("^{") != std::string::npos;
}

/// One line, as small as has to be where it is markup, else cut at its end.
void set_line(Sheet& sheet, const std::string& words, Point at, float room, TextStyle style,
              Color color) {
    if (!has_scripts(words)) {
        return sheet.text(sheet.fitted_end(words, style, room), at, style, color);
    }
    const float width = formula_extent(sheet, words, style).width;
    if (width > room) style.size *= room / width;
    draw_formula(sheet, words, at, style, color);
}

/// Two lines where one is too narrow and the card is high. Returns the height that they took.
float set_subtitle(Sheet& sheet, const std::string& words, Point at, float room, float high) {
    constexpr float kLine = 16, kHigh = 170;
    const bool fits = has_scripts(words) || sheet.width_of(words, kCardSubtitle) <= room;
    if (fits || high < kHigh) {
        set_line(sheet, words, at, room, kCardSubtitle, sheet.theme().muted);
        return 19;
    }
    const Color ink = sheet.theme().muted;
    std::string first = sheet.wrapped(words, kCardSubtitle, room, 2).front();
    const bool whole = words.starts_with(first); // else a word that is wider than the card
    std::string rest = whole ? words.substr(std::min(first.size() + 1, words.size())) : "";
    std::string words_of_first = first;
    drop_last_dot(words_of_first);
    const auto last_break = words_of_first.rfind(' ');
    if (!rest.empty() && rest.find(' ') == rest.npos && last_break != first.npos) {
        rest = first.substr(last_break + 1) + " " + rest; // no word stands alone
        first.resize(last_break);
    }
    drop_last_dot(first);
    sheet.text(first, at, kCardSubtitle, ink);
    sheet.text(sheet.fitted_end(rest, kCardSubtitle, room), {at.x, at.y + kLine}, kCardSubtitle,
               ink);
    return 19 + kLine;
}
} // namespace

float card_room(const Box& box) { return box.w - 2 * inset_of(box); }

Box title_line(const Box& box) {
    constexpr float kTitleHigh = 14;
    const float inset = inset_of(box);
    return {box.x + inset, box.y + inset, card_room(box), kTitleHigh};
}

bool title_fits(const Sheet& sheet, const Box& box, const std::string& title) {
    TextStyle style = kCardTitle;
    style.size = kLeastTitle;
    return sheet.width_of(title, style) <= card_room(box);
}

Box draw_card(Sheet& sheet, const Box& box, const std::string& title, const std::string& subtitle,
              float beside) {
    const Theme& theme = sheet.theme();
    if (box.w < 4 || box.h < 4) return {box.x, box.y, 0, 0};
    sheet.fill(box, theme.panel, 8);
    sheet.stroke(box, theme.border, 1, 8);
    const float inset = inset_of(box), room = card_room(box);
    float y = box.y + inset;
    // In a low card the picture has the subtitle's line, where the title's has room for both.
    constexpr float kLow = 240, kApart = 12;
    const float after = sheet.width_of(title, kCardTitle) + kApart;
    const bool one_line = box.h < kLow && beside == 0 && !subtitle.empty() &&
                          !has_scripts(title + subtitle) &&
                          after + sheet.width_of(subtitle, kCardSubtitle) <= room;
    if (one_line) {
        sheet.text(subtitle, {box.x + inset + after, y + 11}, kCardSubtitle, theme.muted);
    }
    if (box.h >= 34 && room >= 40) {
        TextStyle style = kCardTitle; // a little smaller before it is cut
        const float width = sheet.width_of(title, style), most = room - beside;
        if (width > most && !has_scripts(title)) {
            style.size = std::max(0.99f * style.size * most / width, kLeastTitle);
        }
        set_line(sheet, title, {box.x + inset, y + 11}, most, style, theme.text);
        y += 20;
    }
    if (!subtitle.empty() && !one_line && box.h >= 130 && room >= 40) {
        y += set_subtitle(sheet, subtitle, {box.x + inset, y + 9}, room, box.h);
    }
    const Box inner{box.x + inset, y + 4, room, box.y + box.h - inset - y - 4};
    if (inner.w < 110 || inner.h < 56) return {inner.x, inner.y, 0, 0};
    return inner;
}

std::vector<Box> card_places(const Box& whole, const std::vector<CardRow>& rows) {
    const float gap = std::min({kCardGap, 0.03f * whole.w, 0.03f * whole.h});
    float shares = 0, lowest = 1e9f;
    for (const CardRow& row : rows) {
        shares += row.height;
        lowest = std::min(lowest, row.height);
    }
    const float free = std::max(whole.h - static_cast<float>(rows.size() - 1) * gap, 1.f);
    if (rows.size() > 1 && free * lowest / shares < kLowestCard) {
        return card_places(whole, {rows.begin(), rows.end() - 1});
    }
    std::vector<Box> places;
    float y = whole.y;
    for (const CardRow& row : rows) {
        const float height = free * row.height / shares;
        const auto columns = static_cast<float>(row.columns);
        const float width = std::max((whole.w - (columns - 1) * gap) / columns, 1.f);
        for (int column = 0; column < row.columns; ++column) {
            const float x = whole.x + static_cast<float>(column) * (width + gap);
            const float left = std::round(x), top = std::round(y);
            places.push_back(
                {left, top, std::round(x + width) - left, std::round(y + height) - top});
        }
        y += height + gap;
    }
    return places;
}

std::vector<CardRow> with_first_row(const Box& whole, std::vector<CardRow> rows, float wanted) {
    constexpr float kHair = 6; // above the lowest card, so that no row is left out
    constexpr float kOther = kLowestCard + kHair;
    for (; !rows.empty(); rows.pop_back()) {
        const auto places = card_places(whole, rows);
        const float first = places.front().h;
        if (first >= wanted) return rows;
        std::size_t cards = 0;
        for (const CardRow& row : rows) cards += static_cast<std::size_t>(row.columns);
        if (places.size() < cards && rows.size() > 2) continue; // the last one has no place
        if (places.size() < cards || rows.size() == 1) return rows;
        float others = 0;
        for (std::size_t i = 1; i < rows.size(); ++i) others += rows[i].height;
        const auto count = static_cast<float>(rows.size() - 1);
        const float free = first * (rows.front().height + others) / rows.front().height;
        const float high = std::max(std::min(wanted, free - count * kOther), first);
        if (high < wanted && rows.size() > 2) continue;
        if (high > first) rows.front().height = high * others / (free - high);
        return rows;
    }
    return rows;
}

namespace {
constexpr float kWidestCard = 118, kLargestCard = 340; // in one row, in several
} // namespace

Rows rows_across(float n, float count, float width) {
    const float columns = std::ceil(n / count);
    // Gaps narrow first, then the cards.
    const float gaps = count > 1 ? columns : std::max(columns - 1, 1.f);
    const float gap = std::clamp((width - columns * kNarrowStage) / gaps, 10.f, kCardGapInRow);
    const float broad = (width - (count > 1 ? columns : columns - 1) * gap) / columns;
    return {count, columns, std::max(broad, 1.f), gap};
}

Rows largest_cards(float n, float width, float height) {
    Rows best{1, n, 0, 0};
    for (float count = 1; count <= n; ++count) {
        Rows rows = rows_across(n, count, width);
        const float tall = ((height - (count - 1) * rows.gap) / count - 10) / 1.25f;
        rows.card = std::clamp(count > 1 ? std::min(tall, rows.card) : rows.card, 1.f,
                               count > 1 ? kLargestCard : kWidestCard);
        if (rows.card > best.card) best = rows;
    }
    if (best.count > 1) {              // what the height leaves of the width
        constexpr float kBroad = 1.4f; // by how wide a card would be for its height
        best.high = 1.25f * best.card + 10;
        best.card = std::max(best.card, std::min({rows_across(n, best.count, width).card,
                                                  kBroad * best.card, kLargestCard}));
    }
    return best;
}

Rows roomy_cards(float n, float width) {
    float count = 1;
    while (count < n && rows_across(n, count, width).card < kNarrowStage) ++count;
    Rows rows = rows_across(n, count, width);
    rows.card = std::min(rows.card, kWidestCard);
    return rows;
}

void say_left_out(Sheet& sheet, const Box& whole, const std::vector<std::string>& titles) {
    std::string words;
    for (const std::string& title : titles) {
        words += (words.empty() ? "No room for: " : ", ") + title;
    }
    sheet.text(sheet.fitted_end(words, {type_size::kNote}, whole.w),
               {whole.x, whole.y + whole.h - 3}, {type_size::kNote}, sheet.theme().muted);
}

void say_instead(Sheet& sheet, const Box& place, const std::string& words) {
    if (place.w < 60) return;
    constexpr TextStyle style{type_size::kSubtitle};
    constexpr float kLine = 1.45f * type_size::kSubtitle;
    const auto most = static_cast<std::size_t>(std::max(place.h / kLine, 1.f));
    const auto lines = sheet.wrapped(words, style, place.w, most);
    float y = place.y + place.h / 2 - kLine * static_cast<float>(lines.size() - 1) / 2;
    for (const std::string& line : lines) {
        sheet.text(line, {place.x + place.w / 2, y}, style, sheet.theme().muted, AlignX::centre,
                   AlignY::middle);
        y += kLine;
    }
}

namespace {
constexpr TextStyle kBetweenCards{10};
constexpr float kLinkReach = 3.5f; // of a chevron, and of dots, from the middle
} // namespace

void draw_chevron(Sheet& sheet, const Box& gap) {
    const Point centre{gap.x + gap.w / 2, gap.y + gap.h / 2};
    sheet.line({{centre.x - kLinkReach / 2, centre.y - kLinkReach},
                {centre.x + kLinkReach / 2, centre.y},
                {centre.x - kLinkReach / 2, centre.y + kLinkReach}},
               sheet.theme().muted, 1.2f);
}

bool stands_between(const Sheet& sheet, const std::string& words, float wide, float high) {
    return wide >= 1.2f * kBetweenCards.size && sheet.width_of(words, kBetweenCards) <= high;
}

void draw_between(Sheet& sheet, const std::string& words, const Box& gap) {
    constexpr float kDot = 1.6f;
    const Point centre{gap.x + gap.w / 2, gap.y + gap.h / 2};
    const Color ink = sheet.theme().muted;
    if (stands_between(sheet, words, gap.w, gap.h)) {
        sheet.text(words, centre, kBetweenCards, ink, AlignX::centre, AlignY::middle, -90);
        return;
    }
    for (const float x : {-kLinkReach, 0.f, kLinkReach})
        sheet.fill({centre.x + x - kDot / 2, centre.y - kDot / 2, kDot, kDot}, ink);
}

} // namespace heed::figure
