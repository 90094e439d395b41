#include "catch.hpp"
#include "num/random.hpp"
#include "num/softmax.hpp"

#include <cmath>
#include <limits>

using namespace heed::num;

namespace {
const double kInf = std::numeric_limits<double>::infinity();
}

TEMPLATE_TEST_CASE("softmax is the closed form, however large the numbers are", "", float, double) {
    using S = TestType;
    RowVector<S> x(3);
    x << S(0), S(std::log(2.0)), S(std::log(5.0));
    for (const S shift : {S(0), S(1000), S(-1000)}) {
        const auto y = softmax<S>((x.array() + shift).matrix());
        CHECK(y[0] == Approx(1.0 / 8).epsilon(1e-4));
        CHECK(y[1] == Approx(2.0 / 8).epsilon(1e-4));
        CHECK(y[2] == Approx(5.0 / 8).epsilon(1e-4));
    }
}

TEMPLATE_TEST_CASE("a masked key receives no weight, a row without keys only zeros", "", float,
                   double) {
    using S = TestType;
    RowVector<S> x(3);
    x << S(1), S(-kInf), S(1);
    CHECK(softmax<S>(x) == (RowVector<S>(3) << S(0.5), S(0), S(0.5)).finished());
    x.setConstant(S(-kInf));
    CHECK(softmax<S>(x) == RowVector<S>::Zero(3));
    CHECK(softmax<S>(RowVector<S>(0)).size() == 0);
    x[1] = std::numeric_limits<S>::quiet_NaN();
    CHECK(softmax<S>(x).array().isNaN().all());
}

TEST_CASE("the Jacobian of softmax agrees with central differences") {
    const Rng draws(5, "jacobian");
    for (const Index n : {1, 2, 5, 12}) {
        RowVector<double> x(n);
        for (Index i = 0; i < n; ++i) x[i] = draws.symmetric(static_cast<std::uint64_t>(i), 3);
        const auto jacobian = softmax_jacobian<double>(softmax<double>(x));
        const double h = 1e-5;
        for (Index j = 0; j < n; ++j) {
            RowVector<double> up = x, down = x;
            up[j] += h;
            down[j] -= h;
            const RowVector<double> slope = (softmax<double>(up) - softmax<double>(down)) / (2 * h);
            for (Index i = 0; i < n; ++i) {
                CHECK(jacobian(i, j) == Approx(slope[i]).epsilon(1e-7).margin(1e-9));
            }
        }
    }
}

TEMPLATE_TEST_CASE("entropy is that of a fair choice in bits", "", float, double) {
    using S = TestType;
    for (const Index n : {1, 2, 8, 64}) {
        const RowVector<S> y = RowVector<S>::Constant(n, S(1) / static_cast<S>(n));
        CHECK(entropy_bits<S>(y) == Approx(std::log2(static_cast<double>(n))).margin(1e-6));
    }
    CHECK(entropy_bits<S>((RowVector<S>(3) << 0, 1, 0).finished()) == 0);
    CHECK(entropy_bits<S>(RowVector<S>::Zero(4)) == 0);
}
