#include "figure/base/number_text.hpp"

#include "base/check.hpp"
#include "catch.hpp"
#include "figure/base/round_ticks.hpp"
#include "figure/parts/series_chart.hpp"
#include "texts.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

using namespace heed::figure;
using namespace samples;

namespace {

std::string tick_words(const std::vector<ValueTick>& ticks) {
    std::string words;
    for (const ValueTick& tick : ticks) words += (words.empty() ? "" : " ") + tick.text;
    return words;
}

/// The numbers to the left of a chart, from the lowest up.
std::vector<std::string> rules_of(const SeriesChart& chart, float height) {
    const Frame frame = plain_frame(500, height);
    Sheet sheet(frame, 500, height);
    draw_series(sheet, chart, {0, 0, 500, height});
    std::vector<std::string> words;
    for (const Text& text : texts_of(sheet.figure)) {
        if (text.align_x == AlignX::right && text.align_y == AlignY::middle) {
            words.push_back(text.text);
        }
    }
    return words;
}

} // namespace

TEST_CASE("what rounding made 1 beside other weights is never said to be 1") {
    const std::vector<float> rounded{3.5e-19f, 1, 2e-12f}, alone{0, 1, 0}, edited{0.5f, 1, 0.2f};
    CHECK(row_weight_text(1, rounded) == "> 0.999");
    CHECK(row_weight_text(1, rounded, 2) == "> 0.99");
    CHECK(row_weight_text(1, alone) == "1.000"); // no other has any
    CHECK(row_weight_text(1, edited) == "1.000");
    CHECK(row_weight_text(0.25f, rounded) == "0.250");
    CHECK(weight_digits(told_weight(1, rounded)) == "> 0.999999");
    CHECK(weight_digits(0.9999997f, 4) == "> 0.9999");
    CHECK(weight_digits(0.9873f, 4) == "0.9873");
    CHECK(weight_digits(1) == "1");
    CHECK(weight_digits(3.5e-19f) == "3.5·10⁻¹⁹");
}

TEST_CASE("a weight that is less than all never reads 1, and one that is not nothing never 0") {
    CHECK(weight_text(0.597f) == "0.597");
    CHECK(weight_text(0.99996f) == "> 0.999");
    CHECK(weight_text(0.9994f) == "0.999");
    CHECK(weight_text(1) == "1.000");
    CHECK(weight_text(0) == "0.000");
    CHECK(weight_text(0.0004f) == "< 0.001");
    CHECK(weight_text(0.0006f) == "0.001");
    CHECK(weight_text(0.004f, 2) == "< 0.01");
    CHECK(weight_text(0.996f, 2) == "> 0.99");
    CHECK(weight_text(std::numeric_limits<float>::quiet_NaN()).empty());
}

TEST_CASE(
    "a log-probability near 0 has the digits that show it, and no sign of nothing or of a bound") {
    CHECK(log_probability_text(-2.874f) == "−2.87");
    CHECK(log_probability_text(-0.0048f) == "−0.005");
    CHECK(log_probability_text(-0.0006f) == "−0.001");
    CHECK(log_probability_text(-0.0004f) == "−0.0004"); // by digits, and never "−0.00"
    CHECK(log_probability_text(-0.00001f) == "0.00");
    CHECK(log_probability_text(-0.006f) == "−0.01");
    CHECK(log_probability_text(0) == "0.00");
}

TEST_CASE("numbers are written without a sign of nothing") {
    CHECK(number_text(0.444f, 2) == "0.44");
    CHECK(number_text(-0.001f, 2) == "0.00");
    CHECK(number_text(-1.5f, 1) == "−1.5");
    CHECK(number_text(std::numeric_limits<float>::infinity(), 2).empty());
    CHECK(number_text(2.5e9f, 2) == "2e+09"); // halves to even, as printf does
    CHECK(shortest_text(0.125f, 4) == "0.125");
    CHECK(shortest_text(2, 4) == "2");
    CHECK(shortest_text(100, 4) == "100");
    CHECK(shortest_text(100, 0) == "100");
    CHECK(shortest_text(-0.00001f, 4) == "0");
}

TEST_CASE("digits that count are written with a true minus, and no others") {
    CHECK(significant_text(-0.25, 4) == "−0.25");
    CHECK(significant_text(63.7123, 4) == "63.71");
    CHECK(significant_text(0, 4) == "0");
    CHECK(significant_text(123456, 4) == "123456");
    CHECK(significant_text(-1.5e-6, 3) == "−1.5·10⁻⁶");
    CHECK(significant_text(std::numeric_limits<double>::quiet_NaN(), 3).empty());
    // Just below a power of ten, and far below the least float.
    CHECK(significant_text(99.6, 2) == "100");
    CHECK(significant_text(999.6, 3) == "1000");
    CHECK(significant_text(-9999.7, 4) == "−10000");
    CHECK(significant_text(99.4, 2) == "99");
    CHECK(significant_text(1e-50, 3) == "10⁻⁵⁰");
    CHECK(significant_text(-2.5e-300, 3) == "−2.5·10⁻³⁰⁰");
    CHECK(significant_text(4e-320, 3) == "4·10⁻³²⁰");
}

TEST_CASE("ends of a scale have no zeros that say nothing") {
    CHECK(scale_text(1) == "1");
    CHECK(scale_text(0) == "0");
    CHECK(scale_text(0.5f) == "0.5");
    CHECK(scale_text(0.25f) == "0.25");
    CHECK(scale_text(48.125f) == "48.1");
    CHECK(scale_text(-2.5f) == "−2.5");
    CHECK(scale_text(2e-7f) == "2·10⁻⁷");
}

TEST_CASE("an end of a scale has the digits of the numbers beside it") {
    CHECK(scale_text(71.047f) == "71.0");
    CHECK(scale_text(10.98f) == "11.0");
    CHECK(scale_text(0.00401f) == "0.0040");
    CHECK(scale_text(-6.1004f) == "−6.10");
    CHECK(scale_text(71) == "71");
    using Three = std::array<std::string, 3>;
    CHECK(scale_texts(-71.047f, 71.047f) == Three{"−71.0", "0", "71.0"});
    CHECK(scale_texts(0, 6.0996f) == Three{"0", "3.05", "6.10"});
}

TEST_CASE("the numbers of one scale share the decimals that one of them needs") {
    using Three = std::array<std::string, 3>;
    CHECK(scale_texts(0, 1) == Three{"0", "0.5", "1.0"});
    CHECK(scale_texts(0, 2) == Three{"0", "1", "2"});
    CHECK(scale_texts(0, 0.5f) == Three{"0", "0.25", "0.50"});
    CHECK(scale_texts(-2.5f, 2.5f) == Three{"−2.5", "0", "2.5"});
    CHECK(scale_texts(-1.2f, 3.456f) == Three{"−1.20", "1.13", "3.46"});
    CHECK(scale_texts(0, 4e-7f) == Three{"0", "2·10⁻⁷", "4·10⁻⁷"});
    // Of a narrow span, so many that the three differ.
    CHECK(scale_texts(5.001f, 5.003f) == Three{"5.001", "5.002", "5.003"});
    CHECK(scale_texts(1000.1f, 1000.4f) == Three{"1000.1", "1000.2", "1000.4"});
    CHECK(scale_texts(100.5f, 102.5f) == Three{"100.5", "101.5", "102.5"}); // halves to even
    CHECK(scale_texts(2e6f, 2.04e6f) == Three{"2·10⁶", "2.02·10⁶", "2.04·10⁶"});
    CHECK(scale_texts(5, 5) == Three{"5", "5", "5"});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(scale_texts(nan, nan) == Three{"", "", ""});
    CHECK(scale_texts(1, infinity) == Three{"1", "", ""});
}

TEST_CASE("an axis ends near its largest value, however few ticks it has") {
    ValueAxis axis = value_axis(0, 0.23f, 2); // from 0 to 0.5, more than half would be empty
    CHECK(tick_words(axis.ticks) == "0 0.2");
    CHECK(axis.low == 0);
    CHECK(axis.high == Approx(0.2415f));
    CHECK(tick_words(value_axis(0, 3.17f, 2).ticks) == "0 2");
    CHECK(tick_words(value_axis(-0.21f, 0.21f, 3).ticks) == "−0.2 0 0.2");
    axis = value_axis(0, 0.31f, 3); // 0.4 is near
    CHECK(tick_words(axis.ticks) == "0 0.2 0.4");
    CHECK(axis.high == 0.4f);
    axis = value_axis(0, 0.31f, 3, 0.05f);
    CHECK(tick_words(axis.ticks) == "0 0.2");
    CHECK(axis.high == Approx(0.3255f));
    for (float high = 1; high < 10; high += 0.05f) {
        for (const int most : {2, 3, 4, 5, 6}) {
            CAPTURE(high, most);
            axis = value_axis(0, high, most);
            CHECK(axis.low == 0);
            CHECK(axis.high >= high * (1 - 1e-5f));
            CHECK(axis.high <= 1.34f * high);
            CHECK(axis.ticks.size() >= 2);
            CHECK(std::ssize(axis.ticks) <= most);
            CHECK(axis.ticks.back().value <= axis.high);
        }
    }
}

TEST_CASE("values along an axis are round, and reach over all of what is drawn") {
    CHECK(tick_words(round_ticks(0, 0.41f)) == "0 0.2 0.4 0.6");
    CHECK(tick_words(round_ticks(0, 1)) == "0 0.5 1.0");
    CHECK(tick_words(round_ticks(0, 1, 6)) == "0 0.2 0.4 0.6 0.8 1.0");
    CHECK(tick_words(round_ticks(-1, 1)) == "−1.0 −0.5 0 0.5 1.0");
    CHECK(tick_words(round_ticks(-1, 1, 2)) == "−1 0 1");
    CHECK(tick_words(round_ticks(2.64f, 6)) == "2 3 4 5 6");
    CHECK(tick_words(round_ticks(0, 95)) == "0 50 100");
    CHECK(tick_words(round_ticks(0, 2.1e6f)) == "0 10⁶ 2·10⁶ 3·10⁶");
    CHECK(tick_words(round_ticks(0, 2.5e5f, 6)) == "0 5·10⁴ 10⁵ 1.5·10⁵ 2·10⁵ 2.5·10⁵");
    CHECK(tick_words(round_ticks(3, 3, 2)) == "3 4");
    CHECK(tick_words(power_ticks(-1.92f, 1.04f)) == "0.01 0.1 1 10");
    CHECK(tick_words(power_ticks(4.8f, 8.1f)) == "10⁴ 10⁵ 10⁶ 10⁷ 10⁸");
    CHECK(tick_words(power_ticks(2, 5)) == "10² 10³ 10⁴ 10⁵"); // all in one form
    CHECK(tick_words(log_ticks(1000, 1e5f, 5)) == "10³ 10⁴ 10⁵");
    for (const float high : {1e-7f, 0.003f, 0.99f, 1.01f, 7.f, 1234.f, 9.9e8f}) {
        for (const float low : {0.f, -high / 3, high / 2, 0.98f * high}) {
            for (const int most : {2, 3, 5, 6}) {
                CAPTURE(low, high, most);
                const auto ticks = round_ticks(low, high, most);
                CHECK(ticks.size() >= 2);
                CHECK(static_cast<int>(ticks.size()) <= std::max(most, low < 0 ? 3 : 2));
                CHECK(ticks.front().value <= low + 1e-3f * high);
                CHECK(ticks.back().value >= high - 1e-3f * high);
                const double step = ticks[1].value - static_cast<double>(ticks[0].value);
                const double digit = step / std::pow(10.0, std::floor(std::log10(step) + 1e-3));
                CHECK((digit == Approx(1).epsilon(1e-3) || digit == Approx(2).epsilon(1e-3) ||
                       digit == Approx(5).epsilon(1e-3)));
            }
        }
    }
}

TEST_CASE("values along an axis are numbers for all floats, and are told apart") {
    constexpr float kLargest = std::numeric_limits<float>::max();
    constexpr float kLeast = std::numeric_limits<float>::denorm_min();
    using Ends = std::pair<float, float>;
    for (const auto& [low, high] :
         {Ends{16777216, 16777216}, Ends{-16777216, -16777216}, Ends{3e9f, 3e9f},
          Ends{1e30f, 1e30f}, Ends{0, kLeast}, Ends{-kLargest, kLargest}, Ends{0, kLargest},
          Ends{kLargest, kLargest}, Ends{1e6f, 1.01e6f}}) {
        CAPTURE(low, high);
        const auto ticks = round_ticks(low, high);
        REQUIRE(ticks.size() >= 2);
        CHECK(ticks.size() <= 5);
        for (const ValueTick& tick : ticks) {
            CHECK(std::isfinite(tick.value));
            CHECK_FALSE(tick.text.empty());
        }
        CHECK(ticks.front().value <= low);
        CHECK(ticks.back().value >= high);
        if (low < kLargest && high != kLeast) { // beyond these lies no float
            for (std::size_t i = 1; i < ticks.size(); ++i) {
                CHECK(ticks[i].value > ticks[i - 1].value);
                CHECK(ticks[i].text != ticks[i - 1].text);
            }
        }
    }
    CHECK(tick_words(round_ticks(2e6f, 2e6f, 3)) == "2·10⁶ 2.001·10⁶ 2.002·10⁶");
    SeriesChart chart;
    chart.xs = {1, 2};
    chart.series = {{"loss", {3e9f, 3e9f}}};
    CHECK(rules_of(chart, 200).size() >= 2);
}

TEST_CASE("a logarithmic axis has ticks at 1, 2 and 5, or at powers of ten alone") {
    CHECK(tick_words(log_ticks(0.05f, 10, 8)) == "0.05 0.1 0.2 0.5 1 2 5 10");
    CHECK(tick_words(log_ticks(1.f / 64, 64, 5)) == "0.1 1 10");
    CHECK(tick_words(log_ticks(1e-6f, 1e6f, 4)) == "10⁻⁴ 10⁰ 10⁴");
    // Its ends, where no such number lies between.
    CHECK(tick_words(log_ticks(3, 4)) == "3 4");
    CHECK(tick_words(log_ticks(2e4f, 9e4f, 1)) == "2·10⁴ 9·10⁴");
    CHECK(tick_words(log_ticks(3, 3)) == "3");
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    for (const auto& [low, high] : {std::pair<float, float>{0.f, 1.f},
                                    {-1.f, 1.f},
                                    {1.f, kInfinity},
                                    {kNan, 1.f},
                                    {1.f, kNan}}) {
        CHECK_THROWS_AS(log_ticks(low, high), heed::base::ContractError);
    }
}

TEST_CASE("values in a chart's legend are in one form") {
    const auto legend = [](float a, float b, bool powers = false) {
        SeriesChart chart;
        chart.xs = {1, 2};
        const auto of = [&](float v) { return powers ? std::log10(v) : v; };
        chart.series = {{"a", {of(a), of(a)}}, {"b", {of(b), of(b)}}};
        chart.powers_of_ten = powers;
        chart.marker = 1;
        const Frame frame = plain_frame(400, 300);
        Sheet sheet(frame, 400, 300);
        draw_series(sheet, chart, {20, 20, 360, 260});
        std::string words;
        for (const Primitive& item : sheet.figure.items) {
            const Text* text = std::get_if<Text>(&item);
            if (text && (text->text[0] == 'a' || text->text[0] == 'b')) words += text->text + "|";
        }
        return words;
    };
    CHECK(legend(0.6f, 0.834f) == "a  0.60|b  0.83|");
    CHECK(legend(1, 31) == "a  1|b  31|");
    CHECK(legend(2.5f, 31) == "a  2.5|b  31.0|");
    CHECK(legend(0.998f, -0.998f) == "a  > 0.99|b  < −0.99|");
    CHECK(legend(1, -0.5f) == "a  1.00|b  −0.50|");
    CHECK(legend(0.5f, 0.023f) == "a  0.500|b  0.023|");
    CHECK(legend(0.5f, 0.0012f) == "a  0.5|b  0.0012|"); // none loses its digits
    CHECK(legend(2e6f, 3e5f, true) == "a  2.0·10⁶|b  3.0·10⁵|");
}

TEST_CASE("a chart ends at round numbers beyond its curves") {
    SeriesChart chart;
    chart.xs = {1, 2, 3};
    chart.series = {{"loss", {1.58f, 0.9f, 0.31f}}};
    chart.low = 0;
    using Words = std::vector<std::string>;
    CHECK(rules_of(chart, 200) == Words{"0", "0.5", "1.0", "1.5", "2.0"});
    CHECK(rules_of(chart, 100) == Words{"0", "2"});
    chart.low.reset();
    chart.series = {{"offset", {2.64f, 6, 4.32f}}};
    CHECK(rules_of(chart, 200) == Words{"2", "3", "4", "5", "6"});
}

TEST_CASE("a share is a percentage that is 0 of nothing alone and 100 of all alone") {
    CHECK(percent_text(0) == "0 %");
    CHECK(percent_text(1) == "100 %");
    CHECK(percent_text(1 + 1e-7) == "100 %"); // a sum of shares
    CHECK(percent_text(1.004) == "100.4 %");  // a change may be larger than what it was of
    CHECK(percent_text(1.3) == "130.0 %");
    CHECK(percent_text(12.34) == "1234 %");
    CHECK(percent_text(9.9996) == "1000 %");
    CHECK(percent_text(-1) == "−100 %");
    CHECK(percent_text(-0.9999) == "< −99.9 %");
    CHECK(percent_text(-0.00005) == "> −0.01 %");
    CHECK(percent_text(-0.152) == "−15.2 %");
    CHECK(percent_text(1e-9) == "< 0.01 %");
    CHECK(percent_text(0.9999) == "> 99.9 %");
    CHECK(percent_text(0.999) == "99.9 %");
    CHECK(percent_text(0.152) == "15.2 %");
    CHECK(percent_text(0.5) == "50.0 %");
    CHECK(percent_text(0.0149) == "1.5 %");
    CHECK(percent_text(0.00999) == "1.0 %"); // no "1.00 %" beside it
    CHECK(percent_text(0.0012) == "0.12 %");
    CHECK(percent_text(std::numeric_limits<double>::quiet_NaN()).empty());
}

TEST_CASE("digits are raised behind any 10 of a text") {
    CHECK(has_raised_digits("10⁻³"));
    CHECK(has_raised_digits("1024 tokens, 10⁵ bytes"));
    CHECK_FALSE(has_raised_digits("10 or 100"));
    CHECK_FALSE(has_raised_digits("x²"));
}
