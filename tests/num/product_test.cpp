#include "catch.hpp"
#include "num/product.hpp"
#include "num/random.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace heed::num;

namespace {

template <class S> Matrix<S> drawn(Index rows, Index cols, const char* name) {
    const Rng draws(1, name);
    Matrix<S> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        m.data()[i] = static_cast<S>(draws.symmetric(static_cast<std::uint64_t>(i), 1));
    }
    return m;
}

/// The slow obvious version, in double.
template <class S> Matrix<double> multiplied(const Matrix<S>& a, const Matrix<S>& b) {
    Matrix<double> c = Matrix<double>::Zero(a.rows(), b.cols());
    for (Index i = 0; i < a.rows(); ++i) {
        for (Index k = 0; k < a.cols(); ++k) {
            for (Index j = 0; j < b.cols(); ++j) {
                c(i, j) += static_cast<double>(a(i, k)) * static_cast<double>(b(k, j));
            }
        }
    }
    return c;
}

template <class A> double difference(const A& a, const Matrix<double>& b) {
    REQUIRE(a.rows() == b.rows());
    REQUIRE(a.cols() == b.cols());
    if (a.size() == 0) return 0;
    return (a.template cast<double>() - b).cwiseAbs().maxCoeff();
}

} // namespace

TEST_CASE("weights keep the exact matrix") {
    for (const auto& [in, out] : {std::pair<Index, Index>{1, 1},
                                  {3, 5},
                                  {7, 32},
                                  {64, 96},
                                  {5, 33},
                                  {40, 100},
                                  {0, 4},
                                  {4, 0}}) {
        const auto w = drawn<float>(in, out, "w");
        const Weights<float> packed(w);
        CHECK(packed.in() == in);
        CHECK(packed.out() == out);
        CHECK(packed.dense() == w);
        const Weights<double> doubled(w.cast<double>());
        CHECK(doubled.dense() == w.cast<double>());
    }
    CHECK(Weights<float>().dense().size() == 0);
}

TEST_CASE("a linear map agrees with the slow product for every shape") {
    for (const int threads : {1, 2, 3}) {
        ThreadPool pool(threads);
        for (const Index in : {1, 3, 17, 64, 130}) {
            for (const Index out : {1, 5, 8, 16, 31, 32, 33, 100}) {
                const auto w = drawn<float>(in, out, "w");
                const Weights<float> packed(w);
                for (const Index rows : {0, 1, 2, 5, 6, 7, 13, 14, 15, 29, 61}) {
                    const auto x = drawn<float>(rows, in, "x");
                    Matrix<float> y = Matrix<float>::Constant(rows, out, 99);
                    linear<float>(pool, view(x), packed, {}, view(y));
                    INFO(threads << " threads, " << rows << " x " << in << " x " << out);
                    REQUIRE(difference(y, multiplied(x, w)) < 2e-5);
                }
            }
        }
    }
}

TEST_CASE("large products are shared by the team without a hole") {
    ThreadPool pool(2);
    for (const auto& [rows, in, out] : {std::array<Index, 3>{200, 512, 200},
                                        {1, 700, 900},
                                        {16, 512, 512},
                                        {150, 2048, 96},
                                        {600, 600, 20}}) {
        const auto w = drawn<float>(in, out, "w"), x = drawn<float>(rows, in, "x");
        Matrix<float> y = Matrix<float>::Constant(rows, out, 99);
        linear<float>(pool, view(x), Weights<float>(w), {}, view(y));
        CHECK(difference(y, multiplied(x, w)) < 2e-4);
    }
}

TEMPLATE_TEST_CASE("bias, ReLU and residual are applied in this order", "", float, double) {
    using S = TestType;
    ThreadPool pool(2);
    for (const Index out : {5, 16, 64, 70}) {
        const Index rows = 9, in = 20;
        const auto w = drawn<S>(in, out, "w"), x = drawn<S>(rows, in, "x");
        const auto b = drawn<S>(1, out, "b"), residual = drawn<S>(rows, out, "r");
        const std::span<const S> bias(b.data(), static_cast<std::size_t>(out));
        for (int mask = 0; mask < 8; ++mask) {
            LinearOptions<S> options;
            Matrix<double> expected = multiplied(x, w);
            if (mask & 1) {
                options.bias = bias;
                expected.rowwise() += RowVector<double>(b.template cast<double>());
            }
            if (mask & 2) {
                options.epilogue = Epilogue::relu;
                expected = expected.cwiseMax(0.0).eval();
            }
            if (mask & 4) {
                options.residual = &residual;
                expected += residual.template cast<double>();
            }
            Matrix<S> y(rows, out);
            linear<S>(pool, view(x), Weights<S>(w), options, view(y));
            INFO("mask " << mask << ", out " << out);
            CHECK(difference(y, expected) < 1e-5);
        }
    }
}

TEST_CASE("a linear map reads and writes blocks of wider matrices and nothing beside them") {
    ThreadPool pool(1);
    const auto w = drawn<float>(20, 40, "w");
    const auto wide = drawn<float>(11, 50, "x");
    Matrix<float> y = Matrix<float>::Constant(13, 60, 7);
    linear<float>(pool, view(wide, 1, 20, 9, 20), Weights<float>(w), {}, view(y, 2, 10, 9, 40));
    const Matrix<float> x = wide.block(1, 20, 9, 20);
    CHECK(difference(Matrix<float>(y.block(2, 10, 9, 40)), multiplied(x, w)) < 1e-5);
    y.block(2, 10, 9, 40).setConstant(7);
    CHECK(y == Matrix<float>::Constant(13, 60, 7));
}

TEST_CASE("a NaN in one token stays in that token, through ReLU too") {
    ThreadPool pool(1);
    Matrix<float> broken = drawn<float>(20, 30, "x");
    broken(4, 9) = std::numeric_limits<float>::quiet_NaN();
    const Matrix<float> x = broken;
    const Weights<float> w(drawn<float>(30, 50, "w"));
    Matrix<float> y(20, 50);
    LinearOptions<float> options;
    options.epilogue = Epilogue::relu;
    linear<float>(pool, view(x), w, options, view(y));
    for (Index row = 0; row < 20; ++row) CHECK(y.row(row).array().isNaN().all() == (row == 4));
}

TEST_CASE("shapes that do not fit are named") {
    ThreadPool pool(1);
    const auto x = drawn<float>(2, 3, "x");
    Matrix<float> y(2, 5);
    CHECK_THROWS_WITH(
        linear<float>(pool, view(x), Weights<float>(drawn<float>(4, 5, "w")), {}, view(y)),
        "rows of 3 numbers for weights of 4 x 5");
}

TEST_CASE("small products agree with the slow one") {
    for (const auto& [n, m, d] : {std::array<Index, 3>{1, 1, 1},
                                  {5, 7, 3},
                                  {16, 16, 64},
                                  {33, 50, 64},
                                  {20, 100, 65},
                                  {3, 40, 16},
                                  {0, 4, 4}}) {
        const auto a = drawn<float>(n, d, "a"), b = drawn<float>(m, d, "b");
        Matrix<float> c = Matrix<float>::Constant(n, m, 99);
        product_transposed(view(a), view(b), 0.5f, view(c));
        CHECK(difference(c, 0.5 * multiplied(a, Matrix<float>(b.transpose()))) < 1e-5);
        Matrix<double> doubled(n, m);
        const Matrix<double> ad = a.cast<double>(), bd = b.cast<double>();
        product_transposed(view(ad), view(bd), 0.5, view(doubled));
        CHECK(difference(doubled, 0.5 * multiplied(a, Matrix<float>(b.transpose()))) < 1e-12);

        const auto v = drawn<float>(d, m, "v");
        product(view(a), view(v), view(c));
        CHECK(difference(c, multiplied(a, v)) < 1e-5);
        const Matrix<double> vd = v.cast<double>();
        product(view(ad), view(vd), view(doubled));
        CHECK(difference(doubled, multiplied(a, v)) < 1e-12);
    }
}

TEST_CASE("small products take blocks of wider matrices") {
    const auto wide = drawn<float>(30, 96, "wide");
    Matrix<float> c(10, 12);
    product_transposed(view(wide, 2, 32, 10, 32), view(wide, 18, 64, 12, 32), 1, view(c));
    const Matrix<float> a = wide.block(2, 32, 10, 32), b = wide.block(18, 64, 12, 32);
    CHECK(difference(c, multiplied(a, Matrix<float>(b.transpose()))) < 1e-5);
}

TEST_CASE("exp_row is within 1e-6 of the exponential in double") {
    std::vector<float> row;
    for (int i = 0; i <= 87000; ++i) row.push_back(-static_cast<float>(i) * 1e-3f);
    const auto before = row;
    const auto [max, sum] = exp_row(row);
    CHECK(max == 0);
    double expected_sum = 0, worst = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double expected = std::exp(static_cast<double>(before[i]));
        worst = std::max(worst, std::abs(row[i] / expected - 1));
        expected_sum += expected;
    }
    CHECK(worst < 3e-7);
    CHECK(sum == Approx(expected_sum).epsilon(1e-5)); // 87001 floats, largest first
}

TEST_CASE("exp_row takes rows of any length and any size of number") {
    for (std::size_t n : {1, 2, 3, 5, 15, 16, 17, 31, 33, 47, 100}) {
        std::vector<float> row(n);
        const Rng draws(3, "row");
        for (std::size_t i = 0; i < n; ++i) row[i] = draws.symmetric(i, 1) * 1e4f;
        row[n / 2] = 2e4f;
        const auto before = row;
        const auto [max, sum] = exp_row(row);
        CHECK(max == 2e4f);
        double total = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double expected = std::exp(static_cast<double>(before[i] - max));
            CHECK(row[i] == Approx(expected).epsilon(1e-6).margin(1e-37));
            total += expected;
        }
        CHECK(sum == Approx(total).epsilon(1e-6));
    }
}

TEST_CASE("minus infinity becomes exactly 0, and a row of it has neither sum nor maximum") {
    const float inf = std::numeric_limits<float>::infinity();
    for (std::size_t n : {1, 4, 16, 19, 40}) {
        std::vector<float> row(n, -inf);
        const auto [max, sum] = exp_row(row);
        CHECK(max == -inf);
        CHECK(sum == 0);
        CHECK(row == std::vector<float>(n, 0));
        row.assign(n, -inf);
        row[n - 1] = 3;
        CHECK(exp_row(row).sum == 1);
        CHECK(row[n - 1] == 1);
        for (std::size_t i = 0; i + 1 < n; ++i) CHECK(row[i] == 0);
    }
    std::vector<float> none;
    CHECK(exp_row(none).sum == 0);
}

TEST_CASE("a NaN makes its whole row NaN") {
    for (std::size_t n : {1, 4, 16, 19, 40}) {
        for (std::size_t at = 0; at < n; ++at) {
            std::vector<float> row(n, -std::numeric_limits<float>::infinity());
            row[at] = std::numeric_limits<float>::quiet_NaN();
            const auto [max, sum] = exp_row(row);
            CHECK(std::isnan(max));
            CHECK(std::isnan(sum));
            for (const float value : row) CHECK(std::isnan(value));
        }
    }
}

TEST_CASE("a row has the very numbers alone that it has among others, whatever comes after it") {
    for (const int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        for (const Index out : {1, 31, 64, 65, 129, 250, 768, 2011}) {
            const Index in = out > 700 ? 300 : 37;
            INFO(threads << " threads, " << in << " x " << out);
            const auto x = drawn<float>(3, in, "x"), b = drawn<float>(1, out, "b");
            const auto residual = drawn<float>(3, out, "r");
            const Weights<float> w(drawn<float>(in, out, "w")), other(drawn<float>(64, 9, "o"));
            LinearOptions<float> options;
            options.bias = {b.data(), static_cast<std::size_t>(b.size())};
            options.epilogue = Epilogue::relu;
            options.residual = &residual;
            Matrix<float> all(3, out);
            linear(pool, view(x), w, options, view(all));
            CHECK(all.topRows(1) != all.bottomRows(1));
            for (Index row = 0; row < 3; ++row) {
                const Matrix<float> one_residual = residual.row(row);
                options.residual = &one_residual;
                for (const Weights<float>* next :
                     {static_cast<const Weights<float>*>(nullptr), &other, &w}) {
                    options.next = next;
                    Matrix<float> one = Matrix<float>::Constant(1, out, 99);
                    linear(pool, view(x, row, 0, 1, in), w, options, view(one));
                    CHECK(one == all.row(row));
                }
            }
            options.residual = &residual;
        }
    }
}

TEMPLATE_TEST_CASE("several maps of the same rows are those maps one by one", "", float, double) {
    using S = TestType;
    for (const int threads : {1, 2, 3}) {
        ThreadPool pool(threads);
        for (const Index rows : {1, 16, 100, 500}) {
            const auto x = drawn<S>(rows, 64, "x"), b = drawn<S>(1, 100, "b");
            const Weights<S> w1(drawn<S>(64, 100, "1")), w2(drawn<S>(64, 33, "2")),
                w3(drawn<S>(64, 64, "3")), unread(drawn<S>(80, 1, "4"));
            Matrix<S> y1(rows, 100), y2(rows, 33), y3(rows, 64);
            LinearOptions<S> with_bias, with_next;
            with_bias.bias = {b.data(), 100};
            with_next.next = &unread;
            const LinearMap<S> maps[] = {
                {&w1, with_bias, view(y1)}, {&w2, {}, view(y2)}, {&w3, with_next, view(y3)}};
            linear<S>(pool, view(x), std::span<const LinearMap<S>>(maps));
            Matrix<double> expected = multiplied(x, w1.dense());
            expected.rowwise() += RowVector<double>(b.template cast<double>());
            CHECK(difference(y1, expected) < 1e-5);
            CHECK(difference(y2, multiplied(x, w2.dense())) < 1e-5);
            CHECK(difference(y3, multiplied(x, w3.dense())) < 1e-5);
        }
    }
}
