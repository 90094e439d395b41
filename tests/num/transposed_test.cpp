#include "catch.hpp"
#include "num/random.hpp"
#include "num/row_gradients.hpp"
#include "num/transposed.hpp"

#include <cmath>
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

template <class S> double difference(const Matrix<S>& found, const Matrix<double>& expected) {
    if (expected.size() == 0) return 0;
    return (found.template cast<double>() - expected).cwiseAbs().maxCoeff();
}

std::span<float> span_of(RowVector<float>& row) {
    return {row.data(), static_cast<std::size_t>(row.size())};
}
std::span<const float> const_span(const RowVector<float>& row) {
    return {row.data(), static_cast<std::size_t>(row.size())};
}

} // namespace

TEST_CASE("the product of a transpose is that of the slow way, set or added, with column sums") {
    for (const auto& [n, rows, cols] : {std::tuple<Index, Index, Index>(1, 1, 1),
                                        {7, 3, 5},
                                        {40, 29, 33},
                                        {64, 14, 64},
                                        {130, 48, 16},
                                        {0, 4, 6}}) {
        INFO(n << " x " << rows << ", " << cols);
        const auto a = drawn<float>(n, rows + 3, "a");
        const auto b = drawn<float>(n, cols, "b");
        const Matrix<double> product =
            a.leftCols(rows).cast<double>().transpose() * b.cast<double>();
        const Matrix<double> sums = b.cast<double>().colwise().sum();
        const auto before = drawn<float>(rows, cols, "c");
        for (const Store store : {Store::set, Store::add}) {
            Matrix<float> c = before;
            RowVector<float> s = RowVector<float>::Constant(cols, 2);
            product_of_transpose<float>(view(a, 0, 0, n, rows), view(b), store, view(c),
                                        span_of(s));
            const bool add = store == Store::add;
            const Matrix<double> expected = add ? product + before.cast<double>() : product;
            CHECK(difference(c, expected) < 1e-5);
            const Matrix<double> expected_sums = add ? Matrix<double>(sums.array() + 2) : sums;
            CHECK(difference(Matrix<float>(s), expected_sums) < 2e-5);
        }
    }
}

TEST_CASE("a product is added to what is there") {
    const auto a = drawn<float>(9, 20, "a"), b = drawn<float>(20, 37, "b");
    Matrix<float> c = drawn<float>(9, 37, "c");
    const Matrix<double> expected = c.cast<double>() + a.cast<double>() * b.cast<double>();
    add_product<float>(view(a), view(b), view(c));
    CHECK(difference(c, expected) < 1e-5);
}

TEST_CASE("weights packed again give the products of weights made new, and copies stay") {
    ThreadPool alone(1);
    const auto x = drawn<float>(5, 18, "x"), first = drawn<float>(18, 40, "first"),
               second = drawn<float>(18, 40, "second");
    Weights<float> w(first);
    const Weights<float> copy = w;
    repack<float>(w, view(second));
    CHECK((w.dense().array() == second.array()).all());
    CHECK((copy.dense().array() == first.array()).all());
    repack<float>(w, view(first)); // now alone, so in place
    CHECK((w.dense().array() == first.array()).all());
    repack_transposed<float>(w, view(second));
    CHECK(w.in() == 40);
    CHECK((w.dense().array() == second.transpose().array()).all());
    Matrix<float> y(2, 18);
    const auto z = drawn<float>(2, 40, "z");
    linear<float>(alone, view(z), w, {}, view(y));
    CHECK(difference(y, z.cast<double>() * second.cast<double>().transpose()) < 1e-5);
}

TEST_CASE("a dot product of any length") {
    for (const Index n : {0, 1, 15, 16, 33, 100}) {
        const RowVector<float> a = drawn<float>(1, n, "a"), b = drawn<float>(1, n, "b");
        CHECK(dot(const_span(a), const_span(b)) ==
              Approx(a.cast<double>().dot(b.cast<double>())).margin(1e-5));
    }
}

TEST_CASE("a norm's gradient is that of its formula in double") {
    for (const Index n : {3, 16, 45}) {
        const RowVector<float> x = drawn<float>(1, n, "x"), dy = drawn<float>(1, n, "dy"),
                               gain = drawn<float>(1, n, "gain");
        const RowVector<double> xd = x.cast<double>();
        const double mean = xd.mean();
        const double rstd = 1 / std::sqrt((xd.array() - mean).square().mean() + 1e-5);
        const Eigen::Array<double, 1, Eigen::Dynamic> unit = (xd.array() - mean) * rstd,
                                                      g = dy.cast<double>().array() *
                                                          gain.cast<double>().array();
        const Matrix<double> dx = (g - g.mean() - unit * (g * unit).mean()) * rstd;
        RowVector<float> found(n), dgain = RowVector<float>::Ones(n), dshift = dgain;
        normalise_row_backward(const_span(x), {float(mean), float(rstd)}, const_span(gain),
                               const_span(dy), span_of(found), span_of(dgain), span_of(dshift));
        CHECK(difference(Matrix<float>(found), dx) < 1e-5);
        CHECK(difference(Matrix<float>(dgain),
                         Matrix<double>((dy.cast<double>().array() * unit + 1).matrix())) < 1e-5);
        CHECK(difference(Matrix<float>(dshift),
                         Matrix<double>((dy.cast<double>().array() + 1).matrix())) < 1e-5);
    }
}

TEST_CASE("additive scores pass back the same in float as in double") {
    for (const Index n : {5, 16, 50}) {
        const Index m = 4;
        const auto run = [&](auto zero) {
            using S = decltype(zero);
            const auto q = drawn<S>(1, n, "q"), v = drawn<S>(1, n, "v"), k = drawn<S>(m, n, "k"),
                       ds = drawn<S>(1, m, "ds");
            Matrix<S> all = Matrix<S>::Ones(m + 2, n);
            const auto size = static_cast<std::size_t>(n);
            additive_backward(AdditiveScores<S>{{q.data(), size},
                                                {v.data(), size},
                                                k.data(),
                                                {ds.data(), static_cast<std::size_t>(m)},
                                                {all.data(), size},
                                                {all.data() + n, size},
                                                all.data() + 2 * n});
            return all;
        };
        CHECK(difference(run(float()), run(double())) < 1e-5);
    }
}

TEST_CASE("a product may be added to the matrix that it is stored in") {
    ThreadPool alone(1);
    const auto run = [&](auto zero) {
        using S = decltype(zero);
        const auto x = drawn<S>(30, 18, "x"), w = drawn<S>(18, 40, "w");
        Matrix<S> y = drawn<S>(30, 40, "y");
        const Matrix<double> expected =
            y.template cast<double>() + x.template cast<double>() * w.template cast<double>();
        LinearOptions<S> options;
        options.residual = &y;
        linear<S>(alone, view(x), Weights<S>(w), options, view(y));
        CHECK(difference(y, expected) < 1e-5);
    };
    run(float());
    run(double());
}
