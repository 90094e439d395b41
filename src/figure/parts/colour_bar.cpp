#include "figure/parts/colour_bar.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace heed::figure {

namespace {

constexpr TextStyle kEnds{11, Font::mono};
constexpr TextStyle kMeaning{11};
constexpr float kWordsGap = 8, kMeaningLine = 13;

/// All 256 colours of a table, the high end on top.
std::shared_ptr<const Matrix<float>> ramp() {
    static const std::shared_ptr<const Matrix<float>> values = [] {
        auto matrix = std::make_shared<Matrix<float>>(256, 1);
        for (Index i = 0; i < 256; ++i) (*matrix)(i, 0) = static_cast<float>(255 - i) / 255.f;
        return matrix;
    }();
    return values;
}

/// Words at their values, those that come first where two would touch.
void draw_bar_ticks(Sheet& sheet, const ValueRange& range, float x, float top, float height) {
    const float half = kEnds.size * 0.4f, apart = kEnds.size * 1.2f;
    std::vector<float> drawn;
    for (const auto& [value, text] : range.ticks) {
        const float share = (value - range.low) / (range.high - range.low);
        const float y = std::clamp(top + (1 - share) * height, top + half,
                                   std::max(top + height - half, top + half));
        if (std::any_of(drawn.begin(), drawn.end(),
                        [&](float other) { return std::abs(other - y) < apart; })) {
            continue;
        }
        drawn.push_back(y);
        sheet.text(text, {x, y}, kEnds, sheet.theme().muted, AlignX::left, AlignY::middle);
    }
}

std::vector<std::string> lines_of(const std::string& words) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= words.size();) {
        const std::size_t end = std::min(words.find('\n', from), words.size());
        lines.push_back(words.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

} // namespace

float colour_bar_width(const Sheet& sheet, const ValueRange& range) {
    float words = 0;
    for (const std::string* text : {&range.low_text, &range.middle_text, &range.high_text}) {
        words = std::max(words, sheet.width_of(*text, kEnds));
    }
    for (const auto& [value, text] : range.ticks) {
        words = std::max(words, sheet.width_of(text, kEnds));
    }
    words += kColourBarWidth + kWordsGap;
    for (const std::string& line : lines_of(range.meaning))
        words = std::max(words, sheet.width_of(line, kMeaning));
    return words;
}

void draw_colour_bar(Sheet& sheet, const ValueRange& range, float left, float top, float height,
                     float room) {
    const Box strip{left, top, kColourBarWidth, height};
    sheet.heat(under_frame(strip), ramp(), range.palette, 0, 1);
    sheet.stroke(strip, sheet.theme().border);
    const float x = left + kColourBarWidth + kWordsGap;
    const Color ink = sheet.theme().muted;
    // The words of the ends stand inside the strip's height, as the strip's own ends do.
    const float half = kEnds.size * 0.4f;
    if (!range.ticks.empty()) {
        draw_bar_ticks(sheet, range, x, top, height);
    } else {
        sheet.text(range.high_text, {x, top + half}, kEnds, ink, AlignX::left, AlignY::middle);
        sheet.text(range.low_text, {x, top + height - half}, kEnds, ink, AlignX::left,
                   AlignY::middle);
        if (height >= 60) {
            sheet.text(range.middle_text, {x, top + height / 2}, kEnds, ink, AlignX::left,
                       AlignY::middle);
        }
    }
    const std::string& whole = range.whole_meaning;
    const bool fits = !whole.empty() && sheet.width_of(whole, kMeaning) <= room;
    float y = top + height + 8;
    for (const std::string& line : lines_of(fits ? whole : range.meaning)) {
        sheet.text(line, {left, y}, kMeaning, ink, AlignX::left, AlignY::top);
        y += kMeaningLine;
    }
}

namespace {

constexpr float kMeaningHeight = 20, kBetweenBars = 12, kLowBar = 60, kHighestBar = 220;

float bar_height(std::size_t bars, float height) {
    const auto count = static_cast<float>(bars);
    const float own = (height - (count - 1) * kBetweenBars) / count - kMeaningHeight;
    return std::clamp(own, 20.f, kHighestBar);
}

} // namespace

bool bars_go_beside(std::size_t bars, float height) {
    return bars > 1 && bar_height(bars, height) < kLowBar;
}

float colour_bars_width(const Sheet& sheet, const std::vector<ValueRange>& bars, bool beside) {
    float width = 0;
    for (const ValueRange& bar : bars) {
        const float own = colour_bar_width(sheet, bar) + kColourBarGap;
        width = beside ? width + own : std::max(width, own);
    }
    return width;
}

void draw_colour_bars(Sheet& sheet, const std::vector<ValueRange>& bars, bool beside, float left,
                      float top, float height) {
    const float own = bar_height(beside ? 1 : bars.size(), height);
    float x = left + kColourBarGap, y = top;
    for (const ValueRange& bar : bars) {
        draw_colour_bar(sheet, bar, x, y, own);
        (beside ? x : y) += beside ? colour_bar_width(sheet, bar) + kColourBarGap
                                   : own + kMeaningHeight + kBetweenBars;
    }
}

namespace {

constexpr TextStyle kKeyWords{11};
constexpr float kKeyStrip = 30, kKeyHigh = 8, kKeyGap = 5, kBetweenKeys = 18, kBelowKeys = 4;

/// All colours of a table, the high end at the right. Each piece reaches to the end, so that no
/// seam shows between two.
void draw_level_strip(Sheet& sheet, const Box& strip, PaletteId palette) {
    constexpr int kPieces = 14;
    for (int i = 0; i < kPieces; ++i) {
        const float from = strip.w * static_cast<float>(i) / kPieces;
        const float value = static_cast<float>(i) / (kPieces - 1);
        sheet.fill({strip.x + from, strip.y, strip.w - from, strip.h},
                   colour_of(palette, value, 0, 1));
    }
    sheet.stroke(strip, sheet.theme().border);
}

float strip_width(const Sheet& sheet, const ColourKey& key) {
    if (key.high.empty()) return key.swatch ? kKeyHigh + kKeyGap : 0;
    const float low = key.low.empty() ? 0 : sheet.width_of(key.low, kKeyWords) + kKeyGap;
    return low + kKeyStrip + kKeyGap + sheet.width_of(key.high, kKeyWords);
}

/// Lines of keys: each key has its line, and its left end.
std::vector<Point> places_of_keys(const Sheet& sheet, const std::vector<ColourKey>& keys,
                                  float width) {
    std::vector<Point> places;
    Point at{0, 0};
    for (const ColourKey& key : keys) {
        const float own = colour_key_width(sheet, key);
        if (at.x > 0 && at.x + own > width) at = {0, at.y + kColourKeyLine};
        places.push_back(at);
        at.x += own + kBetweenKeys;
    }
    return places;
}

} // namespace

float colour_key_width(const Sheet& sheet, const ColourKey& key) {
    return strip_width(sheet, key) + sheet.width_of(key.meaning, kKeyWords);
}

float colour_keys_height(const Sheet& sheet, const std::vector<ColourKey>& keys, float width) {
    if (keys.empty()) return 0;
    return places_of_keys(sheet, keys, width).back().y + kColourKeyLine + kBelowKeys;
}

ColourKey signed_key(const Theme& theme, std::string meaning) {
    return {"−a", "a", theme.stripes, std::move(meaning)};
}

void draw_colour_keys(Sheet& sheet, const std::vector<ColourKey>& keys, Point at, float width) {
    const Color ink = sheet.theme().muted;
    const std::vector<Point> places = places_of_keys(sheet, keys, width);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const ColourKey& key = keys[i];
        float x = at.x + places[i].x;
        const float y = at.y + places[i].y + kColourKeyLine / 2, end = at.x + width;
        const auto word = [&](const std::string& text) {
            sheet.text(sheet.fitted_end(text, kKeyWords, end - x), {x, y}, kKeyWords, ink,
                       AlignX::left, AlignY::middle);
            x += sheet.width_of(text, kKeyWords);
        };
        if (!key.high.empty()) {
            if (!key.low.empty()) {
                word(key.low);
                x += kKeyGap;
            }
            const Box strip{x, y - kKeyHigh / 2, kKeyStrip, kKeyHigh};
            draw_level_strip(sheet, strip, key.palette);
            x += kKeyStrip + kKeyGap;
        }
        if (key.swatch) {
            const Box swatch{x, y - kKeyHigh / 2, kKeyHigh, kKeyHigh};
            sheet.fill(swatch, *key.swatch);
            sheet.stroke(swatch, sheet.theme().border);
            x += kKeyHigh + kKeyGap;
        }
        word(key.high + key.meaning);
    }
}

float below_keys(const Sheet& sheet, const std::vector<ColourKey>& keys, float top) {
    constexpr float kLowest = 240; // points; in less the picture needs them
    if (!sheet.height_is_open() && sheet.height() - top < kLowest) return top;
    return top + colour_keys_height(sheet, keys, sheet.width() - 2 * sheet.margin());
}

float draw_keys_below_title(Sheet& sheet, const std::vector<ColourKey>& keys, float top) {
    const float below = below_keys(sheet, keys, top);
    if (below > top)
        draw_colour_keys(sheet, keys, {sheet.margin(), top}, sheet.width() - 2 * sheet.margin());
    return below;
}

std::vector<ColourKey> with_words(const Sheet& sheet, std::vector<ColourKey> keys,
                                  const std::vector<std::string>& words) {
    const float width = sheet.width() - 2 * sheet.margin();
    const float high = colour_keys_height(sheet, keys, width);
    for (const std::string& told : words) {
        if (told.empty()) continue;
        keys.push_back({{}, {}, {}, told});
        if (!sheet.height_is_open() && colour_keys_height(sheet, keys, width) > high)
            keys.pop_back();
    }
    return keys;
}

} // namespace heed::figure
