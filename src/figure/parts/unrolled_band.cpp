#include "figure/parts/unrolled_band.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/tag.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/heat_marks.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

using Band = UnrolledBand;

constexpr float kWidestPitch = 200; // of a step
constexpr float kBehindNames = 14;
constexpr float kSmallStepWord = 10, kSmallestStepWord = 8.5f, kLeastBetweenWords = 6;

} // namespace

void place_unrolled(UnrolledBand& band, float left, float right, bool starts) {
    const int n = band.side.steps();
    // A state before the first step takes the place of a step.
    const float start = starts ? 1 : 0;
    const float room = right - left;
    const bool all = (static_cast<float>(n) + start) * kTightestPitch <= room;
    const float least = all ? kTightestPitch : kNarrowestPitch;
    const int fit = std::clamp(static_cast<int>(room / least - start), 1, std::max(n, 1));
    band.first = std::clamp(band.chosen.value_or(0) - fit / 2, 0, std::max(n - fit, 0));
    band.last = std::min(band.first + fit, n);
    band.pitch = std::min(room / (static_cast<float>(fit) + start), kWidestPitch);
    band.left = left + start * band.pitch;
}

float names_width(const Sheet& sheet, const std::vector<const UnrolledSide*>& sides, float room) {
    float width = 0, steps = 0;
    for (const UnrolledSide* side : sides) {
        steps = std::max(steps, static_cast<float>(side->steps() + 1));
        for (const UnrolledCells& row : side->rows) {
            width = std::max(width, sheet.width_of(row.name, kNote));
        }
        if (side->contexts) width = std::max(width, sheet.width_of("cᵢ", kNote));
    }
    width = std::min(std::ceil(width) + kBehindNames, Band::kNames);
    // Beside a part of the steps stands which part it is.
    return steps * kTightestPitch > room - width ? Band::kNames : width;
}

float StepWords::room(std::size_t i) const {
    if (!moved.empty()) return widths[i];
    const float own = pitch - 5;
    if (widths[i] <= own) return own;
    const auto reach = [&](std::size_t other) {
        return pitch - std::min(widths[other], own) / 2 - between;
    };
    const float left = i == 0 ? before : reach(i - 1);
    const float right = i + 1 == widths.size() ? behind : reach(i + 1);
    return std::max(2 * std::min(left, right), own);
}

StepWords words_at(const Sheet& sheet, const UnrolledBand& band,
                   const std::vector<std::string>& texts, bool below, float size) {
    constexpr float kOutside = 10;
    StepWords words;
    words.pitch = band.pitch;
    words.between = band.between;
    // Below a state before the first step there is the way into it.
    const bool starts = band.decoder && band.side.rows[0].start.size() > 0 && band.first == 0;
    words.before = !starts ? band.pitch / 2 - 2 : band.pitch - (below ? 14 : band.between);
    words.behind = band.pitch / 2 + kOutside;
    const TextStyle style{size, Font::sans, Weight::bold};
    for (int step = band.first; step < band.last; ++step) {
        const auto at = static_cast<std::size_t>(step);
        words.widths.push_back(at < texts.size() ? sheet.width_of(texts[at], style) : 0);
    }
    if (!band.moves) return words;
    const auto moved =
        moved_apart(words.widths, band.pitch, band.between, words.before, words.behind);
    words.moved = moved.value_or(std::vector<float>{});
    return words;
}

namespace {

/// Ways of placing words, the easiest to read first.
struct WordWay {
    float between;
    bool moves;
};
constexpr WordWay kWays[] = {
    {Band::kBetweenWords, false}, {kLeastBetweenWords, false}, {kLeastBetweenWords, true}};

/// True where each word of a band is whole in this type, in the first of so many ways that has room
/// for all; of none the band has the last one that moves no word. `close`: the ways of contexts
/// between words are as close to these as a next word may be.
bool words_are_whole(const Sheet& sheet, UnrolledBand& band, float size, std::size_t ways,
                     bool close) {
    constexpr float kPastArrow = 7.5f; // from word to word, with an arrow between them
    const float least = band.side.contexts && !close ? kPastArrow : 0;
    const auto whole = [&](const std::vector<std::string>& texts, bool below) {
        const StepWords words = words_at(sheet, band, texts, below, size);
        for (std::size_t i = 0; i < words.widths.size(); ++i) {
            if (words.widths[i] > words.room(i)) return false;
        }
        return true;
    };
    band.word = size;
    for (std::size_t way = 0; way < ways; ++way) {
        band.between = std::max(kWays[way].between, least);
        band.moves = kWays[way].moves;
        const bool said = !band.side.says_each() || whole(band.side.said, false);
        if (said && whole(band.side.read, true)) return true;
    }
    band.moves = false;
    return false;
}

} // namespace

void size_words(const Sheet& sheet, std::vector<UnrolledBand>& bands) {
    // Where small words would be cut they stand closer together, before they are tiny.
    struct Sizes {
        float largest, smallest;
        std::size_t ways;
        bool close = false;
    };
    constexpr float kSmall = kSmallStepWord + 0.5f, kReadInPrint = 9.5f;
    constexpr Sizes kSizes[] = {
        {kWord.size, kSmall, 1},       {kWord.size, kSmall, 2},
        {kWord.size, kSmall, 3},       {kSmallStepWord, kReadInPrint, 3},
        {kWord.size, kSmall, 3, true}, {kSmallStepWord, kSmallestStepWord, 3, true}};
    for (const auto& [largest, smallest, ways, close] : kSizes) {
        for (float size = largest; size >= smallest; size -= 0.5f) {
            bool whole = true;
            for (UnrolledBand& band : bands)
                whole = words_are_whole(sheet, band, size, ways, close) && whole;
            if (whole) return;
        }
    }
}

std::string weights_name(int step) {
    std::string name = "α";
    for (const char digit : std::to_string(step + 1)) {
        name += std::string("₀₁₂₃₄₅₆₇₈₉").substr(3 * static_cast<std::size_t>(digit - '0'), 3);
    }
    return name + "ⱼ";
}

std::vector<std::string> link_numbers(const Sheet& sheet, const UnrolledBand& encoder,
                                      const num::RowVector<float>& weights) {
    constexpr float kBetween = 7;
    std::vector<std::string> numbers(static_cast<std::size_t>(weights.size()));
    // True where all have room.
    const auto write = [&](int decimals, bool bare) {
        bool fits = true;
        for (int word = encoder.first; word < encoder.last && word < weights.size(); ++word) {
            if (!(weights[word] >= kLeastBar)) continue;
            const float told = told_weight(weights[word], span_of(weights));
            std::string& number = numbers[static_cast<std::size_t>(word)];
            number = bare ? short_weight_text(told, decimals) : weight_text(told, decimals);
            if (bare && number.starts_with("0.")) number.erase(0, 1);
            fits = fits && sheet.width_of(number, kMonoNote) + kBetween <= encoder.pitch;
        }
        return fits;
    };
    if (!write(3, false) && !write(3, true)) write(2, true);
    return numbers;
}

namespace {

/// Names the rows of words of a decoder at the left: "says yᵢ", "reads yᵢ₋₁", or their letters
/// alone where one has no room for more. `below`: where that of the read ones stands. `part`: which
/// of them are in sight, where not all are; both stand there whole, or none. Returns the room of
/// that name, where it is drawn.
std::optional<float> name_words(Sheet& sheet, const UnrolledBand& band, const StepWords& said,
                                const StepWords& read, float below, const std::string& part) {
    constexpr float kGap = 8, kBesideWay = 5; // to a word; to the way into the first state
    struct Name {
        std::string verb, letter;
        float y, room;
    };
    const float left = sheet.margin(), first = band.x(band.first) - left - kGap;
    const bool starts = band.side.rows[0].start.size() > 0 && band.first == 0;
    const TextStyle style = name_style(band);
    const auto has_room = [&](const Name& name) {
        return sheet.width_of(name.verb + name.letter, style) <= name.room;
    };
    std::vector<Name> names;
    if (band.side.says_each() && !said.widths.empty())
        names.push_back({"says ", "yᵢ", band.top + Band::kWords / 2, first + said.left(0)});
    if (!read.widths.empty() && !band.side.read.empty()) {
        const float way = starts ? band.left - 0.5f * band.pitch - kBesideWay - left : 1e9f;
        const Name reads{"reads ", "yᵢ₋₁", below, std::min(first + read.left(0), way)};
        if (part.empty() || (has_room(reads) && sheet.width_of(part, style) <= reads.room))
            names.push_back(reads);
    }
    const bool whole = std::ranges::all_of(names, has_room);
    std::optional<float> room;
    for (const Name& name : names) {
        const std::string words =
            whole || (!part.empty() && name.y == below) ? name.verb + name.letter : name.letter;
        if (sheet.width_of(words, style) > name.room) continue;
        if (name.y == below) room = name.room;
        sheet.text(words, {left, name.y}, style, sheet.theme().muted, AlignX::left, AlignY::middle);
    }
    return room;
}

} // namespace

void draw_words(Sheet& sheet, const UnrolledBand& band) {
    const Theme& theme = sheet.theme();
    const StepWords read = words_at(sheet, band, band.side.read, true, band.word);
    const StepWords said = words_at(sheet, band, band.side.said, false, band.word);
    const auto word = [&](const std::string& text, float room, float x, float y, bool chosen,
                          bool loud) {
        const TextStyle style{band.word, Font::sans, chosen ? Weight::bold : Weight::regular};
        sheet.text(sheet.fitted(text, style, room), {x, y}, style,
                   chosen ? theme.accent
                   : loud ? theme.text
                          : theme.muted,
                   AlignX::centre, AlignY::middle);
    };
    const float below = band.y(0) + band.cell + Band::kFlowUp + Band::kWords / 2;
    const bool all = band.last - band.first == band.side.steps();
    const TextStyle name = name_style(band);
    const float half_line = 0.6f * name.size;
    const std::string from_to = std::to_string(band.first + 1) + "–" + std::to_string(band.last);
    const std::string of_all = "of " + std::to_string(band.side.steps());
    std::vector<std::string> part = {(band.decoder ? "steps " : "words ") + from_to, of_all};
    std::optional<float> named;
    if (band.decoder) {
        named = name_words(sheet, band, said, read, all ? below : below - half_line,
                           all ? "" : from_to + " " + of_all);
    }
    auto label = [&](int i) { return band.decoder ? Tag(tag::RowLabel{i}) : tag::ColLabel{i}; };
    for (int step = band.first; step < band.last; ++step) {
        const auto at = static_cast<std::size_t>(step);
        const auto shown = static_cast<std::size_t>(step - band.first);
        const float x = band.x(step);
        if (at < band.side.read.size()) {
            word(band.side.read[at], read.room(shown), x + read.middle(shown), below,
                 band.chosen == step, !band.decoder);
        }
        if (band.side.says_each() && at < band.side.said.size()) {
            word(band.side.said[at], said.room(shown), x + said.middle(shown),
                 band.top + Band::kWords / 2, band.chosen == step, true);
            sheet.target({x - band.pitch / 2, band.top, band.pitch, Band::kWords}, label(step));
        }
        sheet.target({x - band.pitch / 2, below - Band::kWords / 2, band.pitch, Band::kWords},
                     label(step));
    }
    if (all) return;
    float y = below - half_line, room = band.names - 8;
    if (named) { // below what is read
        room = *named;
        y = below + half_line;
        part = {part[0] + " " + of_all};
        if (sheet.width_of(part[0], name) > band.names - 8) part = {from_to + " " + of_all};
    }
    for (const std::string& line : part) {
        sheet.text(sheet.fitted(line, name, room), {sheet.margin(), y}, name, theme.muted,
                   AlignX::left, AlignY::middle);
        y += 2 * half_line;
    }
}

/// One word from the last states alone: of each direction where it ends.
void draw_one_word(Sheet& sheet, const UnrolledBand& band) {
    if (band.side.said.size() != 1 || band.side.steps() < 2 || band.side.rows.empty()) return;
    const Theme& theme = sheet.theme();
    const std::size_t top = band.side.rows.size() - 1;
    const float y = band.top + Band::kWords / 2, under = band.top + Band::kWords + 2;
    const float x = (band.x(band.first) + band.x(band.last - 1)) / 2;
    const TextStyle strong = strong_word(band);
    sheet.text(sheet.fitted(band.side.said[0], strong, 200), {x, y}, strong, theme.accent,
               AlignX::centre, AlignY::middle);
    const auto end = [&](std::size_t row) {
        const int step = band.side.rows[row].reversed ? band.first : band.last - 1;
        const float from = band.x(step), start = band.y(row) - 3;
        const float side = row == top ? 0 : band.width() / 2 + 5;
        const float at = from > x ? x + 5 : from < x ? x - 5 : x;
        draw_arrow(sheet,
                   {{from + side, start + (row == top ? 0 : band.cell / 2)},
                    {from + side, under + 8},
                    {at, under + 8},
                    {at, under}},
                   theme.accent);
    };
    end(top);
    if (top > 0 && band.side.rows[top].reversed) end(top - 1);
}

} // namespace heed::figure
