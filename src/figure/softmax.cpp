#include "base/check.hpp"
#include "figure/axis_labels.hpp"
#include "figure/colour_bar.hpp"
#include "figure/number_text.hpp"
#include "figure/plots.hpp"
#include "figure/sheet.hpp"
#include "figure/value_range.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr TextStyle kHeads{type_size::kNote};
constexpr TextStyle kNumbers{11, Font::mono};
constexpr float kHeadHeight = 24;

float largest(const std::vector<float>& values) {
    float size = 0;
    for (const float v : values) {
        if (std::isfinite(v)) size = std::max(size, std::abs(v));
    }
    return size;
}

/// One key a row: its name, its score as a bar from zero, its weight as a bar from the left.
void draw_rows_of_bars(Sheet& sheet, const SoftmaxData& data, const Box& part) {
    const Theme& theme = sheet.theme();
    const int m = static_cast<int>(data.weights.size());
    const float pitch = std::min((part.h - kHeadHeight) / static_cast<float>(m), 30.f);
    const LabelPlan plan = plan_rows(sheet, data.keys, m, pitch, 0.25f * part.w);
    const bool numbers = pitch >= 12;
    const float top = part.y + kHeadHeight;
    const float label_edge = part.x + plan.size;
    const float number_width = numbers ? sheet.width_of("−00.00", kNumbers) + 8 : 0;
    const float free = part.w - plan.size - 12 - 2 * number_width - 20;
    const float bar_width = std::max(free / 2, 1.f);
    const float scores = label_edge + 12, weights = scores + bar_width + number_width + 20;
    const float size = std::max(largest(data.logits), 1e-6f);
    const bool negative = std::any_of(data.logits.begin(), data.logits.end(),
                                      [](float v) { return std::isfinite(v) && v < 0; });
    const float zero = negative ? scores + bar_width / 2 : scores;
    const float unit = (negative ? bar_width / 2 : bar_width) / size;

    sheet.text("score", {scores, part.y + 11}, kHeads, theme.muted);
    sheet.text("weight", {weights, part.y + 11}, kHeads, theme.muted);
    draw_rows(sheet, plan, data.keys, m, top, pitch, label_edge, {});
    sheet.line({{zero, top}, {zero, top + pitch * static_cast<float>(m)}}, theme.border);
    const float thick = std::clamp(pitch * 0.42f, 0.4f, 11.f);
    const float radius = thick >= 5 ? 2.f : 0.f;
    const int decimals = decimals_for(size);
    for (int i = 0; i < m; ++i) {
        const float y = top + (static_cast<float>(i) + 0.5f) * pitch;
        const float score = data.logits[static_cast<std::size_t>(i)];
        const float weight = data.weights[static_cast<std::size_t>(i)];
        const Color ink = theme.muted;
        if (std::isfinite(score)) {
            const float length = std::abs(score) * unit;
            sheet.fill({score < 0 ? zero - length : zero, y - thick / 2, length, thick}, theme.link,
                       std::min(radius, length / 2));
        }
        if (std::isfinite(weight) && weight > 0) {
            const float length = std::max(std::min(weight, 1.f) * bar_width, 1.f);
            sheet.fill({weights, y - thick / 2, length, thick}, theme.accent,
                       std::min(radius, length / 2));
        }
        sheet.target({part.x, y - pitch / 2, part.w, pitch}, Tag::Kind::bar, i);
        if (!numbers) continue;
        TextStyle style = kNumbers;
        style.size = std::min(style.size, pitch - 1);
        const bool masked = !std::isfinite(score);
        sheet.text(masked ? "masked" : number_text(score, decimals),
                   {scores + bar_width + number_width, y}, style, ink, AlignX::right,
                   AlignY::middle);
        if (!masked || weight > 0) {
            sheet.text(number_text(weight, 3), {weights + bar_width + number_width, y}, style, ink,
                       AlignX::right, AlignY::middle);
        }
    }
}

void draw_jacobian(Sheet& sheet, const std::shared_ptr<const Matrix<float>>& jacobian,
                   const Box& part) {
    const ValueRange range = signed_range(jacobian, sheet.theme().stripes);
    const Color muted = sheet.theme().muted;
    const float bar = colour_bar_width(sheet, range) + 16;
    const float side = std::max(std::min({part.w - bar, part.h - kHeadHeight - 26, 420.f}), 2.f);
    const Box box{std::round(part.x), std::round(part.y + kHeadHeight), std::floor(side),
                  std::floor(side)};
    sheet.text(sheet.fitted("∂weight / ∂score = diag(y) − y yᵀ", kHeads, part.w),
               {part.x, part.y + 11}, kHeads, muted);
    sheet.heat(box, jacobian, range.palette, range.low, range.high);
    sheet.target(box, Tag::Kind::cells, static_cast<int>(jacobian->rows()),
                 static_cast<int>(jacobian->cols()));
    draw_colour_bar(sheet, range, box.x + box.w + 16, box.y, box.h);
    constexpr TextStyle note{type_size::kNote, Font::mono};
    const std::string largest_text = "largest |·| " + number_text(largest_size(*jacobian), 3);
    sheet.text(sheet.fitted(largest_text, note, box.w), {box.x, box.y + box.h + 18}, note, muted);
}

} // namespace

Figure softmax(const SoftmaxData& data, const Frame& frame) {
    HEED_CHECK(data.logits.size() == data.weights.size(), "{} scores and {} weights",
               data.logits.size(), data.weights.size());
    const auto m = static_cast<float>(data.weights.size());
    Sheet sheet(frame, 940, std::clamp(110 + m * 26, 300.f, 700.f));
    sheet.figure.title = "Scores, weights and gradient of softmax over " +
                         std::to_string(data.weights.size()) + " keys" +
                         (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, "");
    const float bottom = sheet.content_bottom();
    const float left = sheet.margin(), width = sheet.width() - 2 * sheet.margin();
    if (data.weights.empty()) {
        sheet.text("Nothing to show: there are no keys", {left, top + 20}, {type_size::kSubtitle},
                   sheet.theme().muted);
        return std::move(sheet.figure);
    }
    const bool with_jacobian = data.jacobian && data.jacobian->size() > 0;
    Box bars{left, top, width, std::max(bottom - top, kHeadHeight + 1)}, gradient = bars;
    if (with_jacobian && width >= 560) {
        gradient.w = std::min(0.46f * width, bars.h - kHeadHeight - 26 + 110);
        bars.w = width - gradient.w - 36;
        gradient.x = left + bars.w + 36;
    } else if (with_jacobian) {
        bars.h = std::min(0.5f * bars.h, kHeadHeight + m * 22);
        gradient.y = top + bars.h + 12;
        gradient.h -= bars.h + 12;
    }
    draw_rows_of_bars(sheet, data, bars);
    if (with_jacobian) draw_jacobian(sheet, data.jacobian, gradient);
    return std::move(sheet.figure);
}

} // namespace heed::figure
