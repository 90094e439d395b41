#include "catch.hpp"

#include "figure/base/levels.hpp"
#include "figure/base/value_range.hpp"
#include "texts.hpp"

#include <cmath>
#include <limits>

using namespace heed::figure;
using namespace samples;

namespace {

MapData map_with(std::vector<float> values, bool is_signed = false) {
    auto matrix = std::make_shared<Matrix<float>>(1, static_cast<Index>(values.size()));
    std::copy(values.begin(), values.end(), matrix->data());
    MapData map;
    map.values = matrix;
    map.signed_values = is_signed;
    map.weights = !is_signed;
    return map;
}

int entry(const ValueRange& range, Index col) {
    return table_index((*range.values)(0, col), range.low, range.high);
}

} // namespace

TEST_CASE("sums of weights end at their largest, where one head's end at 1") {
    MapData map = map_with({8, 4, 1, 0});
    map.sums = true;
    const ValueRange range = value_range(map, RangeMode::fixed, {}, light_theme());
    CHECK(range.low == 0);
    CHECK(range.high == 8);
    CHECK(range.high_text == "8");
    CHECK(range.meaning == "sum");
    CHECK(entry(range, 0) == 255);
    CHECK(entry(range, 1) < 200);
    // Beside a larger one both span the larger.
    const Ends larger{0, 16};
    const auto linear = ColourScale::linear;
    CHECK(value_range(map, RangeMode::fixed, {}, light_theme(), linear, larger).high == 16);
    map.sums = false;
    CHECK(value_range(map, RangeMode::fixed, {}, light_theme()).high == 1);
}

TEST_CASE("on a logarithmic scale equal ratios are equal steps of colour") {
    const MapData map = map_with({1, 0.1f, 0.01f, 0.001f, 0});
    const ValueRange range =
        value_range(map, RangeMode::fixed, {}, light_theme(), ColourScale::logarithmic);
    CHECK(entry(range, 0) == 255);
    CHECK(entry(range, 1) == 170);
    CHECK(entry(range, 2) == 85);
    CHECK(entry(range, 3) == 0);
    CHECK_FALSE(std::isfinite((*range.values)(0, 4))); // exactly 0: masked
    std::vector<std::string> words;
    for (const auto& [value, text] : range.ticks) words.push_back(text);
    CHECK(words == std::vector<std::string>{"1", "10⁻³", "0.01", "0.1"});
    CHECK(range.meaning == "weights, log");
}

TEST_CASE("a logarithmic scale has six decades at most, and at least a part of one") {
    const MapData deep = map_with({0.5f, 1e-30f});
    const ValueRange range =
        value_range(deep, RangeMode::fixed, {}, light_theme(), ColourScale::logarithmic);
    CHECK(range.high - range.low == 6);
    CHECK(entry(range, 1) == 0);
    for (const std::vector<float>& values :
         {std::vector<float>{1, 1}, {0.3f}, {0, 0}, {std::numeric_limits<float>::quiet_NaN()}}) {
        for (const RangeMode mode : {RangeMode::row, RangeMode::map, RangeMode::fixed}) {
            const ValueRange flat =
                value_range(map_with(values), mode, {}, light_theme(), ColourScale::logarithmic);
            CHECK(flat.high > flat.low);
            CHECK(std::isfinite(flat.high - flat.low));
        }
    }
}

TEST_CASE("signed values keep their sign on a logarithmic scale, and 0 the middle") {
    const MapData map = map_with({4, -4, 0.4f, -0.04f, 0, 1e-9f}, true);
    const ValueRange range =
        value_range(map, RangeMode::map, {}, light_theme(), ColourScale::logarithmic);
    CHECK(range.low == -range.high);
    CHECK(entry(range, 0) == 255);
    CHECK(entry(range, 1) == 0);
    CHECK(entry(range, 2) == 213); // two of three decades
    CHECK(entry(range, 3) == 85);
    CHECK(entry(range, 4) == 128);
    CHECK(entry(range, 5) == 128);
}

TEST_CASE("a logarithmic map shows its decades, its numbers and its peaks as they are") {
    MapData map = map_of(weights(6, 6), repeated(kEnglish, 6), repeated(kEnglish, 6));
    HeatmapOptions options;
    options.scale = ColourScale::logarithmic;
    for (const RangeMode mode : {RangeMode::row, RangeMode::map, RangeMode::fixed}) {
        options.range = mode;
        for (const auto& [width, height] :
             {std::pair<float, float>{700, 560}, {420, 300}, {300, 240}}) {
            check_texts(heatmap(map, options, frame_of(width, height)), &heed::figure::measure);
        }
    }
    CHECK(has_text(heatmap(map, options, frame_of(700, 560)), "weights, log"));
    CHECK(has_text(heatmap(map, options, frame_of(700, 560)), "0.1"));
}

TEST_CASE("coarser levels of a logarithmic map keep its peaks, and are made once") {
    auto large = std::make_shared<Matrix<float>>(Matrix<float>::Constant(600, 600, 1e-4f));
    (*large)(123, 77) = 0.9f;
    (*large)(500, 500) = 0;
    MapData map = map_of(large, {}, {});
    map.prepared = prepared(map.values);
    for (const RangeMode mode : {RangeMode::row, RangeMode::map, RangeMode::fixed}) {
        const ValueRange range =
            value_range(map, mode, {}, light_theme(), ColourScale::logarithmic);
        REQUIRE(range.levels);
        const float peak = range.values->maxCoeff();
        CHECK(std::abs(peak - (mode == RangeMode::row ? range.high : std::log10(0.9f) + 4)) <
              1e-5f);
        for (const auto& level : range.levels->coarser) CHECK(level->maxCoeff() == peak);
        const ValueRange again =
            value_range(map, mode, {}, light_theme(), ColourScale::logarithmic);
        CHECK(again.values == range.values);
        CHECK(again.levels == range.levels);
        // Made ready by somebody else, they are the same.
        MapData ready = map;
        ready.prepared = prepared(map.values, true);
        const ValueRange known =
            value_range(ready, mode, {}, light_theme(), ColourScale::logarithmic);
        const Logarithms& made = *ready.prepared->logarithms;
        CHECK(known.values == (mode == RangeMode::row   ? made.row
                               : mode == RangeMode::map ? made.map
                                                        : made.fixed)
                                  .values);
        CHECK((known.values->array() == range.values->array()).all());
        CHECK(known.levels->coarser.size() == range.levels->coarser.size());
        CHECK(known.ticks == range.ticks);
    }
}
