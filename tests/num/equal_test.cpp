#include "num/equal.hpp"

#include "catch.hpp"

using heed::num::equal;
using heed::num::Matrix;

TEST_CASE("matrices of different shapes are not equal, whatever lies behind their numbers") {
    const Matrix<float> a = Matrix<float>::Constant(2, 3, 1.f);
    CHECK(equal(a, Matrix<float>::Constant(2, 3, 1.f)));
    CHECK_FALSE(equal(a, Matrix<float>::Constant(2, 3, 2.f)));
    CHECK_FALSE(equal(a, Matrix<float>::Constant(3, 2, 1.f)));
    CHECK_FALSE(equal(a, Matrix<float>::Constant(2, 2, 1.f)));
    CHECK(equal(Matrix<float>(0, 3), Matrix<float>(0, 3)));
}
