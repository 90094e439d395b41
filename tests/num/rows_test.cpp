#include "catch.hpp"
#include "num/random.hpp"
#include "num/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace heed::num;

namespace {

std::vector<float> drawn_row(std::size_t n, const char* name, float shift) {
    const Rng draws(2, name);
    std::vector<float> row(n);
    for (std::size_t i = 0; i < n; ++i) row[i] = draws.symmetric(i, 3) + shift;
    return row;
}

} // namespace

TEST_CASE("a normalised row has the mean, the variance and the numbers of the definition") {
    for (const std::size_t n : {1, 2, 7, 16, 31, 64, 100, 512}) {
        const auto x = drawn_row(n, "x", 5), added = drawn_row(n, "added", 0),
                   gain = drawn_row(n, "gain", 1), shift = drawn_row(n, "shift", 0);
        for (const bool with_added : {false, true}) {
            std::vector<float> y(n);
            const float epsilon = 1e-5f;
            const auto moments = normalise_row(
                x, with_added ? std::span<const float>(added) : std::span<const float>(), gain,
                shift, epsilon, y);
            std::vector<double> sum(n);
            double mean = 0, variance = 0;
            for (std::size_t i = 0; i < n; ++i) {
                sum[i] = double(x[i]) + (with_added ? double(added[i]) : 0);
                mean += sum[i] / double(n);
            }
            for (const double s : sum) variance += (s - mean) * (s - mean) / double(n);
            const double rstd = 1 / std::sqrt(variance + double(epsilon));
            CHECK(moments.mean == Approx(mean).epsilon(1e-5));
            if (n > 1) CHECK(moments.rstd == Approx(rstd).epsilon(1e-5));
            for (std::size_t i = 0; i < n && n > 1; ++i) {
                const double expected = (sum[i] - mean) * rstd * double(gain[i]) + double(shift[i]);
                // The sum is rounded once, and what is left after the mean is stretched by rstd.
                CHECK(y[i] == Approx(expected).epsilon(1e-5).margin(1e-5 + 1e-6 * rstd));
            }
        }
    }
}

TEST_CASE("a row whose variance overflows becomes NaN, never its shift alone") {
    for (const std::size_t n : {2, 7, 16, 64, 100}) {
        std::vector<float> x(n), y(n);
        const std::vector<float> ones(n, 1), zeros(n, 0);
        for (std::size_t i = 0; i < n; ++i) x[i] = i % 2 ? 1e20f : -1e20f;
        for (const bool with_added : {false, true}) {
            normalise_row(x, with_added ? std::span<const float>(ones) : std::span<const float>(),
                          ones, zeros, 1e-5f, y);
            for (const float number : y) CHECK(std::isnan(number));
        }
    }
}

TEST_CASE("a sum of rows is rounded alike, wherever a number stands in its row") {
    const auto row = drawn_row(67, "row", 0), other = drawn_row(67, "other", 0);
    const float factor = 1 / 7e-6f;
    auto whole = row;
    add_row(whole, factor, other);
    for (std::size_t i = 0; i < row.size(); ++i) {
        float alone = row[i];
        add_row({&alone, 1}, factor, {&other[i], 1});
        CHECK(alone == whole[i]);
        const double exact = double(row[i]) + double(factor) * double(other[i]);
        CHECK(whole[i] == Approx(exact).epsilon(1e-6).margin(1e-6 * double(factor)));
    }
}

TEST_CASE("one NaN or infinity anywhere is found") {
    ThreadPool pool(2);
    for (const Index rows : {1, 3, 300}) {
        Matrix<float> m = Matrix<float>::Constant(rows, 130, 1e38f);
        CHECK(all_finite(pool, m));
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
              -std::numeric_limits<float>::infinity()}) {
            for (const Index at : {Index{0}, Index{17}, m.size() / 2, m.size() - 1}) {
                const float good = m.data()[at];
                m.data()[at] = bad;
                CHECK_FALSE(all_finite(pool, m));
                m.data()[at] = good;
            }
        }
    }
    CHECK(all_finite(pool, Matrix<float>(0, 5)));
}

TEST_CASE("tanh_row is within 1e-6 of the hyperbolic tangent in double") {
    std::vector<float> row;
    for (int i = -12000; i <= 12000; ++i) row.push_back(static_cast<float>(i) * 1e-3f);
    for (const float tiny : {0.0f, 1e-3f, -1e-6f, 1e-20f, 1e-38f}) row.push_back(tiny);
    const auto before = row;
    tanh_row(row);
    double worst = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (before[i] == 0) CHECK(row[i] == 0);
        if (before[i] == 0) continue;
        worst = std::max(worst, std::abs(row[i] / std::tanh(static_cast<double>(before[i])) - 1));
    }
    CHECK(worst < 1e-6);
    std::vector<float> odd = {std::numeric_limits<float>::quiet_NaN(),
                              std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity(), 100};
    tanh_row(odd);
    CHECK(std::isnan(odd[0]));
    CHECK(odd[1] == Approx(1));
    CHECK(odd[2] == Approx(-1));
    CHECK(odd[3] == Approx(1));
}

TEST_CASE("sigmoid is within 1e-6 of itself in double, small values too, and keeps NaN") {
    std::vector<float> row;
    for (float x = -86; x <= 86; x += 0.037f) row.push_back(x);
    auto y = row;
    sigmoid_row(y);
    for (std::size_t i = 0; i < row.size(); ++i) {
        INFO("x = " << row[i]);
        CHECK(y[i] == Approx(1 / (1 + std::exp(-double(row[i])))).epsilon(1e-6));
    }
    const float infinity = std::numeric_limits<float>::infinity();
    for (const std::size_t n : {1, 3, 16, 19}) {
        std::vector<float> ends(n, 0);
        sigmoid_row(ends);
        for (const float half : ends) CHECK(half == 0.5f);
        for (const auto& [x, expected] : {std::pair(infinity, 1.f), std::pair(-infinity, 0.f)}) {
            std::fill(ends.begin(), ends.end(), x);
            sigmoid_row(ends);
            for (const float end : ends) CHECK(end == expected);
        }
        std::fill(ends.begin(), ends.end(), std::nanf(""));
        sigmoid_row(ends);
        for (const float end : ends) CHECK(std::isnan(end));
        std::fill(ends.begin(), ends.end(), std::nanf(""));
        tanh_row(ends);
        for (const float end : ends) CHECK(std::isnan(end));
    }
}

TEST_CASE("an additive score has the numbers of its sum in double, at every length") {
    for (const std::size_t n : {0, 1, 5, 16, 17, 31, 32, 47, 64, 100, 256}) {
        const auto a = drawn_row(n, "a", 0), b = drawn_row(n, "b", 0), v = drawn_row(n, "v", 0);
        double expected = 0, size = 0;
        for (std::size_t i = 0; i < n; ++i) {
            expected += double(v[i]) * std::tanh(double(a[i] + b[i]));
            size += std::abs(double(v[i]));
        }
        INFO("n = " << n);
        CHECK(double(tanh_dot(a, b, v)) == Approx(expected).margin(1e-6 * size));
        if (n == 0) continue;
        auto bad = a;
        bad[n - 1] = std::nanf("");
        CHECK(std::isnan(tanh_dot(bad, b, v)));
    }
}

TEST_CASE("activations have the numbers of their formulas in double, at every length") {
    const auto expected = [](Curve curve, double x) {
        switch (curve) {
        case Curve::gelu: return x * std::erfc(-x / std::sqrt(2.0)) / 2;
        case Curve::gelu_tanh:
            return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        case Curve::silu: return x / (1 + std::exp(-x));
        case Curve::quick_gelu: return x / (1 + std::exp(-1.702 * x));
        }
        return x;
    };
    std::vector<float> x;
    for (int i = -1200; i <= 1200; ++i) x.push_back(0.01f * static_cast<float>(i));
    for (const Curve curve : {Curve::gelu, Curve::gelu_tanh, Curve::silu, Curve::quick_gelu}) {
        for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{33}, x.size()}) {
            const std::vector<float> some(x.end() - static_cast<std::ptrdiff_t>(n), x.end());
            std::vector<float> y(n), gated(n), gate(n);
            for (std::size_t i = 0; i < n; ++i) gate[i] = 0.5f - static_cast<float>(i % 3);
            curve_row(curve, some, {}, y);
            curve_row(curve, some, gate, gated);
            double worst = 0;
            for (std::size_t i = 0; i < n; ++i) {
                const double difference = std::abs(double(y[i]) - expected(curve, some[i]));
                worst = std::max(worst, difference / std::max(0.05, std::abs(double(some[i]))));
                CHECK(gated[i] == y[i] * gate[i]);
            }
            CHECK(worst < 2e-7);
        }
        std::vector<float> bad(19, std::nanf(""));
        curve_row(curve, bad, {}, bad);
        for (const float value : bad) CHECK(std::isnan(value));
    }
}
