#include "catch.hpp"
#include "num/random.hpp"

#include <cmath>

using heed::num::Rng;

TEST_CASE("draws have the mean and the variance of a uniform number") {
    const Rng draws(7, "weights");
    const int n = 200000;
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) {
        const float u = draws.uniform(static_cast<std::uint64_t>(i));
        REQUIRE((u >= 0 && u < 1));
        sum += u;
        squares += static_cast<double>(u) * u;
    }
    const double mean = sum / n;
    // Four standard errors: sqrt(1/12 / n) and sqrt(1/180 / n).
    CHECK(mean == Approx(0.5).margin(4 * std::sqrt(1.0 / 12 / n)));
    CHECK(squares / n - mean * mean == Approx(1.0 / 12).margin(4 * std::sqrt(1.0 / 180 / n)));
}

TEST_CASE("a symmetric draw stays within its bound") {
    const Rng draws(7, "weights");
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const float s = draws.symmetric(i, 0.25f);
        CHECK((s >= -0.25f && s < 0.25f));
    }
}

TEST_CASE("names and seeds have streams of their own, order has no say") {
    const Rng a(1, "encoder.0"), b(1, "encoder.1"), c(2, "encoder.0");
    int equal = 0;
    double product = 0;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        equal += a.bits(i) == b.bits(i) || a.bits(i) == c.bits(i);
        product += a.symmetric(i, 1) * b.symmetric(i, 1);
    }
    CHECK(equal == 0);
    CHECK(std::abs(product / 10000) < 4.0 / 3 / 100); // uncorrelated, four standard errors
    CHECK(Rng(1, "encoder.0").bits(77) == a.bits(77));
}

TEST_CASE("draws are the published numbers of their generator") {
    // splitmix64 with seed 0 begins with these (Vigna's splitmix64.c): mix(k · step) is its k-th.
    CHECK(heed::base::mix(0) == 0xe220a8397b1dcdafull);
    CHECK(heed::base::mix(0x9e3779b97f4a7c15ull) == 0x6e789e6aa1b965f4ull);
    // FNV-1a of "a", from its authors' test vectors.
    CHECK(heed::base::hash_bytes("a") == 0xaf63dc4c8601ec8cull);
    const Rng draws(0, "a");
    const auto key = heed::base::mix(0xaf63dc4c8601ec8cull);
    CHECK(draws.bits(5) == heed::base::mix(key ^ heed::base::mix(5)));
}
