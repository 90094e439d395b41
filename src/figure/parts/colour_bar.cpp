#include "figure/parts/colour_bar.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace heed::figure {

namespace {

constexpr TextStyle kEnds{11, Font::mono};
constexpr TextStyle kMeaning{11};
constexpr float kWordsGap = 8;

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

} // namespace

float colour_bar_width(const Sheet& sheet, const ValueRange& range) {
    float words = 0;
    for (const std::string* text : {&range.low_text, &range.middle_text, &range.high_text}) {
        words = std::max(words, sheet.width_of(*text, kEnds));
    }
    for (const auto& [value, text] : range.ticks) {
        words = std::max(words, sheet.width_of(text, kEnds));
    }
    return std::max(kColourBarWidth + kWordsGap + words, sheet.width_of(range.meaning, kMeaning));
}

void draw_colour_bar(Sheet& sheet, const ValueRange& range, float left, float top, float height) {
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
    sheet.text(range.meaning, {left, top + height + 8}, kMeaning, ink, AlignX::left, AlignY::top);
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

} // namespace heed::figure
