// Arithmetic on different shapes never reads past an end, in a release either.
#include "base/check.hpp"
#include "catch.hpp"
#include "num/matrix.hpp"

using namespace heed;
using num::Matrix;

TEST_CASE("matrices of different shapes are neither added nor subtracted nor assigned to views") {
    const Matrix<float> tall = Matrix<float>::Ones(3, 2), low = Matrix<float>::Ones(2, 2);
    CHECK_THROWS_AS((tall - low).norm(), base::ContractError);
    CHECK_THROWS_AS(Matrix<float>(low + tall), base::ContractError);
    CHECK_THROWS_AS(tall.cwiseProduct(low).sum(), base::ContractError);
    Matrix<float> to(2, 2);
    CHECK_THROWS_AS(num::view(to) = tall, base::ContractError);
    CHECK_THROWS_AS(to.array() += tall.array(), base::ContractError);
    CHECK_THROWS_AS(Matrix<float>(tall * tall), base::ContractError);
    CHECK_THROWS_AS(tall.block(1, 0, 3, 2).sum(), base::ContractError);
    CHECK((low - Matrix<float>::Ones(2, 2)).norm() == 0);
}
