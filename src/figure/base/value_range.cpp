#include "figure/base/value_range.hpp"

#include "figure/base/number_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace heed::figure {

namespace {

// The scans below run over whole maps, millions of numbers for long texts. They work on the bits
// of the numbers, because compilers turn minima of integers into vector code, and of floats only
// when they may forget NaN.
constexpr std::uint32_t kSize = 0x7fffffffu, kInfinity = 0x7f800000u;

/// Orders as the finite numbers do. Its own inverse.
std::int32_t ordered(std::int32_t bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }

} // namespace

Ends finite_ends(const float* values, Index count) {
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    std::int32_t low = most, high = -most;
    for (Index i = 0; i < count; ++i) {
        const auto bits = std::bit_cast<std::int32_t>(values[i]);
        const bool finite = (bits & 0x7fffffff) < 0x7f800000;
        const std::int32_t place = ordered(bits);
        low = std::min(low, finite ? place : most);
        high = std::max(high, finite ? place : -most);
    }
    if (low > high) return {};
    return {std::bit_cast<float>(ordered(low)), std::bit_cast<float>(ordered(high))};
}

namespace {

/// Orders by size, with the sign in the last bit; 0 for what is not finite.
std::uint32_t by_size(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & kSize) < kInfinity ? ((bits << 1) | (bits >> 31)) + 1 : 0;
}
float from_size(std::uint32_t key) {
    if (key == 0) return std::numeric_limits<float>::quiet_NaN();
    return std::bit_cast<float>(((key - 1) >> 1) | ((key - 1) << 31));
}

float largest_of(const Ends& ends) { return std::max(std::abs(ends.low), std::abs(ends.high)); }

} // namespace

std::vector<float> largest_of_rows(const Matrix<float>& values) {
    // Several at once: of a single running maximum the compiler makes no vectors.
    constexpr Index kLanes = 16;
    std::vector<float> largest(static_cast<std::size_t>(values.rows()));
    for (Index row = 0; row < values.rows(); ++row) {
        std::array<float, kLanes> lanes{};
        for (Index begin = 0; begin < values.cols(); begin += kLanes) {
            const float* at = values.data() + row * values.cols() + begin;
            const Index count = std::min(kLanes, values.cols() - begin);
            for (Index i = 0; i < count; ++i) {
                const float value = at[i];
                const float finite = value < std::numeric_limits<float>::infinity() ? value : 0;
                float& lane = lanes[static_cast<std::size_t>(i)];
                lane = finite > lane ? finite : lane;
            }
        }
        largest[static_cast<std::size_t>(row)] = *std::max_element(lanes.begin(), lanes.end());
    }
    return largest;
}

std::shared_ptr<const Matrix<float>> by_row(const Matrix<float>& values) {
    auto scaled = std::make_shared<Matrix<float>>(values);
    for (Index row = 0; row < scaled->rows(); ++row) {
        const float size =
            largest_of(finite_ends(values.data() + row * values.cols(), values.cols()));
        if (size > 0) scaled->row(row) /= size;
    }
    return scaled;
}

float largest_size(const Matrix<float>& values) {
    return largest_of(finite_ends(values.data(), values.size()));
}

float largest_size(const MapData& map) {
    if (map.prepared) return largest_of({map.prepared->low, map.prepared->high});
    return map.values ? largest_size(*map.values) : 0;
}

Matrix<float> strongest_of_blocks(const Matrix<float>& values, Index tall, Index wide) {
    const Index rows = (values.rows() + tall - 1) / tall, cols = (values.cols() + wide - 1) / wide;
    Matrix<float> result(rows, cols);
    std::vector<std::uint32_t> strongest(static_cast<std::size_t>(values.cols()));
    for (Index row = 0; row < rows; ++row) {
        std::fill(strongest.begin(), strongest.end(), 0u);
        const Index end = std::min((row + 1) * tall, values.rows());
        for (Index from = row * tall; from < end; ++from) {
            const float* numbers = values.data() + from * values.cols();
            for (std::size_t col = 0; col < strongest.size(); ++col) {
                strongest[col] = std::max(strongest[col], by_size(numbers[col]));
            }
        }
        for (Index col = 0; col < cols; ++col) {
            const auto first = strongest.begin() + col * wide;
            const auto last = strongest.begin() + std::min((col + 1) * wide, values.cols());
            result(row, col) = from_size(*std::max_element(first, last));
        }
    }
    return result;
}

ValueRange range_between(std::shared_ptr<const Matrix<float>> values, PaletteId palette, Ends ends,
                         std::string meaning) {
    auto [low, middle, high] = scale_texts(ends.low, ends.high);
    return {std::move(values), palette,           ends.low,        ends.high,
            std::move(low),    std::move(middle), std::move(high), std::move(meaning)};
}

namespace {

/// −size … size.
ValueRange centred(std::shared_ptr<const Matrix<float>> values, float a, PaletteId palette) {
    if (!(a > 0)) a = 1;
    return range_between(std::move(values), palette, {-a, a}, "0-centred");
}

ValueRange range_of_rows(const MapData& map, PaletteId colours) {
    ValueRange range{nullptr, colours, 0, 1, "0", "", "max", "each row"};
    range.values = map.prepared ? map.prepared->by_row : by_row(*map.values);
    if (map.prepared) range.levels = map.prepared->by_row_levels;
    if (map.prepared && map.prepared->logarithms) range.decades = map.prepared->logarithms->row;
    if (map.signed_values) {
        range.low = -1;
        range.low_text = "−max";
        range.middle_text = "0";
    }
    return range;
}

} // namespace

ValueRange signed_range(std::shared_ptr<const Matrix<float>> values, PaletteId palette) {
    const float a = values ? largest_size(*values) : 0;
    return centred(std::move(values), a, palette);
}

namespace {

ValueRange linear_range(const MapData& map, RangeMode mode, std::optional<PaletteId> palette,
                        const Theme& theme, const std::optional<Ends>& span_too) {
    const PaletteId colours = palette.value_or(map.signed_values ? theme.stripes : theme.weights);
    if (mode == RangeMode::row && map.values) return range_of_rows(map, colours);
    const Logarithms* logarithms =
        map.prepared && map.weights ? map.prepared->logarithms.get() : nullptr;
    const auto with_levels = [&](ValueRange range) {
        if (map.prepared) range.levels = map.prepared->levels;
        return range;
    };
    if (map.signed_values) {
        const float size = std::max(largest_size(map), span_too ? largest_of(*span_too) : 0);
        ValueRange range = with_levels(centred(map.values, size, colours));
        if (map.difference) range.meaning = "difference";
        return range;
    }
    if (map.weights && !map.sums && mode == RangeMode::fixed) {
        ValueRange range = with_levels(range_between(map.values, colours, {0, 1}, "weights"));
        range.whole_meaning = "attention weight"; // its ends say that they are 0 and 1
        if (logarithms) range.decades = logarithms->fixed;
        return range;
    }
    Ends ends;
    if (map.prepared) {
        ends = {map.prepared->low, map.prepared->high};
    } else if (map.values) {
        ends = finite_ends(map.values->data(), map.values->size());
    }
    if (span_too) {
        ends = {std::min(ends.low, span_too->low), std::max(ends.high, span_too->high)};
    }
    if (map.weights) ends.low = 0;
    if (!(ends.high > ends.low)) ends.high = ends.low + 1;
    const bool from_zero = scale_texts(ends.low, ends.high)[0] == "0"; // as the bar writes it
    ValueRange range = with_levels(range_between(map.values, colours, ends,
                                                 !from_zero                ? "min to max"
                                                 : map.weights && map.sums ? "sum"
                                                                           : "0 to max"));
    if (logarithms) range.decades = logarithms->map;
    return range;
}

} // namespace

ValueRange value_range(const MapData& map, RangeMode mode, std::optional<PaletteId> palette,
                       const Theme& theme, ColourScale scale, std::optional<Ends> span_too) {
    ValueRange range = linear_range(map, mode, palette, theme, span_too);
    if (scale == ColourScale::linear || !range.values) return range;
    // Logarithms of numbers on either side of 0 need the middle of the palette to be 0.
    if (range.low < 0 && range.low != -range.high) {
        return logarithmic(signed_range(range.values, palette.value_or(theme.stripes)));
    }
    return logarithmic(range);
}

} // namespace heed::figure
