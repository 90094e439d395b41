#include "trace/shares.hpp"

#include "base/check.hpp"
#include "catch.hpp"

#include <cmath>
#include <limits>

using namespace heed;
using namespace heed::trace;

namespace {

Matrix<float> weights() {
    Matrix<float> w(4, 3);
    w << 0.5f, 0.25f, 0.25f,  // rows of binary fractions: every sum is exact
        0.125f, 0.375f, 0.5f, //
        0, 0, 0,              // no distribution
        0.75f, 0, 0.25f;
    return w;
}

Matrix<float> column(std::initializer_list<float> numbers) {
    Matrix<float> c(static_cast<Index>(numbers.size()), 1);
    std::copy(numbers.begin(), numbers.end(), c.data());
    return c;
}

} // namespace

TEST_CASE("what a query gives to the chosen keys is the sum of its weights there") {
    CHECK(given(weights(), {1}) == column({0.25f, 0.375f, 0, 0}));
    CHECK(given(weights(), {0, 2}) == column({0.75f, 0.625f, 0, 1}));
    CHECK(given(weights(), {}) == column({1, 1, 0, 1}));
}

TEST_CASE("what a key gets from the chosen queries is their mean, of those with a distribution") {
    Matrix<float> expected(1, 3);
    expected << 0.3125f, 0.3125f, 0.375f;
    CHECK(received(weights(), {0, 1}) == expected);
    CHECK(received(weights(), {0, 1, 2}) == expected);
    CHECK(received(weights(), {2}) == Matrix<float>::Zero(1, 3));
    CHECK(received(weights(), {}).sum() == Approx(1));
}

TEST_CASE("a choice of both is what the one gives and the other gets") {
    const std::vector<int> queries{0, 3}, keys{0, 2};
    const float both = share(weights(), queries, keys);
    CHECK(both == 0.875f);
    const Matrix<float> of_rows = given(weights(), keys), of_keys = received(weights(), queries);
    CHECK(both == (of_rows(0, 0) + of_rows(3, 0)) / 2);
    CHECK(both == of_keys(0, 0) + of_keys(0, 2));
    CHECK(share(weights(), {}, {}) == Approx(1));
}

TEST_CASE("a weight that is no number is seen in what it is part of") {
    Matrix<float> w = weights();
    w(1, 0) = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(given(w, {0})(1, 0)));
    CHECK(std::isnan(share(w, {1}, {0})));
    CHECK(share(w, {0}, {0}) == 0.5f);
}

TEST_CASE("a choice of what is not there is refused, and nothing is shared of an empty map") {
    CHECK_THROWS_AS(given(weights(), {3}), base::ContractError);
    CHECK_THROWS_AS(received(weights(), {-1}), base::ContractError);
    CHECK(share(Matrix<float>(0, 0), {}, {}) == 0);
}
