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
constexpr float kNoteHeight = 26, kBetween = 32;
constexpr float kTallestRow = 110; // points; square cells of a gradient may be taller
constexpr float kThickestBar = 26;
// A cell of the gradient may be this much wider than tall, and this much taller than wide.
constexpr float kWidestCell = 1.8f, kTallestCell = 1.6f;

float largest(const std::vector<float>& values) {
    float size = 0;
    for (const float v : values) {
        if (std::isfinite(v)) size = std::max(size, std::abs(v));
    }
    return size;
}

/// The rows that bars and gradient share: one key each, at one height.
struct Rows {
    float top, pitch;
    int count;
    float middle(int i) const { return top + (static_cast<float>(i) + 0.5f) * pitch; }
    float height() const { return pitch * static_cast<float>(count); }
};

/// One key a row: its name, its score as a bar from zero, its weight as a bar from the left.
void draw_rows_of_bars(Sheet& sheet, const SoftmaxData& data, const Box& part, const Rows& rows) {
    const Theme& theme = sheet.theme();
    const int m = rows.count;
    const float pitch = rows.pitch;
    const LabelPlan plan = plan_rows(sheet, data.keys, m, pitch, 0.25f * part.w, data.selected);
    const bool numbers = pitch >= 12;
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

    const float heads = rows.top - kHeadHeight + 11;
    sheet.text("score", {scores, heads}, kHeads, theme.muted);
    sheet.text("weight", {weights, heads}, kHeads, theme.muted);
    draw_rows(sheet, plan, data.keys, m, rows.top, pitch, label_edge, {data.selected});
    sheet.line({{zero, rows.top}, {zero, rows.top + rows.height()}}, theme.border);
    const float thick = std::clamp(pitch * 0.42f, 0.4f, kThickestBar);
    const float radius = thick >= 5 ? 2.f : 0.f;
    const int decimals = decimals_for(size);
    for (int i = 0; i < m; ++i) {
        const float y = rows.middle(i);
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

void draw_numbers(Sheet& sheet, const ValueRange& range, const Matrix<float>& jacobian,
                  const Box& box) {
    const float w = box.w / static_cast<float>(jacobian.cols());
    const float h = box.h / static_cast<float>(jacobian.rows());
    const int decimals = decimals_for(largest_size(jacobian)) + 1;
    if (h < 16 || w < sheet.width_of("−" + number_text(0, decimals), kNumbers) + 8) return;
    for (Index i = 0; i < jacobian.rows(); ++i) {
        for (Index j = 0; j < jacobian.cols(); ++j) {
            const Color ground =
                colour_of(range.palette, (*range.values)(i, j), range.low, range.high);
            sheet.text(number_text(jacobian(i, j), decimals),
                       {box.x + (static_cast<float>(j) + 0.5f) * w,
                        box.y + (static_cast<float>(i) + 0.5f) * h},
                       kNumbers, soft_ink_on(ground, 0.3f), AlignX::centre, AlignY::middle);
        }
    }
}

/// Rows stand beside those of the bars where both have the same keys; columns are keys again.
void draw_jacobian(Sheet& sheet, const SoftmaxData& data, const Box& part, const Rows& rows) {
    const auto& jacobian = data.jacobian;
    const ValueRange range = signed_range(jacobian, sheet.theme().stripes);
    const Color muted = sheet.theme().muted;
    const float beside = colour_bar_width(sheet, range) + 16;
    const float width = std::clamp(part.w - beside, 2.f, kWidestCell * rows.height());
    const Box box{std::round(part.x), std::round(rows.top), std::floor(width),
                  std::floor(std::max(rows.height(), 2.f))};
    const float pitch = box.w / static_cast<float>(rows.count);
    const float heads = part.y + 11;
    sheet.text(sheet.fitted("∂weight / ∂score = diag(y) − y yᵀ", kHeads, part.w), {part.x, heads},
               kHeads, muted);
    const float room = box.y - part.y - kHeadHeight;
    const LabelPlan plan =
        plan_columns(sheet, data.keys, rows.count, pitch, std::max(room, 0.f), data.selected);
    draw_columns(sheet, plan, data.keys, rows.count, box.x, pitch, box.y - 6, Side::above,
                 part.x + part.w, {data.selected}, Tag::Kind::bar);
    sheet.heat(box, jacobian, range.palette, range.low, range.high);
    if (data.numbers) draw_numbers(sheet, range, *jacobian, box);
    for (int i = 0; i < rows.count; ++i) {
        sheet.target({box.x, rows.middle(i) - rows.pitch / 2, box.w, rows.pitch}, Tag::Kind::bar,
                     i);
    }
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
    // As tall as makes a few cells square; many keys still get rows that hold their numbers.
    const float natural =
        std::clamp(std::max(std::min(190 + 44 * m, 560.f), 190 + 14 * m), 300.f, 760.f);
    Sheet sheet(frame, 940, natural);
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
    const auto pitch_for = [&](float height, float tallest) {
        return std::max(std::min(height / m, tallest), 1e-3f);
    };
    const int count = static_cast<int>(data.weights.size());
    const float height = std::max(bottom - top, kHeadHeight + 1);
    if (!data.jacobian || data.jacobian->size() == 0) {
        const Rows rows{top + kHeadHeight, pitch_for(height - kHeadHeight, kTallestRow), count};
        draw_rows_of_bars(sheet, data, {left, top, width, height}, rows);
        return std::move(sheet.figure);
    }
    const bool beside = width >= 560;
    Box bars{left, top, width, height}, gradient = bars;
    if (beside) {
        gradient.w = 0.46f * width;
        bars.w = width - gradient.w - kBetween;
        gradient.x = left + bars.w + kBetween;
    } else {
        bars.h = std::min(0.45f * height, kHeadHeight + m * 22);
        gradient.y = top + bars.h + 12;
        gradient.h -= bars.h + 12;
    }
    // Labels above the gradient get what they need, up to a fifth of its height.
    const float labels =
        6 + plan_columns(sheet, data.keys, count, 0.8f * gradient.w / m, 0.2f * gradient.h).size;
    const float room = gradient.h - kHeadHeight - labels - kNoteHeight;
    const float cell = gradient.w / m;
    const float tallest = std::min(std::max(kTallestRow, cell), kTallestCell * cell);
    const Rows of_gradient{gradient.y + kHeadHeight + labels,
                           pitch_for(std::max(room, 2.f), tallest), count};
    const Rows of_bars =
        beside ? of_gradient
               : Rows{top + kHeadHeight, pitch_for(bars.h - kHeadHeight, kTallestRow), count};
    draw_rows_of_bars(sheet, data, bars, of_bars);
    draw_jacobian(sheet, data, gradient, of_gradient);
    return std::move(sheet.figure);
}

} // namespace heed::figure
