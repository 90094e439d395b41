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

TEST_CASE("a product goes nowhere that has not its shape, be it small or large") {
    const auto ones = [](num::Index rows, num::Index cols) {
        return Matrix<float>(Matrix<float>::Ones(rows, cols));
    };
    for (const num::Index n : {2, 40}) {
        INFO(n);
        const Matrix<float> tall = ones(n + 1, n), square = ones(n, n);
        Matrix<float> to = ones(n, n);
        const auto view = [&] { return num::view(to); };
        CHECK_THROWS_AS(view() = tall * square, base::ContractError);
        CHECK_THROWS_AS(view().noalias() = tall * square, base::ContractError);
        CHECK_THROWS_AS(view().noalias() += tall * square, base::ContractError);
        CHECK_THROWS_AS(to.noalias() += tall * square, base::ContractError);
        CHECK_THROWS_AS(to.noalias() -= tall * square, base::ContractError);
        const Matrix<float> wide = ones(n, n + 1);
        CHECK_THROWS_AS(to.row(0).noalias() = square.row(0) * wide, base::ContractError);
        CHECK_THROWS_AS(to.row(0).noalias() += square.row(0) * wide, base::ContractError);
        CHECK(to == square);
        view().noalias() += square * square;
        CHECK((to.array() == static_cast<float>(n + 1)).all());
    }
}

TEST_CASE("what chooses among cells, or looks for the largest, stays within the matrix") {
    const Matrix<float> tall = Matrix<float>::Ones(3, 2), low = Matrix<float>::Ones(2, 2), none;
    CHECK_THROWS_AS(Matrix<float>((tall.array() > 0).select(low.array(), tall.array())),
                    base::ContractError);
    CHECK_THROWS_AS(Matrix<float>((low.array() > 0).select(tall.array(), 0.0f)),
                    base::ContractError);
    CHECK_THROWS_AS(low.diagonal(3).sum(), base::ContractError);
    CHECK_THROWS_AS(none.maxCoeff(), base::ContractError);
    num::Index row = 0, col = 0;
    CHECK_THROWS_AS(none.maxCoeff(&row, &col), base::ContractError);
    CHECK(none.sum() == 0);
    CHECK(tall.maxCoeff(&row, &col) == 1);
}
