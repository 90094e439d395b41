#include "figure/parts/stripe.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace heed::figure {

Index features_with_room(Index features, float points) {
    const auto room = static_cast<Index>(std::max(points, 1.f));
    const Index step = (features + room - 1) / room;
    return step > 1 ? (features + step - 1) / step : features;
}

num::RowVector<float> drawn_features(const num::RowVector<float>& values, float points) {
    num::RowVector<float> drawn(features_with_room(values.size(), points));
    for (Index i = 0; i < drawn.size(); ++i) {
        drawn[i] = values[drawn_feature(i, drawn.size(), values.size())];
    }
    return drawn;
}

std::string ordinal_of(Index number) {
    constexpr const char* kNames[] = {"second",  "third",  "fourth", "fifth", "sixth",
                                      "seventh", "eighth", "ninth",  "tenth"};
    if (number >= 2 && number <= 10) return kNames[number - 2];
    const Index ones = number % 100 / 10 == 1 ? 0 : number % 10;
    return std::to_string(number) + (ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}

std::string names_left_out(std::set<int> steps) {
    steps.erase(1);
    if (steps.empty()) return {};
    const std::string last = ordinal_of(*steps.rbegin());
    const char* between = steps.size() > 2 ? " to " : " or ";
    const std::string first = steps.size() > 1 ? ordinal_of(*steps.begin()) + between : "";
    return "where names are many, every " + first + last + " is drawn";
}

void LeftOutFeatures::add(Index drawn, Index features) {
    if (drawn > 0) steps_.insert((features + drawn - 1) / drawn);
}

std::string LeftOutFeatures::words() const {
    if (steps_.empty() || *steps_.rbegin() == 1) return {};
    if (steps_.size() > 1) return "not all features drawn";
    return "every " + ordinal_of(*steps_.begin()) + " feature drawn";
}

LeftOutFeatures left_out_of(const Figure& figure) {
    LeftOutFeatures left_out;
    for (const Target& target : figure.targets) {
        if (const auto* stripe = target.as<tag::Stripe>())
            left_out.add(stripe->drawn, stripe->features);
    }
    return left_out;
}

void draw_stripe(Sheet& sheet, const Box& box, const num::RowVector<float>& values,
                 const StripeColours& colours, int of, int which) {
    if (values.size() == 0 || box.w <= 0 || box.h <= 0) return;
    const Theme& theme = sheet.theme();
    auto drawn = std::make_shared<Matrix<float>>(drawn_features(values, box.w));
    const auto features = static_cast<int>(values.size()), shown = static_cast<int>(drawn->size());
    if (colours.of_gate) {
        sheet.heat(box, std::move(drawn), theme.weights, 0, 1);
    } else {
        sheet.heat(box, std::move(drawn), theme.stripes, -colours.size, colours.size);
    }
    sheet.target(box, tag::Stripe{of, features, which, shown});
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
