#include "catch.hpp"

#include "base/check.hpp"
#include "num/dot_histogram.hpp"
#include "num/softmax.hpp"
#include "num/softmax_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace heed;
using namespace heed::num;

namespace {

RowVector<float> some_logits() {
    RowVector<float> x(5);
    x << 0.5f, -1.25f, 2, -std::numeric_limits<float>::infinity(), 0.75f;
    return x;
}

} // namespace

TEST_CASE("a sweep holds the softmax of every factor, its entropy and its Jacobian's norm") {
    const SoftmaxSweep sweep = softmax_sweep(some_logits(), 1 / 64.f, 64, 25);
    REQUIRE(sweep.factors.size() == 25);
    CHECK(sweep.factors.front() == Approx(1 / 64.0));
    CHECK(sweep.factors[12] == Approx(1.0));
    CHECK(sweep.factors.back() == Approx(64.0));
    for (std::size_t i = 0; i < 25; ++i) {
        const RowVector<double> scaled = some_logits().cast<double>() * double(sweep.factors[i]);
        const RowVector<double> y = softmax<double>(scaled);
        INFO("factor " << sweep.factors[i]);
        CHECK(sweep.weights.row(Index(i)).cast<double>().isApprox(y, 1e-6));
        CHECK(double(sweep.jacobian_norm[i]) ==
              Approx(softmax_jacobian<double>(y).norm()).epsilon(1e-6).margin(1e-9));
        CHECK(double(sweep.entropy_bits[i]) == Approx(entropy_bits<double>(y)).margin(1e-6));
        CHECK(sweep.weights(Index(i), 3) == 0); // the masked key
    }
    // Towards 0 all allowed keys are alike, towards infinity one has everything and no gradient.
    CHECK(double(sweep.entropy_bits.front()) == Approx(2.0).epsilon(0.01));
    CHECK(double(sweep.jacobian_norm.back()) < 1e-6);
}

TEST_CASE("a sweep goes through a factor between its ends, in place of the nearest") {
    for (const float through : {1 / 64.f, 0.017f, 3.8548f, 64.f}) {
        INFO(through);
        const SoftmaxSweep plain = softmax_sweep(some_logits(), 1 / 64.f, 64, 25);
        const SoftmaxSweep sweep = softmax_sweep(some_logits(), 1 / 64.f, 64, 25, through);
        REQUIRE(sweep.factors.size() == 25);
        const auto found = std::ranges::find(sweep.factors, through);
        REQUIRE(found != sweep.factors.end());
        const auto at = static_cast<std::size_t>(found - sweep.factors.begin());
        CHECK(std::abs(std::log2(plain.factors[at] / through)) < 0.26f); // half a step
        const RowVector<double> y = softmax<double>(some_logits().cast<double>() * double(through));
        CHECK(sweep.weights.row(Index(at)).cast<double>().isApprox(y, 1e-6));
    }
    CHECK(softmax_sweep(some_logits(), 1, 2, 2, 3.f).factors == std::vector<float>{1, 2});
}

TEST_CASE("the norm of an even softmax's Jacobian is √(m − 1) / m") {
    for (const Index m : {1, 2, 7}) {
        const RowVector<double> y = RowVector<double>::Constant(m, 1 / double(m));
        CHECK(jacobian_norm<double>(y) ==
              Approx(std::sqrt(double(m - 1)) / double(m)).margin(1e-12));
    }
}

TEST_CASE("sweeps without a span are refused, and a row without keys is all zero") {
    CHECK_THROWS_AS(softmax_sweep(some_logits(), 0, 1, 5), base::ContractError);
    CHECK_THROWS_AS(softmax_sweep(some_logits(), 2, 1, 5), base::ContractError);
    CHECK_THROWS_AS(softmax_sweep(some_logits(), 1, 2, 1), base::ContractError);
    const RowVector<float> none =
        RowVector<float>::Constant(3, -std::numeric_limits<float>::infinity());
    const SoftmaxSweep sweep = softmax_sweep(none, 1, 2, 2);
    CHECK(sweep.weights.isZero());
    CHECK(sweep.entropy_bits[0] == 0);
}

TEST_CASE("q · k of unit features has mean 0 and variance d_k, and 1 when scaled") {
    for (const FeatureDraws features : {FeatureDraws::normal, FeatureDraws::uniform}) {
        for (const Index d_k : {1, 16, 64, 256}) {
            for (const bool scaled : {false, true}) {
                DotHistogramOptions options;
                options.d_k = d_k;
                options.scaled = scaled;
                options.features = features;
                const double variance = scaled ? 1 : double(d_k), sigma = std::sqrt(variance);
                options.low = float(-40 * sigma);
                options.high = float(40 * sigma);
                const DotHistogram histogram = dot_histogram(options);
                INFO("d_k " << d_k << (scaled ? " scaled" : ""));
                // Of 8192 draws: four standard errors. The fourth moment of a product of two normal
                // features is 9, which makes the error of its variance the widest at d_k = 1.
                CHECK(std::abs(histogram.mean) < 4 * sigma / std::sqrt(8192.0));
                const double error = variance * std::sqrt((2 + 6 / double(d_k)) / 8192.0);
                CHECK(std::abs(histogram.variance - variance) < 4 * error);
                const double width = 80 * sigma / 64;
                const double mass =
                    std::accumulate(histogram.density.begin(), histogram.density.end(), 0.0) *
                    width;
                CHECK(mass == Approx(1.0).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a histogram is the same from the same seed, and scaling only shrinks it") {
    DotHistogramOptions options;
    options.draws = 500;
    const DotHistogram one = dot_histogram(options);
    CHECK(dot_histogram(options).density == one.density);
    options.scaled = true;
    options.low /= 8;
    options.high /= 8; // √64
    const DotHistogram scaled = dot_histogram(options);
    for (std::size_t i = 0; i < one.density.size(); ++i) {
        CHECK(double(scaled.density[i]) == Approx(8 * double(one.density[i])).margin(1e-6));
    }
    CHECK(scaled.variance == Approx(one.variance / 64));
    options.seed = 2;
    CHECK(dot_histogram(options).density != scaled.density);
    options.bins = 0;
    CHECK_THROWS_AS(dot_histogram(options), base::ContractError);
}
