#include "figure/parts/paired_bars.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>

namespace heed::figure {

namespace {

constexpr float kRowName = 18, kNumber = 14, kWidestColumn = 72, kWidestOfAll = 120,
                kNumberedPitch = 30, kLowestNumbered = 44;

void draw_bar_row(Sheet& sheet, const PairedBars& bars, std::size_t row, const Box& box,
                  float pitch, float most) {
    const Theme& theme = sheet.theme();
    sheet.text(sheet.fitted(bars.names[row], kNote, box.w), {box.x, box.y + 10}, kNote,
               theme.muted);
    const bool numbered = pitch >= kNumberedPitch && box.h >= kLowestNumbered;
    const float base = box.y + box.h, top = box.y + kRowName + (numbered ? kNumber : 0);
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
            sheet.text(number_text(values[i], 2), {middle, base - high - 4}, kMonoNote, theme.muted,
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
    const float widest = std::clamp(0.3f * whole.h, kWidestColumn, kWidestOfAll);
    // Slanted labels reach to the left of the first column.
    LabelPlan across = plan_columns(sheet, bars.columns, count,
                                    std::min(whole.w / static_cast<float>(count), widest),
                                    whole.h / 3, bars.marked);
    const float reach = std::min(
        reach_left(sheet, across, bars.columns, count, whole.w / static_cast<float>(count)),
        0.15f * whole.w);
    const Box box{whole.x + reach, whole.y, whole.w - reach, whole.h};
    const float pitch = std::min(box.w / static_cast<float>(count), widest);
    across = plan_columns(sheet, bars.columns, count, pitch, box.h / 3, bars.marked);
    const float high = box.h - across.size - 8;
    float most = 1e-6f;
    for (const auto& values : bars.values) {
        for (const float value : values) most = std::max(most, value);
    }
    const float gap = 8, row = std::max((high - gap) / 2, 1.f);
    for (std::size_t i = 0; i < 2; ++i) {
        draw_bar_row(sheet, bars, i,
                     {box.x, box.y + static_cast<float>(i) * (row + gap), box.w, row}, pitch, most);
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
