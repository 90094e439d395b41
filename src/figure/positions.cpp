#include "figure/chart.hpp"
#include "figure/colour_bar.hpp"
#include "figure/number_text.hpp"
#include "figure/plots.hpp"
#include "figure/sheet.hpp"
#include "figure/value_range.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr TextStyle kAxisWords{type_size::kNote};

/// Four dimensions from the fast end to where a wave grows longer than a sentence: of sinusoids,
/// dimension d/4 is ten times slower than dimension 0.
std::vector<Index> shown_dimensions(Index count) {
    std::vector<Index> result;
    for (const Index d : {Index{0}, count / 16, count / 8, count / 4}) {
        if (d < count && std::find(result.begin(), result.end(), d) == result.end()) {
            result.push_back(d);
        }
    }
    for (Index d = 0; result.size() < 4 && d < count; ++d) {
        if (std::find(result.begin(), result.end(), d) == result.end()) result.push_back(d);
    }
    std::sort(result.begin(), result.end());
    return result;
}

void draw_picture(Sheet& sheet, const std::shared_ptr<const Matrix<float>>& table,
                  const Box& part) {
    const ValueRange range = signed_range(table, sheet.theme().stripes);
    const Color muted = sheet.theme().muted;
    const float number_width = sheet.width_of(std::to_string(table->rows()), {10.5f, Font::mono});
    const float bar = colour_bar_width(sheet, range) + 20;
    const float left = number_width + 14, above = 22, below = 38;
    Box box{std::round(part.x + left), std::round(part.y + above),
            std::max(part.w - left - bar, 2.f), std::max(part.h - above - below, 2.f)};
    const auto rows = static_cast<float>(table->rows()), cols = static_cast<float>(table->cols());
    box.h = std::min(box.h, 40 * rows);
    sheet.heat(box, table, range.palette, range.low, range.high);
    sheet.target(box, Tag::Kind::cells, static_cast<int>(table->rows()),
                 static_cast<int>(table->cols()));
    draw_counts_down(sheet, box.y, box.h / rows, static_cast<int>(table->rows()), box.x - 8);
    draw_counts_across(sheet, box.x, box.w / cols, static_cast<int>(table->cols()),
                       box.y + box.h + 6);
    sheet.text("position ↓", {part.x, box.y - 10}, kAxisWords, muted);
    sheet.text("dimension →", {box.x + box.w, box.y + box.h + 34}, kAxisWords, muted,
               AlignX::right);
    draw_colour_bar(sheet, range, box.x + box.w + 20, box.y, box.h);
}

void draw_curves(Sheet& sheet, const Matrix<float>& table, const Box& part) {
    const std::vector<Index> dimensions = shown_dimensions(table.cols());
    float size = 0;
    for (const Index d : dimensions) {
        for (Index row = 0; row < table.rows(); ++row) {
            if (std::isfinite(table(row, d))) size = std::max(size, std::abs(table(row, d)));
        }
    }
    if (!(size > 0)) size = 1;
    // The legend is the dimensions' numbers in the colours of their curves.
    constexpr TextStyle legend{12};
    float x = part.x;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        const std::string word = (i == 0 ? "dimension " : "") + std::to_string(dimensions[i]);
        sheet.text(word, {x, part.y + 12}, legend, sheet.theme().series[i]);
        x += sheet.width_of(word, legend) + 14;
    }
    const float number_width = sheet.width_of(scale_text(-size), {10.5f, Font::mono});
    const auto last = static_cast<float>(std::max<Index>(table.rows() - 1, 1));
    Chart chart{{part.x + number_width + 12, part.y + 30, std::max(part.w - number_width - 12, 2.f),
                 std::max(part.h - 30 - 38, 2.f)},
                0,
                last,
                -size,
                size};
    draw_value_rules(sheet, chart);
    const float pitch = chart.box.w / last;
    draw_counts_across(sheet, chart.box.x - pitch / 2, pitch, static_cast<int>(table.rows()),
                       chart.box.y + chart.box.h + 6);
    sheet.text("position →", {chart.box.x + chart.box.w, chart.box.y + chart.box.h + 34},
               kAxisWords, sheet.theme().muted, AlignX::right);
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        std::vector<Point> points;
        for (Index row = 0; row < table.rows(); ++row) {
            const float value = table(row, dimensions[i]);
            if (std::isfinite(value)) {
                points.push_back({chart.x(static_cast<float>(row)), chart.y(value)});
            }
        }
        if (points.size() == 1) {
            sheet.fill({points[0].x - 2.5f, points[0].y - 2.5f, 5, 5}, sheet.theme().series[i],
                       2.5f);
        } else if (!points.empty()) {
            sheet.line(std::move(points), sheet.theme().series[i], 1.8f);
        }
    }
}

} // namespace

Figure positions(const PositionsData& data, const Frame& frame) {
    Sheet sheet(frame, 940, 520);
    const Index rows = data.table ? data.table->rows() : 0;
    const Index cols = data.table ? data.table->cols() : 0;
    sheet.figure.title = "Encoding of " + std::to_string(rows) + " positions in " +
                         std::to_string(cols) + " dimensions" +
                         (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, "");
    const float bottom = sheet.content_bottom();
    const float left = sheet.margin(), width = sheet.width() - 2 * sheet.margin();
    if (rows == 0 || cols == 0) {
        sheet.text("This model adds no positions", {left, top + 20}, {type_size::kSubtitle},
                   sheet.theme().muted);
        return std::move(sheet.figure);
    }
    const float height = std::max(bottom - top, 1.f);
    constexpr float kBetween = 36;
    Box picture{left, top, width, height}, curves = picture;
    if (width >= 620) {
        picture.w = std::round(0.54f * (width - kBetween));
        curves.x = left + picture.w + kBetween;
        curves.w = width - picture.w - kBetween;
    } else {
        picture.h = std::round(0.52f * height);
        curves.y = top + picture.h + 8;
        curves.h = height - picture.h - 8;
    }
    draw_picture(sheet, data.table, picture);
    draw_curves(sheet, *data.table, curves);
    return std::move(sheet.figure);
}

} // namespace heed::figure
