#include "figure/parts/paired_bars.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <cmath>

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

} // namespace heed::figure
