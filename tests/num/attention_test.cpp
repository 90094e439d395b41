#include "catch.hpp"
#include "num/attention.hpp"
#include "num/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace heed::num;

namespace {

const float kInfinity = std::numeric_limits<float>::infinity();
using Cells = std::vector<std::pair<Index, Index>>;

Matrix<float> drawn(Index rows, Index cols, const char* name, float bound = 1) {
    const Rng draws(11, name);
    Matrix<float> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        m.data()[i] = draws.symmetric(static_cast<std::uint64_t>(i), bound);
    }
    return m;
}

struct Case {
    Index n, m, d_k = 64, d_v = 64;
    float gamma = 0.125f, temperature = 1, gain = 1;
    bool with_bias = false, with_scores = false;
    Cells ranges = {}, forbidden = {};
};

struct Result {
    Matrix<double> weights, context;
    std::vector<double> max, sum;
};

/// The slow obvious version: every stage of the specification in double, one cell at a time.
Result slow(const Case& c, const Matrix<float>& q, const Matrix<float>& k, const Matrix<float>& v,
            const std::vector<float>& bias, const Matrix<float>& scores) {
    Result r{Matrix<double>::Zero(c.n, c.m), Matrix<double>::Zero(c.n, c.d_v), {}, {}};
    for (Index i = 0; i < c.n; ++i) {
        std::vector<double> z(static_cast<std::size_t>(c.m));
        double max = -std::numeric_limits<double>::infinity(), sum = 0;
        for (Index j = 0; j < c.m; ++j) {
            double score = 0;
            for (Index d = 0; d < c.d_k; ++d) score += double(q(i, d)) * double(k(j, d));
            if (c.with_scores) score = scores(i, j);
            double masked = score * c.gamma;
            if (c.with_bias) masked += bias[static_cast<std::size_t>(j - i + c.n - 1)];
            const auto range =
                c.ranges.empty() ? std::pair{Index{0}, c.m} : c.ranges[static_cast<std::size_t>(i)];
            const bool forbidden = std::find(c.forbidden.begin(), c.forbidden.end(),
                                             std::pair{i, j}) != c.forbidden.end();
            if (j < range.first || j >= range.second || forbidden) masked = -double(kInfinity);
            z[static_cast<std::size_t>(j)] = masked / c.temperature;
            max = std::max(max, z[static_cast<std::size_t>(j)]);
        }
        if (max != -double(kInfinity)) {
            for (Index j = 0; j < c.m; ++j) {
                r.weights(i, j) = std::exp(z[static_cast<std::size_t>(j)] - max);
                sum += r.weights(i, j);
            }
            r.weights.row(i) /= sum;
        }
        r.max.push_back(max);
        r.sum.push_back(sum);
    }
    r.context = c.gain * (r.weights * v.cast<double>());
    return r;
}

void check(const Case& c, ThreadPool* pool = nullptr) {
    // The head lies between two others, in matrices of three heads.
    auto q = drawn(c.n, 3 * c.d_k, "q"), k = drawn(c.m, 3 * c.d_k, "k"),
         v = drawn(c.m, 3 * c.d_v, "v"), scores = drawn(c.n, c.m, "scores", 5);
    const auto biases = drawn(1, c.n + c.m, "bias");
    std::vector<float> bias;
    if (c.with_bias) bias.assign(biases.data(), biases.data() + c.n + c.m - 1);
    const auto expected = slow(c, q.middleCols(c.d_k, c.d_k), k.middleCols(c.d_k, c.d_k),
                               v.middleCols(c.d_v, c.d_v), bias, scores);
    for (const bool with_weights : {false, true}) {
        Matrix<float> context = Matrix<float>::Constant(c.n, 3 * c.d_v, 99);
        Matrix<float> weights = Matrix<float>::Constant(c.n, c.m, 99);
        std::vector<float> max(static_cast<std::size_t>(c.n)), sum(static_cast<std::size_t>(c.n));
        HeadAttention head{.q = view(std::as_const(q), 0, c.d_k, c.n, c.d_k),
                           .k = view(std::as_const(k), 0, c.d_k, c.m, c.d_k),
                           .v = view(std::as_const(v), 0, c.d_v, c.m, c.d_v),
                           .context = view(context, 0, c.d_v, c.n, c.d_v),
                           .row_max = max,
                           .row_sum = sum,
                           .weights = with_weights ? weights.data() : nullptr,
                           .scores = c.with_scores ? scores.data() : nullptr,
                           .gamma = c.gamma,
                           .temperature = c.temperature,
                           .gain = c.gain,
                           .bias = bias,
                           .ranges = c.ranges,
                           .forbidden = c.forbidden};
        if (pool) {
            attend(*pool, {&head, 1});
        } else {
            attend(head);
        }
        INFO(c.n << " queries, " << c.m << " keys, weights " << with_weights);
        CHECK((context.leftCols(c.d_v).array() == 99).all());
        CHECK((context.rightCols(c.d_v).array() == 99).all());
        const Matrix<double> got = context.middleCols(c.d_v, c.d_v).cast<double>();
        if (c.n > 0) REQUIRE((got - expected.context).cwiseAbs().maxCoeff() < 1e-5);
        if (with_weights && c.n > 0 && c.m > 0) {
            REQUIRE((weights.cast<double>() - expected.weights).cwiseAbs().maxCoeff() < 1e-6);
            for (Index i = 0; i < weights.size(); ++i) {
                if (expected.weights.data()[i] == 0) REQUIRE(weights.data()[i] == 0);
            }
        }
        for (std::size_t i = 0; i < max.size(); ++i) {
            if (expected.sum[i] == 0) {
                REQUIRE(max[i] == -kInfinity);
                REQUIRE(sum[i] == 0);
            } else {
                REQUIRE(max[i] == Approx(double(expected.max[i])).epsilon(1e-5).margin(1e-5));
                REQUIRE(sum[i] == Approx(double(expected.sum[i])).epsilon(1e-5));
            }
        }
    }
}

Cells causal(Index n, Index m) {
    Cells ranges;
    for (Index i = 0; i < n; ++i) ranges.emplace_back(0, std::min(i + 1, m));
    return ranges;
}

Cells window(Index n, Index m, Index w) {
    Cells ranges;
    for (Index i = 0; i < n; ++i) {
        ranges.emplace_back(std::max<Index>(0, i - w), std::min(i + w + 1, m));
    }
    return ranges;
}

} // namespace

TEST_CASE("fused attention agrees with the stages for every number of queries and keys") {
    for (const Index n : {0, 1, 2, 13, 14, 15, 28, 29, 60}) {
        for (const Index m : {1, 2, 15, 16, 31, 32, 33, 70}) check({.n = n, .m = m});
    }
}

TEST_CASE("fused attention takes heads of any width") {
    for (const Index d : {1, 2, 8, 16, 24, 33, 80}) {
        check({.n = 20, .m = 37, .d_k = d, .d_v = 64});
        check({.n = 20, .m = 37, .d_k = 8, .d_v = d});
    }
}

TEST_CASE("scale, temperature, gain and bias act where the stages say") {
    check({.n = 30, .m = 41, .gamma = 1});
    check({.n = 30, .m = 41, .gamma = -0.3f, .temperature = 0.2f});
    check({.n = 30, .m = 41, .temperature = 7, .gain = 2.5f});
    check({.n = 30, .m = 41, .gain = 0});
    check({.n = 30, .m = 41, .temperature = 0.5f, .with_bias = true});
    check({.n = 41, .m = 30, .with_bias = true, .ranges = causal(41, 30)});
}

TEST_CASE("masked keys receive no weight") {
    for (const Index n : {1, 20, 75}) {
        check({.n = n, .m = 75, .ranges = causal(n, 75)});
        check({.n = n, .m = 75, .ranges = window(n, 75, 3)});
        check({.n = n, .m = 75, .ranges = window(n, 75, 0)});
        check({.n = n, .m = 75, .ranges = Cells(static_cast<std::size_t>(n), {0, 50})});
        check({.n = n, .m = 75, .ranges = Cells(static_cast<std::size_t>(n), {40, 75})});
    }
    check({.n = 20, .m = 50, .forbidden = {{0, 0}, {0, 49}, {7, 3}, {7, 4}, {19, 49}}});
    check({.n = 20,
           .m = 50,
           .gamma = -1,
           .ranges = causal(20, 50),
           .forbidden = {{0, 0}, {3, 1}, {3, 40}, {19, 5}}});
}

TEST_CASE("a query without any key has weights and context 0, whatever the values are") {
    Cells ranges = causal(40, 40);
    for (const std::size_t i : {0, 5, 39}) ranges[i] = {3, 3};
    check({.n = 40, .m = 40, .ranges = ranges});
    check({.n = 40, .m = 40, .ranges = Cells(40, {0, 0})});
    check({.n = 3, .m = 2, .forbidden = {{1, 0}, {1, 1}}});
    check({.n = 3, .m = 0});
}

TEST_CASE("scores that are no product are taken as they are given") {
    check({.n = 33, .m = 47, .gamma = 1, .with_scores = true});
    check({.n = 33,
           .m = 47,
           .gamma = 0.5f,
           .temperature = 2,
           .with_scores = true,
           .ranges = causal(33, 47)});
}

TEST_CASE("heads are shared by the team, by queries when there are few of them") {
    for (const int threads : {1, 2, 3}) {
        ThreadPool pool(threads);
        check({.n = 75, .m = 75, .ranges = causal(75, 75)}, &pool);
        check({.n = 200, .m = 130}, &pool);
        check({.n = 3, .m = 2000}, &pool);
    }
}

TEST_CASE("a query's numbers are those that it has among many, to the bit") {
    for (const auto& [d_k, d_v] : {std::pair<Index, Index>{64, 64}, {40, 24}, {7, 13}}) {
        for (const Index m : {1, 5, 16, 33, 300}) {
            const Index n = 20;
            const auto q = drawn(n, d_k, "q"), k = drawn(m, d_k, "k"), v = drawn(m, d_v, "v");
            Cells ranges;
            for (Index i = 0; i < n; ++i) ranges.emplace_back(i % 3, std::max(m - n + i, i % 3));
            const auto attended = [&](Index first, Index rows) {
                Matrix<float> context(rows, d_v), weights(rows, m);
                std::vector<float> max(static_cast<std::size_t>(rows)), sum(max.size());
                const auto of = static_cast<std::size_t>(first);
                attend({.q = view(q, first, 0, rows, d_k),
                        .k = view(k),
                        .v = view(v),
                        .context = view(context),
                        .row_max = max,
                        .row_sum = sum,
                        .weights = rows % 2 == 0 ? weights.data() : nullptr,
                        .ranges = std::span(ranges).subspan(of, max.size())});
                return context;
            };
            const Matrix<float> whole = attended(0, n);
            for (const Index rows : {1, 2, 3, 4, 5, 9}) {
                INFO(m << " keys, " << d_v << " wide, " << rows << " queries");
                CHECK(attended(n - rows, rows) == whole.bottomRows(rows));
            }
        }
    }
}

TEST_CASE("a NaN among the queries stays in its row") {
    auto q = drawn(20, 16, "q");
    const auto k = drawn(20, 16, "k"), v = drawn(20, 16, "v");
    q(4, 3) = std::numeric_limits<float>::quiet_NaN();
    Matrix<float> context(20, 16), weights(20, 20);
    std::vector<float> max(20), sum(20);
    attend({.q = view(std::as_const(q)),
            .k = view(k),
            .v = view(v),
            .context = view(context),
            .row_max = max,
            .row_sum = sum,
            .weights = weights.data()});
    for (Index i = 0; i < 20; ++i) {
        CHECK(context.row(i).array().isNaN().all() == (i == 4));
        CHECK(weights.row(i).array().isNaN().all() == (i == 4));
        CHECK(std::isnan(sum[static_cast<std::size_t>(i)]) == (i == 4));
        CHECK(std::isnan(max[static_cast<std::size_t>(i)]) == (i == 4));
    }
}

TEST_CASE("scores that overflow make their row NaN, and are not taken for a mask") {
    auto q = drawn(8, 16, "q");
    const auto v = drawn(20, 16, "v");
    const Matrix<float> k = Matrix<float>::Ones(20, 16);
    q.row(4).setConstant(-3e38f);
    q.row(5).setConstant(-3e38f);
    std::vector<std::pair<Index, Index>> ranges(8, {3, 20}), forbidden = {{4, 2}, {4, 7}};
    ranges[2] = {0, 0};
    for (Index j = 3; j < 20; ++j) forbidden.push_back({5, j});
    Matrix<float> context(8, 16), weights(8, 20);
    std::vector<float> max(8), sum(8);
    attend({.q = view(std::as_const(q)),
            .k = view(k),
            .v = view(v),
            .context = view(context),
            .row_max = max,
            .row_sum = sum,
            .weights = weights.data(),
            .ranges = ranges,
            .forbidden = forbidden});
    for (Index i = 0; i < 8; ++i) {
        CHECK(context.row(i).array().isNaN().all() == (i == 4));
        CHECK(std::isnan(sum[static_cast<std::size_t>(i)]) == (i == 4));
        CHECK(weights.row(i).isZero() == (i == 2 || i == 5));
    }
}

TEST_CASE("widths that do not fit are named") {
    const auto q = drawn(2, 3, "q"), k = drawn(2, 4, "k");
    Matrix<float> context(2, 4);
    std::vector<float> max(2), sum(2);
    CHECK_THROWS_WITH(attend({.q = view(q),
                              .k = view(k),
                              .v = view(k),
                              .context = view(context),
                              .row_max = max,
                              .row_sum = sum}),
                      "queries are 3 wide, keys 4");
}
