#include "figure/views/inside_room.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/card.hpp"
#include "figure/parts/chart.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/lens_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kBeforeKey = 12;
constexpr float kBelowRow = 20, kLowBelowRow = 14; // points, with the space above it

/// Lowest place that has the row below, with the line that says what it is; many layers over it
/// need a higher one.
float lowest_with_row(const InsideGrid& grid) {
    return std::min(70 + 6 * static_cast<float>(grid.values->rows()), 120.f);
}

void draw_patching(Sheet& sheet, const InsideRoomData& data, const Box& part) {
    constexpr float kLowestGrid = 20; // with the row below: the numbers of its bar stay apart
    const InsideGrid grid = named_to_fit(data.patching, part.w);
    const ValueRange range =
        range_of_shares(*grid.values, sheet.theme().weights, has_two_lines(part));
    const float bar = colour_bar_width(sheet, range) + 14;
    const float widest = grid.across.empty() ? 90 : part.w; // tokens; heads are few
    const float row = part.h < 100 ? kLowBelowRow : kBelowRow;
    const auto place_at = [&](bool with_row) {
        const Box room{part.x, part.y, part.w - bar, part.h - (with_row ? kGridNote : 0)};
        return place_grid(sheet, grid, room, Side::below, widest, with_row ? row : 0);
    };
    bool with_row = !grid.below.empty() && part.h >= lowest_with_row(grid);
    GridPlace place = place_at(with_row);
    if (with_row && place.box.h < kLowestGrid) place = place_at(with_row = false);
    if (with_row) {
        const std::string name = "bottom row: " + grid.below_name;
        const std::string all =
            name + ", own colours, 0 to " + percent_text(static_cast<double>(largest_below(grid)));
        const bool fits = sheet.width_of(all, kNote) <= part.w;
        sheet.text(sheet.fitted_end(fits ? all : name, kNote, part.w),
                   {part.x, part.y + part.h - 2}, kNote, sheet.theme().muted);
        draw_row_below(sheet, grid, place.box, row, static_cast<int>(InsidePart::below));
    }
    draw_layer_heat(sheet, grid, range, place.box, static_cast<int>(InsidePart::patching));
    name_grid(sheet, grid, place, Side::below, part.x + part.w - bar,
              static_cast<int>(InsidePart::patching));
    outline_cell(sheet, grid, place.box);
    draw_colour_bar(sheet, range, place.box.x + place.box.w + 14, place.box.y, place.box.h);
}

constexpr TextStyle kHeadWords{12}, kHeadName{12, Font::sans, Weight::bold};
constexpr float kBeforeHeadWords = 20;

/// The width of the words beside the grid of heads: that of the widest line, as far as the grid has
/// the room.
float width_of_head_words(const Sheet& sheet, const InsideRoomData& data, float width) {
    constexpr float kShare = 0.28f, kMostShare = 0.36f, kLeastWide = 79, kMostWide = 130;
    if (data.beside.empty()) return 0;
    float needed = kShare * width;
    for (std::size_t i = 1; i < data.beside.size(); ++i)
        needed = std::max(needed, sheet.width_of(data.beside[i], kHeadWords) + kBeforeHeadWords);
    return std::clamp(std::min(needed, kMostShare * width), kLeastWide, kMostWide);
}

/// A line each; a number is never cut with the word before it. Of what the head does the first is
/// left out where not all has room.
void draw_head_words(Sheet& sheet, const InsideRoomData& data, const Box& box) {
    constexpr float kLine = 17, kClose = 14.5f, kFirst = 10, kFoot = 4;
    constexpr std::size_t kMostLines = 6;
    std::vector<std::string> lines = data.beside, does;
    if (!lines.empty()) lines[0] = part_name(sheet, lines[0], kHeadName, box.w);
    if (!lines.empty() && !data.beside_number.empty()) {
        const std::string both = lines.back() + " " + data.beside_number;
        if (sheet.width_of(both, kHeadWords) <= box.w) {
            lines.back() = both;
        } else {
            lines.push_back(data.beside_number);
        }
    }
    float line_height = kLine; // closer before something is left out
    for (std::size_t i = data.does.size(); i-- > 0 && !lines.empty();) { // the last comes first
        const auto wrapped = sheet.wrapped(data.does[i], kHeadWords, box.w, kMostLines);
        const auto all = static_cast<float>(lines.size() + does.size() + wrapped.size()) - 0.5f;
        const float fits = (box.h - kFirst - kFoot) / all;
        if (fits < kClose) break;
        line_height = std::min(line_height, fits);
        does.insert(does.begin(), wrapped.begin(), wrapped.end());
    }
    float y = box.y + kFirst;
    const auto draw = [&](const std::string& line, const TextStyle& style, const Color& ink) {
        if (y < box.y + box.h) {
            sheet.text(sheet.fitted_end(line, style, box.w), {box.x, y}, style, ink);
        }
        y += line_height;
    };
    const Theme& theme = sheet.theme();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        draw(lines[i], i == 0 ? kHeadName : kHeadWords, i == 0 ? theme.accent : theme.text);
        if (i > 0 || does.empty()) continue;
        for (const std::string& line : does) draw(line, kHeadWords, theme.muted);
        y += line_height / 2;
    }
}

void draw_without(Sheet& sheet, const InsideRoomData& data, const Box& part) {
    Matrix<float> known = *data.heads.values;
    for (Index i = 0; i < known.size(); ++i) // what is written as 0.00 has no colour
        if (!(std::abs(known.data()[i]) >= 0.005f)) known.data()[i] = 0;
    ValueRange range = signed_range(num::shared_matrix(std::move(known)), sheet.theme().stripes);
    if (has_two_lines(part)) range.meaning = "change\nof logit"; // about 0, as its ends say
    range.high_text = "+" + range.high_text;
    // In a low place the 0 in the middle stands as long as it does not touch the ends.
    range.ticks = {{range.high, range.high_text},
                   {range.low, range.low_text},
                   {(range.low + range.high) / 2, range.middle_text}};
    const float bar = colour_bar_width(sheet, range) + 14;
    const float words = width_of_head_words(sheet, data, part.w);
    const float room = part.w - bar - words;
    const InsideGrid grid = named_to_fit(data.heads, part.w);
    const GridPlace place =
        place_grid(sheet, grid, {part.x, part.y, room, part.h}, Side::below, part.w);
    draw_layer_heat(sheet, grid, range, place.box, static_cast<int>(InsidePart::heads));
    name_grid(sheet, grid, place, Side::below, part.x + part.w - words,
              static_cast<int>(InsidePart::heads));
    outline_cell(sheet, grid, place.box);
    const float right = place.box.x + place.box.w;
    draw_colour_bar(sheet, range, right + 14, place.box.y, place.box.h);
    draw_head_words(sheet, data,
                    {right + bar + kBeforeHeadWords, place.box.y, words - kBeforeHeadWords,
                     part.y + part.h - place.box.y});
}

/// "12 tokens of the smallest shares and attention flow have no room here".
std::string left_out_words(const TintedLeftOut& left_out) {
    std::vector<std::string> parts;
    if (left_out.words > 0) {
        parts.push_back(std::to_string(left_out.words) +
                        (left_out.words == 1 ? " token" : " tokens") + " of the smallest shares");
    }
    parts.insert(parts.end(), left_out.lines.begin(), left_out.lines.end());
    std::string words;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        words += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    }
    return words + (parts.size() == 1 && left_out.words < 2 ? " has" : " have") + " no room here";
}

void draw_tokens(Sheet& sheet, const InsideRoomData& data, const Box& part) {
    InsideBeside beside = data.of_tokens;
    Box place = place_beside(sheet, beside, part);
    if (place.h < part.h && !tinted_text_fits(sheet, data.tokens, place)) {
        beside.facts.clear(); // sooner than the verdict
        place = place_beside(sheet, beside, part);
    }
    // A picture of all accounts is worth more than words about those that it has not.
    const bool instead = !tinted_text_fits(sheet, data.tokens, place) &&
                         tinted_text_fits(sheet, data.tokens, part) && place.h < part.h;
    const Box box = instead ? part : beside_words(sheet, beside, part);
    const bool all = tinted_text_fits(sheet, data.tokens, box);
    const Box words{box.x, box.y, box.w, box.h - (all ? 0 : kGridNote)};
    const TintedLeftOut left_out =
        draw_tinted_text(sheet, data.tokens, words, static_cast<int>(InsidePart::tokens));
    if (left_out.is_nothing()) return;
    sheet.text(sheet.fitted(left_out_words(left_out), kNote, box.w), {box.x, box.y + box.h}, kNote,
               sheet.theme().muted);
}

void draw_weights(Sheet& sheet, const InsideRoomData& data, const Box& part) {
    draw_paired_bars(sheet, data.weights, beside_words(sheet, data.of_weights, part),
                     static_cast<int>(InsidePart::weights));
}

const InsideCard& card_of(const InsideRoomData& data, InsidePart part) {
    switch (part) {
    case InsidePart::lens: return data.lens_card;
    case InsidePart::parts: return data.parts_card;
    case InsidePart::tokens: return data.tokens_card;
    case InsidePart::weights: return data.weights_card;
    case InsidePart::below:
    case InsidePart::patching: return data.patching_card;
    case InsidePart::heads: break;
    }
    return data.heads_card;
}

void draw_inside(Sheet& sheet, const InsideRoomData& data, InsidePart part, const Box& box) {
    if (box.w <= 0) return;
    const InsideCard& card = card_of(data, part);
    if (card.missing) return say_instead(sheet, box, data.missing);
    if (!card.instead.empty()) return say_instead(sheet, box, card.instead);
    switch (part) {
    case InsidePart::lens:
        return draw_lens(sheet, {data.lens, data.words, data.lens_first, data.lens_tokens}, box,
                         static_cast<int>(part));
    case InsidePart::parts:
        return draw_part_bars(sheet, data.bars, data.sum, box, static_cast<int>(part));
    case InsidePart::tokens: return draw_tokens(sheet, data, box);
    case InsidePart::weights: return draw_weights(sheet, data, box);
    case InsidePart::below:
    case InsidePart::patching: return draw_patching(sheet, data, box);
    case InsidePart::heads: return draw_without(sheet, data, box);
    }
}

std::string sentence_of(const InsideRoomData& data) {
    return "Inside a model" + (data.title.empty() ? "" : ": " + data.title);
}

/// Rows of cards, two a row where the place is wide, or too low for one below another.
std::vector<CardRow> card_rows(const Box& whole, std::size_t cards) {
    constexpr float kWide = 620, kWideEnough = 440, kLowestPicture = 170;
    const bool low = whole.h < kLowestPicture * static_cast<float>(cards);
    if (whole.w < kWide && !(low && whole.w >= kWideEnough)) {
        return std::vector<CardRow>(cards, CardRow{1, 1});
    }
    std::vector<CardRow> rows(cards / 2, CardRow{2, 1});
    if (cards % 2 == 1) rows.push_back({1, 1});
    return rows;
}

/// Tokens as high as what they say, below them the weights.
std::vector<CardRow> token_rows(const Sheet& sheet, const InsideRoomData& data, const Box& whole) {
    const float room = card_room(whole), words = words_beside(room);
    const WordsOfTwo both{data.of_tokens, data.of_weights};
    const float most = room_above_words(sheet, both, whole) - kGridNote;
    const float text = tinted_text_height(sheet, data.tokens, room - words, most) + kGridNote;
    return rows_with_words(sheet, both, text, whole);
}

/// Height of one line of cards whose grids have so many layers: cells are no higher anyway.
float line_height(Index layers) {
    constexpr float kAroundGrid = 200; // title, subtitle, labels, borders, and the words below
    return kAroundGrid + kHighestCell * static_cast<float>(layers);
}

/// Says what is said of missing cards; returns what is left above it.
Box say_missing(Sheet& sheet, const std::string& words, const Box& whole) {
    constexpr TextStyle kMissingStyle{type_size::kSubtitle};
    constexpr float kLine = 18;
    if (words.empty() || whole.h < 240) return whole;
    const auto lines = sheet.wrapped(words, kMissingStyle, whole.w, 3);
    const float high = kLine * static_cast<float>(lines.size());
    float y = whole.y + whole.h - high + 14;
    for (const std::string& line : lines) {
        sheet.text(line, {whole.x, y}, kMissingStyle, sheet.theme().muted);
        y += kLine;
    }
    return {whole.x, whole.y, whole.w, whole.h - high - 12};
}

Figure cards_of(const InsideRoomData& data, const Frame& frame, std::vector<InsidePart> parts) {
    constexpr float kOneColumn = 500, kOnScreen = 820, kInColumn = 1160; // of a page: higher
    const bool tokens = parts.size() == 2 && parts.front() == InsidePart::tokens;
    const float facts = tokens ? facts_height(data.of_tokens) + facts_height(data.of_weights) : 0;
    const bool in_column = frame.width > 0 && frame.width < kOneColumn;
    Sheet sheet(frame, 1100, in_column ? kInColumn + 1.3f * facts : kOnScreen);
    sheet.figure.title = sentence_of(data);
    const float top = sheet.header(data.title, data.subtitle);
    const float bottom = sheet.content_bottom();
    Box whole{sheet.margin(), top, std::max(sheet.width() - 2 * sheet.margin(), 1.f),
              std::max(bottom - top, 1.f)};
    const std::size_t asked = parts.size();
    std::erase_if(parts, [&](InsidePart part) { return card_of(data, part).missing; });
    if (parts.empty()) {
        say_instead(sheet, whole, data.missing);
        return std::move(sheet.figure);
    }
    const bool both = tokens && parts.size() == 2;
    auto rows = card_rows(whole, parts.size());
    if (rows.size() == 1 && data.heads.values && !both) {
        const float line = line_height(data.heads.values->rows());
        // Two cards of few layers fill a high place better below one another.
        if (1.5f * line <= whole.h) rows.assign(parts.size(), CardRow{1, 1});
        whole.h = std::min(whole.h, line * static_cast<float>(rows.size()));
    }
    if (parts.size() < asked && !frame.in_file) whole = say_missing(sheet, data.missing, whole);
    const auto places = card_places(whole, both ? token_rows(sheet, data, whole) : rows);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const InsideCard& card = card_of(data, parts[i]);
        const bool whole_title =
            card.short_title.empty() || title_fits(sheet, places[i], card.title);
        const std::string& title = whole_title ? card.title : card.short_title;
        const bool coloured = parts[i] == InsidePart::lens && card.instead.empty();
        const ColourKey key{"0 %", "100 %", sheet.theme().weights, {}};
        const float key_width = coloured ? colour_key_width(sheet, key) : 0;
        const Box box = draw_card(sheet, places[i], title, card.subtitle,
                                  coloured ? key_width + kBeforeKey : 0);
        if (coloured && box.w > 0) {
            const Box line = title_line(places[i]);
            draw_colour_keys(sheet, {key}, {line.x + line.w - key_width, line.y - 1}, key_width);
        }
        draw_inside(sheet, data, parts[i], box);
    }
    return std::move(sheet.figure);
}

} // namespace

Figure inside_room(const InsideRoomData& data, const Frame& frame) {
    return cards_of(data, frame,
                    {InsidePart::lens, InsidePart::parts, InsidePart::patching, InsidePart::heads});
}

Figure inside_tokens_room(const InsideRoomData& data, const Frame& frame) {
    return cards_of(data, frame, {InsidePart::tokens, InsidePart::weights});
}

float height_of_token_words(const InsideRoomData& data, const Frame& frame) {
    const Sheet sheet(frame, 0, 0);
    return height_with_words(sheet, {data.of_tokens, data.of_weights});
}

Figure inside_part(const InsideRoomData& data, InsidePart part, const Frame& frame) {
    Sheet sheet(frame, 640, 420);
    const InsideCard& card = card_of(data, part);
    sheet.figure.title = sentence_of(data) + ": " + card.title;
    const float top = sheet.header(card.title, card.subtitle);
    const float bottom = sheet.content_bottom();
    const Box box{sheet.margin(), top, sheet.width() - 2 * sheet.margin(), bottom - top};
    if (box.w >= 110 && box.h >= 56) draw_inside(sheet, data, part, box);
    return std::move(sheet.figure);
}

} // namespace heed::figure
