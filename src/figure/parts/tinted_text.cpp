#include "figure/parts/tinted_text.hpp"

#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kLargestWord = 15, kSmallestWord = 9;   // the first in a low place
constexpr float kVeryLargest = 22, kHigh = 180;         // in a high one
constexpr int kFewestWords = 8;                         // fewer: a line less
constexpr float kWordOfSome = 11;                       // where not all are shown
constexpr float kEasilyRead = 12; // smaller, and both sentences share their rows
constexpr float kNoteBelow = 15, kNarrowestNote = 160; // points
constexpr TextStyle kLineName{11.5f, Font::sans, Weight::bold};

/// Points from the top of a line to that of its words, and below them.
struct LineAir {
    float name, below;
};
constexpr LineAir kUsualAir{19, 9}, kTightAir{16, 3};

float row_height(float size) { return std::round(1.75f * size); }
float word_pad(float size) { return 0.32f * size; }

/// A word, or an ellipsis for those that are left out.
struct PlacedWord {
    int word = -1;
    Box box; // from the corner of the line's words
};
struct WordRows {
    std::vector<PlacedWord> words;
    int rows = 1;
};

WordRows set_in_rows(const Sheet& sheet, const TintedText& text, const std::vector<bool>& shown,
                     const TextStyle& style, float width) {
    const float pad = word_pad(style.size), gap = 2, high = row_height(style.size);
    WordRows placed;
    float x = 0;
    const auto place = [&](int word, const std::string& words) {
        const float w = std::min(sheet.width_of(words, style) + 2 * pad, width);
        if (x > 0 && x + w > width) {
            x = 0;
            ++placed.rows;
        }
        const float y = static_cast<float>(placed.rows - 1) * high;
        placed.words.push_back({word, {x, y, w, high - 3}});
        x += w + gap;
    };
    bool elided = false;
    for (int i = 0; i < std::ssize(text.words); ++i) {
        if (text.second == i && x > 0) {
            x = 0;
            ++placed.rows;
            elided = false;
        }
        const auto at = static_cast<std::size_t>(i);
        if (shown[at]) {
            place(i, text.words[at]);
        } else if (!elided) {
            place(-1, "…");
        }
        elided = !shown[at];
    }
    return placed;
}

/// Points that a note takes below its name, where it has no room at the name's right.
float note_high(const Sheet& sheet, const TintedLine& line, float width) {
    if (line.note.empty() || width < kNarrowestNote) return 0;
    const float both =
        sheet.width_of(line.name, kLineName) + 16 + sheet.width_of(line.note, kNote);
    return both > width ? kNoteBelow : 0;
}

float height_of_lines(const Sheet& sheet, const TintedText& text, const WordRows& words, float size,
                      float width, const LineAir& air) {
    const auto lines = static_cast<float>(text.lines.size());
    float notes = 0;
    for (const TintedLine& line : text.lines) notes += note_high(sheet, line, width);
    return notes + lines * (air.name + static_cast<float>(words.rows) * row_height(size)) +
           std::max(lines - 1, 0.f) * air.below;
}

float largest_share(const TintedLine& line) {
    float most = 0;
    for (const float share : line.shares) {
        if (std::isfinite(share)) most = std::max(most, std::abs(share));
    }
    return most;
}

/// The words by their largest part of any line's largest share.
std::vector<int> by_share(const TintedText& text) {
    std::vector<float> most(text.words.size(), 0);
    for (const TintedLine& line : text.lines) {
        const float largest = largest_share(line);
        for (std::size_t i = 0; i < most.size() && i < line.shares.size() && largest > 0; ++i) {
            if (!std::isfinite(line.shares[i])) continue;
            most[i] = std::max(most[i], std::abs(line.shares[i]) / largest);
        }
    }
    if (text.marked && *text.marked < std::ssize(most)) {
        most[static_cast<std::size_t>(*text.marked)] = 2;
    }
    std::vector<int> order(text.words.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return most[static_cast<std::size_t>(a)] > most[static_cast<std::size_t>(b)];
    });
    return order;
}

struct FittedText {
    WordRows words;
    TextStyle style;
    int left_out = 0;
};

/// True where a word stands alone in the last of a sentence's rows, below one of several.
bool has_lone_word(const TintedText& text, const WordRows& placed) {
    const auto& words = placed.words;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool first = words[i].box.y > words[i - 1].box.y;
        const bool last = i + 1 == words.size() || words[i + 1].box.y > words[i].box.y;
        if (first && last && text.second != words[i].word && words[i - 1].box.x > 0) return true;
    }
    return false;
}

/// All words, as large as fits; nothing where not even the smallest do. No word stands alone in a
/// row for the sake of letters that are hardly larger.
std::optional<FittedText> fit_all(const Sheet& sheet, const TintedText& text, const Box& box,
                                  const LineAir& air) {
    constexpr float kHardlySmaller = 0.8f;
    const std::vector<bool> all(text.words.size(), true);
    const float largest = box.h >= kHigh ? kVeryLargest : kLargestWord;
    std::optional<FittedText> fitted;
    for (float size = largest; size >= kSmallestWord; size -= 1) {
        if (fitted && size < std::max(kHardlySmaller * fitted->style.size, kEasilyRead)) break;
        WordRows words = set_in_rows(sheet, text, all, TextStyle{size}, box.w);
        if (height_of_lines(sheet, text, words, size, box.w, air) > box.h) continue;
        const bool lone = has_lone_word(text, words);
        if (fitted && (lone || words.rows >= fitted->words.rows)) continue;
        fitted = FittedText{std::move(words), TextStyle{size}};
        if (!lone) break;
    }
    return fitted;
}

FittedText fit_words(const Sheet& sheet, TintedText text, const Box& box, const LineAir& air) {
    auto apart = fit_all(sheet, text, box, air);
    if (apart && (!text.second || apart->style.size >= kEasilyRead)) return *std::move(apart);
    text.second.reset();
    if (auto joined = fit_all(sheet, text, box, air)) return *std::move(joined);
    FittedText fitted;
    fitted.style = TextStyle{kWordOfSome};
    const std::vector<int> order = by_share(text);
    std::size_t fits = 0, too_many = order.size();
    while (fits + 1 < too_many) {
        const std::size_t tried = (fits + too_many) / 2;
        std::vector<bool> shown(text.words.size(), false);
        for (std::size_t i = 0; i < tried; ++i) shown[static_cast<std::size_t>(order[i])] = true;
        WordRows words = set_in_rows(sheet, text, shown, fitted.style, box.w);
        if (height_of_lines(sheet, text, words, fitted.style.size, box.w, air) > box.h) {
            too_many = tried;
        } else {
            fits = tried;
            fitted.words = std::move(words);
        }
    }
    if (fits == 0) fitted.words = {};
    fitted.left_out = static_cast<int>(text.words.size() - fits);
    return fitted;
}

void draw_line(Sheet& sheet, const TintedText& text, std::size_t number, const FittedText& fitted,
               Point corner, int part) {
    const TintedLine& line = text.lines[number];
    const Theme& theme = sheet.theme();
    const float most = largest_share(line);
    const float pad = word_pad(fitted.style.size);
    for (const PlacedWord& placed : fitted.words.words) {
        const Box box{corner.x + placed.box.x, corner.y + placed.box.y, placed.box.w, placed.box.h};
        const float middle = box.y + box.h / 2;
        if (placed.word < 0) {
            sheet.text("…", {box.x + pad, middle}, fitted.style, theme.muted, AlignX::left,
                       AlignY::middle);
            continue;
        }
        const auto at = static_cast<std::size_t>(placed.word);
        const float share = at < line.shares.size() ? line.shares[at] : NAN;
        Color ink = theme.faint;
        if (std::isfinite(share)) {
            const float high = most > 0 ? most : 1;
            const Color ground = colour_of(line.is_signed ? theme.stripes : theme.weights, share,
                                           line.is_signed ? -high : 0, high);
            sheet.fill(box, ground, 3);
            ink = ink_on(ground);
        }
        if (text.marked == placed.word) sheet.stroke(box, theme.accent, 1.5f, 3);
        sheet.text(sheet.fitted_end(text.words[at], fitted.style, box.w - 2 * pad + 1),
                   {box.x + pad, middle}, fitted.style, ink, AlignX::left, AlignY::middle);
        sheet.target(box, tag::Bar{placed.word, static_cast<int>(number), part});
    }
}

} // namespace

float tinted_text_height(const Sheet& sheet, const TintedText& text, float width, float most) {
    if (most >= kHigh) { // what is drawn there
        const auto fitted = fit_all(sheet, text, {0, 0, width, most}, kUsualAir);
        if (fitted && fitted->style.size >= kEasilyRead)
            return height_of_lines(sheet, text, fitted->words, fitted->style.size, width,
                                   kUsualAir);
    }
    const std::vector<bool> all(text.words.size(), true);
    const WordRows rows = set_in_rows(sheet, text, all, TextStyle{kVeryLargest}, width);
    return height_of_lines(sheet, text, rows, kVeryLargest, width, kUsualAir);
}

bool tinted_text_fits(const Sheet& sheet, const TintedText& text, const Box& box) {
    return fit_words(sheet, text, box, kTightAir).left_out == 0;
}

TintedLeftOut draw_tinted_text(Sheet& sheet, const TintedText& whole, const Box& box, int part) {
    TintedText text = whole;
    LineAir air = kUsualAir;
    FittedText fitted = fit_words(sheet, text, box, air);
    if (fitted.left_out > 0 || fitted.style.size < kEasilyRead) { // lines stand closer before
        FittedText closer = fit_words(sheet, text, box, kTightAir);
        if (fitted.left_out > 0 || closer.style.size > fitted.style.size) {
            air = kTightAir;
            fitted = std::move(closer);
        }
    }
    const int words = static_cast<int>(text.words.size());
    while (text.lines.size() > 1 && words - fitted.left_out < std::min(words, kFewestWords)) {
        text.lines.pop_back();
        fitted = fit_words(sheet, text, box, air);
    }
    const float lines = static_cast<float>(text.lines.size());
    const float used = height_of_lines(sheet, text, fitted.words, fitted.style.size, box.w, air);
    const float spare = lines > 1 ? std::clamp((box.h - used) / (lines - 1), 0.f, 12.f) : 0;
    float y = box.y;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
        const TintedLine& line = text.lines[i];
        if (y + air.name > box.y + box.h) break;
        const std::string name = sheet.fitted(line.name, kLineName, box.w);
        sheet.text(name, {box.x, y + 10}, kLineName, sheet.theme().muted);
        const float room = box.w - sheet.width_of(name, kLineName) - 16;
        if (const float below = note_high(sheet, line, box.w); below > 0) {
            if (y + air.name + below > box.y + box.h) break;
            y += below;
            sheet.text(sheet.fitted_end(line.note, kNote, box.w), {box.x, y + 10}, kNote,
                       sheet.theme().muted);
        } else if (!line.note.empty() && room > 40) {
            sheet.text(sheet.fitted_end(line.note, kNote, room), {box.x + box.w, y + 10}, kNote,
                       sheet.theme().muted, AlignX::right);
        }
        draw_line(sheet, text, i, fitted, {box.x, y + air.name - 3}, part);
        y += air.name + static_cast<float>(fitted.words.rows) * row_height(fitted.style.size) +
             air.below + spare;
        ++drawn;
    }
    TintedLeftOut left_out{fitted.left_out};
    for (std::size_t i = drawn; i < whole.lines.size(); ++i) {
        left_out.lines.push_back(whole.lines[i].name);
    }
    return left_out;
}

} // namespace heed::figure
