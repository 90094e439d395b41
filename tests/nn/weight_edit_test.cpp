#include "catch.hpp"
#include "nn/attention/attention.hpp"
#include "nn/attention/weight_edit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace heed;
using nn::WeightEdit;
using num::Index;
using num::Matrix;

namespace {

std::vector<double> edited(std::vector<double> row, const std::vector<WeightEdit>& edits) {
    nn::apply_edits<double>(edits, row.data(), static_cast<Index>(row.size()));
    return row;
}

bool near(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == Approx(y).margin(1e-12); });
}

template <class S> Matrix<S> wave(Index rows, Index cols, double step) {
    Matrix<S> x(rows, cols);
    for (Index i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<S>(std::sin(step * static_cast<double>(i * i % 1009)));
    }
    return x;
}

template <class S>
nn::AttentionCache<S> attended(const std::vector<WeightEdit>& edits, float dropout,
                               std::vector<S>& weights) {
    num::ThreadPool pool(2);
    const Index n = 6, m = 7, d = 8;
    nn::AttentionParams<S> params;
    params.query = num::Weights<S>(wave<S>(d, d, 0.31));
    params.key = num::Weights<S>(wave<S>(d, d, 0.17));
    params.value = num::Weights<S>(wave<S>(d, d, 0.23));
    params.output = num::Weights<S>(wave<S>(d, d, 0.41));
    std::vector<nn::Head<S>> heads(2);
    heads[1].settings.edits = edits;
    heads[1].settings.gain = S(0.5);
    for (auto& head : heads) {
        head.settings.gamma = S(0.3);
        head.settings.dropout = dropout;
    }
    weights.resize(static_cast<std::size_t>(2 * n * m));
    return nn::attention_forward<S>(pool, params, wave<S>(n, d, 0.7), wave<S>(m, d, 0.9), heads,
                                    {.name = "module", .all_weights = weights.data()});
}

} // namespace

TEST_CASE("an edited weight stands and the others share the rest as before") {
    CHECK(near(edited({0.5, 0.3, 0.2}, {{0, 0, 0.0f}}), {0, 0.6, 0.4}));
    CHECK(near(edited({0.5, 0.3, 0.2}, {{0, 2, 0.5f}}), {0.3125, 0.1875, 0.5}));
    CHECK(near(edited({0.5, 0.3, 0.2}, {{0, 0, 0.25f}, {0, 1, 0.25f}}), {0.25, 0.25, 0.5}));
}

TEST_CASE("weights given to all, or too much of them, are scaled to sum to one") {
    CHECK(near(edited({0.5, 0.5}, {{0, 0, 0.75f}, {0, 1, 0.75f}}), {0.5, 0.5}));
    CHECK(near(edited({1, 0}, {{0, 0, 0.25f}}), {1, 0}));
    CHECK(near(edited({0.2, 0.8}, {{0, 0, 1.0f}}), {1, 0}));
}

TEST_CASE("a row without a key gets what it is given, and nothing when that is nothing") {
    CHECK(near(edited({0, 0, 0}, {{0, 1, 0.5f}}), {0, 1, 0}));
    CHECK(near(edited({0, 0, 0}, {{0, 1, 0.0f}}), {0, 0, 0}));
}

TEST_CASE("the context of an edited row is made of its edited weights") {
    const std::vector<WeightEdit> edits{{1, 0, 0.5f}, {1, 3, 0.25f}, {4, 6, 1.0f}};
    for (const float dropout : {0.0f, 0.25f}) {
        std::vector<double> in_double;
        std::vector<float> in_float;
        const auto exact = attended<double>(edits, dropout, in_double);
        const auto cache = attended<float>(edits, dropout, in_float);
        CHECK((cache.context.cast<double>() - exact.context).cwiseAbs().maxCoeff() < 1e-5);
        for (std::size_t i = 0; i < in_float.size(); ++i) {
            CHECK(in_float[i] == Approx(in_double[i]).margin(1e-6));
        }
        Matrix<float> part(2, 2);
        nn::head_weights<float>(cache, 1, {3, 5, 2, 2}, num::view(part));
        CHECK(part(1, 1) == in_float[static_cast<std::size_t>((6 + 4) * 7 + 6)]);
        if (dropout > 0) continue;
        CHECK(part(1, 1) == 1);
        Matrix<float> row(1, 7);
        nn::head_weights<float>(cache, 1, {1, 0, 1, 7}, num::view(row));
        CHECK(row(0, 0) == 0.5f);
        CHECK(row.sum() == Approx(1));
        const Matrix<float> context = 0.5f * row * cache.v.middleCols(4, 4);
        CHECK(cache.context.block(1, 4, 1, 4).isApprox(context, 1e-5f));
    }
}

TEST_CASE("an edit changes no other row and no other head") {
    std::vector<float> before, after;
    const auto plain = attended<float>({}, 0, before);
    const auto cache = attended<float>({{2, 2, 0.9f}}, 0, after);
    CHECK(cache.context.leftCols(4) == plain.context.leftCols(4));
    for (const Index row : {0, 1, 3, 4, 5}) CHECK(cache.context.row(row) == plain.context.row(row));
    CHECK(cache.context.row(2) != plain.context.row(2));
}
