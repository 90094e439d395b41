#include "figure/value_range.hpp"

#include "figure/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::figure {

namespace {

struct Ends {
    float low = 0, high = 0;
    bool any = false;
};

Ends finite_ends(const float* values, Index count) {
    Ends ends;
    for (Index i = 0; i < count; ++i) {
        const float v = values[i];
        if (!std::isfinite(v)) continue;
        ends.low = ends.any ? std::min(ends.low, v) : v;
        ends.high = ends.any ? std::max(ends.high, v) : v;
        ends.any = true;
    }
    return ends;
}

float size_of(const Ends& ends) { return std::max(std::abs(ends.low), std::abs(ends.high)); }

std::shared_ptr<const Matrix<float>> by_row(const Matrix<float>& values) {
    auto scaled = std::make_shared<Matrix<float>>(values);
    for (Index row = 0; row < scaled->rows(); ++row) {
        const float size = size_of(finite_ends(values.data() + row * values.cols(), values.cols()));
        if (size > 0) scaled->row(row) /= size;
    }
    return scaled;
}

} // namespace

float largest_size(const Matrix<float>& values) {
    return size_of(finite_ends(values.data(), values.size()));
}

Matrix<float> strongest_of_blocks(const Matrix<float>& values, Index tall, Index wide) {
    const Index rows = (values.rows() + tall - 1) / tall, cols = (values.cols() + wide - 1) / wide;
    const float nothing = std::numeric_limits<float>::quiet_NaN();
    Matrix<float> result = Matrix<float>::Constant(rows, cols, nothing);
    for (Index row = 0; row < values.rows(); ++row) {
        const float* from = values.data() + row * values.cols();
        float* to = result.data() + row / tall * cols;
        for (Index col = 0, within = 0; col < values.cols(); ++col) {
            if (std::isfinite(from[col]) && !(std::abs(from[col]) <= std::abs(*to)))
                *to = from[col];
            if (++within == wide) {
                within = 0;
                ++to;
            }
        }
    }
    return result;
}

ValueRange signed_range(std::shared_ptr<const Matrix<float>> values, PaletteId palette) {
    float a = values ? largest_size(*values) : 0;
    if (!(a > 0)) a = 1;
    const std::string text = scale_text(a);
    return {std::move(values), palette, -a, a, "−" + text, "0", text, "whole map"};
}

ValueRange value_range(const MapData& map, RangeMode mode, std::optional<PaletteId> palette,
                       const Theme& theme) {
    const PaletteId colours = palette.value_or(map.signed_values ? theme.stripes : theme.weights);
    if (mode == RangeMode::row && map.values) {
        ValueRange range{by_row(*map.values), colours, 0, 1, "0", "", "max", "each row"};
        if (map.signed_values) {
            range.low = -1;
            range.low_text = "−max";
            range.middle_text = "0";
        }
        return range;
    }
    if (map.signed_values) return signed_range(map.values, colours);
    if (map.weights && mode == RangeMode::fixed) {
        return {map.values, colours, 0, 1, "0.0", "0.5", "1.0", "0 to 1"};
    }
    Ends ends = map.values ? finite_ends(map.values->data(), map.values->size()) : Ends{};
    if (map.weights) ends.low = 0;
    if (!(ends.high > ends.low)) ends.high = ends.low + 1;
    return {map.values,
            colours,
            ends.low,
            ends.high,
            scale_text(ends.low),
            scale_text((ends.low + ends.high) / 2),
            scale_text(ends.high),
            "whole map"};
}

} // namespace heed::figure
