#include "figure/parts/stripe.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace heed::figure {

namespace {

/// The means of neighbours where there are more values than points: a heat would show the largest
/// of those that share one, and a gate that is half open would look open.
num::RowVector<float> in_points(const num::RowVector<float>& values, float width) {
    const auto points = static_cast<Index>(std::max(width, 1.f));
    if (values.size() <= points) return values;
    num::RowVector<float> means(points);
    for (Index i = 0; i < points; ++i) {
        const Index first = i * values.size() / points, last = (i + 1) * values.size() / points;
        means[i] = values.segment(first, last - first).mean();
    }
    return means;
}

} // namespace

void draw_stripe(Sheet& sheet, const Box& box, const num::RowVector<float>& values,
                 const StripeColours& colours, int of, int which) {
    if (values.size() == 0 || box.w <= 0 || box.h <= 0) return;
    const Theme& theme = sheet.theme();
    if (colours.of_gate) {
        sheet.heat(box, std::make_shared<Matrix<float>>(in_points(values, box.w)), theme.weights, 0,
                   1);
    } else {
        sheet.heat(box, std::make_shared<Matrix<float>>(values), theme.stripes, -colours.size,
                   colours.size);
    }
    sheet.target(box, tag::Stripe{of, static_cast<int>(values.size()), which});
}

float size_of(const num::RowVector<float>& values) {
    float size = 0;
    for (Index i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) size = std::max(size, std::abs(values[i]));
    }
    return size > 0 ? size : 1;
}

Figure stripes(const Stripes& stripes, const Frame& frame) {
    Figure figure;
    figure.width = frame.width;
    figure.height = frame.height;
    const float height = frame.height / static_cast<float>(stripes.rows.size());
    float y = 0;
    for (const num::RowVector<float>& row : stripes.rows) {
        Heat heat;
        heat.box = {0, y + stripes.above, frame.width, height - stripes.above - stripes.below};
        heat.values = std::make_shared<const Matrix<float>>(row);
        heat.palette = frame.theme->stripes;
        heat.high = std::max(row.cwiseAbs().maxCoeff(), 1e-12f);
        heat.low = -heat.high;
        figure.items.emplace_back(std::move(heat));
        y += height;
    }
    return figure;
}

void draw_ordinal(Sheet& sheet, Point centre, int number) {
    constexpr float kRadius = 8;
    const Theme& theme = sheet.theme();
    sheet.fill({centre.x - kRadius, centre.y - kRadius, 2 * kRadius, 2 * kRadius}, theme.accent,
               kRadius);
    sheet.text(std::to_string(number), centre, {10.5f, Font::sans, Weight::bold}, theme.on_accent,
               AlignX::centre, AlignY::middle);
}

} // namespace heed::figure
