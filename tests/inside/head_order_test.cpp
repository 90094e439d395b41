// Distances and clusters against NumPy (tests/reference/make_head_scores.py).
#include "inside/head_order.hpp"
#include "reference_arrays.hpp"

#include <algorithm>

using namespace heed;
using num::Matrix;

TEST_CASE("distances of maps and the order of their clusters are those of NumPy") {
    const tests::ReferenceArrays arrays("head_scores.txt");
    const auto all = arrays.at<float>("maps");
    std::vector<Matrix<float>> maps;
    for (num::Index i = 0; i < 8; ++i) maps.push_back(all.middleRows(6 * i, 6));
    num::ThreadPool pool(2);
    const auto distances = inside::map_distances(maps, pool);
    tests::check_close(distances, arrays.at("distances"), 1e-9);
    const auto expected = arrays.at("order");
    const auto order = inside::clustered_order(distances);
    REQUIRE(std::ssize(order) == expected.size());
    for (num::Index i = 0; i < expected.size(); ++i) {
        CHECK(order[static_cast<std::size_t>(i)] == static_cast<int>(expected(0, i)));
    }
}

TEST_CASE("rows that share no key are one bit apart, equal ones none") {
    Matrix<float> a = Matrix<float>::Zero(2, 4), b = a;
    a.leftCols(2).setConstant(0.5f);
    b.rightCols(2).setConstant(0.5f);
    CHECK(inside::map_distance(a, b) == Approx(1));
    CHECK(inside::map_distance(a, a) == 0);
    b.row(0).setZero(); // no distribution: left out
    CHECK(inside::map_distance(a, b) == Approx(1));
}

TEST_CASE("of equal distances the order is that of the heads") {
    for (const int n : {0, 1, 2, 9}) {
        const auto order = inside::clustered_order(Matrix<double>::Zero(n, n));
        REQUIRE(std::ssize(order) == n);
        CHECK(std::is_sorted(order.begin(), order.end()));
    }
}

TEST_CASE("large maps are compared by a part that keeps like ones together") {
    num::ThreadPool pool(1);
    std::vector<Matrix<float>> maps;
    for (int i = 0; i < 4; ++i) {
        Matrix<float> map = Matrix<float>::Zero(300, 300);
        for (num::Index row = 1; row < 300; ++row) map(row, i % 2 == 0 ? row - 1 : 0) = 1;
        map(0, 0) = 1;
        maps.push_back(map);
    }
    const auto order = inside::clustered_order(inside::map_distances(maps, pool));
    CHECK(order == std::vector<int>{0, 2, 1, 3});
}
