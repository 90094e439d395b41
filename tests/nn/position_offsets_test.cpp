#include "catch.hpp"

#include "nn/attention/position_offsets.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

using namespace heed;
using nn::Index;
using nn::Matrix;

TEST_CASE("products of sinusoidal positions depend on their offset alone: a sum of cosines") {
    const Index n = 40, d = 16;
    for (const double base : {10000.0, 50.0}) {
        const auto profile = nn::position_products(nn::sinusoidal_table<double>(n, d, 0, base));
        REQUIRE(profile.mean.size() == 2 * n - 1);
        for (Index offset = 1 - n; offset < n; ++offset) {
            double expected = 0;
            for (Index c = 0; c < d / 2; ++c) {
                expected += std::cos(double(offset) * std::pow(base, -2.0 * double(c) / double(d)));
            }
            const auto at = std::size_t(offset + n - 1);
            CHECK(std::abs(profile.mean[at] - expected) < 1e-9);
            CHECK(profile.most[at] - profile.least[at] < 1e-9);
        }
    }
}

TEST_CASE("products of any table are those of its pairs of rows") {
    Matrix<double> table(4, 3);
    table << 1, 2, 3, -1, 0, 2, 0.5, 0.5, -4, 2, 2, 2;
    const auto profile = nn::position_products(table);
    for (Index offset = -3; offset <= 3; ++offset) {
        double sum = 0, least = 1e9, most = -1e9;
        int count = 0;
        for (Index t = 0; t < 4; ++t) {
            if (t + offset < 0 || t + offset >= 4) continue;
            const double product = table.row(t).dot(table.row(t + offset));
            sum += product;
            least = std::min(least, product);
            most = std::max(most, product);
            ++count;
        }
        const auto at = std::size_t(offset + 3);
        CHECK(profile.mean[at] == Approx(sum / count));
        CHECK(profile.least[at] == Approx(least));
        CHECK(profile.most[at] == Approx(most));
    }
    CHECK(nn::position_products(Matrix<double>(0, 3)).mean.empty());
}

TEST_CASE("rotary products are those of vectors of ones, one of them turned") {
    for (const Index d_k : {8, 7}) {
        for (const double base : {10000.0, 100.0}) {
            const Index n = 30;
            Matrix<double> ones = Matrix<double>::Ones(n, d_k), turned(n, d_k);
            nn::RotarySettings settings;
            settings.base = base;
            const auto table = nn::rotary_table<double>(n, d_k, 0, settings);
            nn::rotate<double>(table, num::view(std::as_const(ones)), num::view(turned));
            const auto products = nn::rotary_products<double>(n, d_k, settings);
            REQUIRE(products.size() == std::size_t(n));
            CHECK(products[0] == 1);
            for (Index offset = 0; offset < n; ++offset) {
                const double expected = ones.row(0).dot(turned.row(offset)) / double(d_k);
                CHECK(std::abs(products[std::size_t(offset)] - expected) < 1e-12);
            }
        }
    }
}

TEST_CASE("rotary products keep what is not turned, and follow the scaling of long waves") {
    nn::RotarySettings settings;
    settings.width = 2;
    const auto partial = nn::rotary_products<double>(5, 8, settings);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(partial[i] == Approx((2 * std::cos(double(i)) + 6) / 8));
    }
    settings.width = 0;
    settings.base = 500;
    settings.scaling = nn::RotaryScaling{8, 1, 4, 32}; // the first wave stays, the others are long
    const auto scaled = nn::rotary_products<double>(41, 6, settings);
    const double slower = std::pow(500, -1.0 / 3) / 8, slowest = std::pow(500, -2.0 / 3) / 8;
    CHECK(scaled[40] ==
          Approx((std::cos(40.0) + std::cos(40 * slower) + std::cos(40 * slowest)) / 3));
}

TEST_CASE("products fall with distance where nine of ten pairs of distances do") {
    const Index far = 10;
    std::vector<double> falling(2 * far + 1), noise = falling;
    for (Index offset = -far; offset <= far; ++offset) {
        const auto at = std::size_t(offset + far);
        falling[at] = -double(std::abs(offset));
        noise[at] = offset == 0 ? 5 : std::cos(7.0 * double(offset));
    }
    CHECK(nn::falls_with_distance(falling, far, far));
    CHECK_FALSE(nn::falls_with_distance(noise, far, far));
    std::swap(falling[std::size_t(far)], falling[std::size_t(far + 1)]); // the neighbour is nearer
    CHECK_FALSE(nn::falls_with_distance(falling, far, far));
    const auto of_width = [&](Index d) {
        return nn::position_products(nn::sinusoidal_table<double>(20, d)).mean;
    };
    CHECK(nn::falls_with_distance(of_width(512), 19, far));
    CHECK_FALSE(nn::falls_with_distance(of_width(4), 19, far)); // its waves come back in ten places
}

TEST_CASE("all sines stand before all cosines, of any width") {
    for (const Index d : {6, 7}) {
        const auto in_turn = nn::sinusoidal_table<double>(4, d);
        const auto sorted = nn::sines_first(in_turn);
        const Index sines = (d + 1) / 2;
        for (Index c = 0; c < d; ++c) {
            const Index pair = c < sines ? c : c - sines;
            const double angle = 3 * std::pow(10000, -2.0 * double(pair) / double(d));
            CHECK(sorted(3, c) == Approx(c < sines ? std::sin(angle) : std::cos(angle)));
            CHECK(sorted.col(nn::sines_first(c, d)) == in_turn.col(c));
        }
    }
}

TEST_CASE("the base of sinusoidal positions sets their slowest wave") {
    const auto table = nn::sinusoidal_table<double>(2, 4, 0, 100);
    CHECK(table(1, 0) == Approx(std::sin(1.0)));
    CHECK(table(1, 2) == Approx(std::sin(0.1)));
    CHECK(nn::sinusoidal_table<double>(5, 6) == nn::sinusoidal_table<double>(5, 6, 0, 10000));
}
