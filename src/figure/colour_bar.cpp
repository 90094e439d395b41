#include "figure/colour_bar.hpp"

#include <algorithm>

namespace heed::figure {

namespace {

constexpr TextStyle kEnds{11, Font::mono};
constexpr TextStyle kMeaning{11};
constexpr float kGap = 8;

/// All 256 colours of a table, the high end on top.
std::shared_ptr<const Matrix<float>> ramp() {
    static const std::shared_ptr<const Matrix<float>> values = [] {
        auto matrix = std::make_shared<Matrix<float>>(256, 1);
        for (Index i = 0; i < 256; ++i) (*matrix)(i, 0) = static_cast<float>(255 - i) / 255.f;
        return matrix;
    }();
    return values;
}

} // namespace

float colour_bar_width(const Sheet& sheet, const ValueRange& range) {
    float words = 0;
    for (const std::string* text : {&range.low_text, &range.middle_text, &range.high_text}) {
        words = std::max(words, sheet.width_of(*text, kEnds));
    }
    return std::max(kColourBarWidth + kGap + words, sheet.width_of(range.meaning, kMeaning));
}

void draw_colour_bar(Sheet& sheet, const ValueRange& range, float left, float top, float height) {
    const Box strip{left, top, kColourBarWidth, height};
    sheet.heat(strip, ramp(), range.palette, 0, 1);
    sheet.stroke(strip, sheet.theme().border);
    const float x = left + kColourBarWidth + kGap;
    const Color ink = sheet.theme().muted;
    // The words of the ends stand inside the strip's height, as the strip's own ends do.
    const float half = kEnds.size * 0.4f;
    sheet.text(range.high_text, {x, top + half}, kEnds, ink, AlignX::left, AlignY::middle);
    sheet.text(range.low_text, {x, top + height - half}, kEnds, ink, AlignX::left, AlignY::middle);
    if (height >= 60) {
        sheet.text(range.middle_text, {x, top + height / 2}, kEnds, ink, AlignX::left,
                   AlignY::middle);
    }
    sheet.text(range.meaning, {left, top + height + 8}, kMeaning, ink, AlignX::left, AlignY::top);
}

} // namespace heed::figure
