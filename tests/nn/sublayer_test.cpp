// Norm, feed-forward, embedding and dropout.
#include "base/check.hpp"
#include "nn/attention/dropout.hpp"
#include "nn/layers/embedding.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/norm.hpp"
#include "reference_arrays.hpp"

#include <vector>

using namespace heed;
using namespace heed::tests;
using nn::Index;

TEST_CASE("layer norm agrees with PyTorch, also of a sum") {
    num::ThreadPool pool(1);
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        const auto& a = nn_arrays();
        nn::LayerNormParams<S> params{a.at<S>("norm/gain"), a.at<S>("norm/shift"), S(1e-5)};
        const auto x = a.at<S>("join/embedding"), y = a.at<S>("join/positions");
        const auto plain = nn::layer_norm_forward(pool, params, x);
        check_close(plain.y, a.at("norm/expected"), kTolerance<S>);
        REQUIRE(plain.cache.mean.size() == 5);
        CHECK(plain.cache.mean[3] == Approx(x.row(3).mean()).epsilon(1e-5));
        params.epsilon = S(1e-3);
        check_close(nn::layer_norm_forward(pool, params, x, &y).y, a.at("norm/sum"), kTolerance<S>);
        check_close(nn::residual_sum(pool, x, y), a.at("join/add"), kTolerance<S>);
    });
}

TEST_CASE("a row without variance is the shift after layer norm") {
    num::ThreadPool pool(1);
    const num::RowVector<float> gain = num::RowVector<float>::Constant(4, 2);
    const num::RowVector<float> shift = num::RowVector<float>::LinSpaced(4, 0, 3);
    const num::Matrix<float> x = num::Matrix<float>::Constant(2, 4, 7);
    const auto norm = nn::layer_norm_forward<float>(pool, {gain, shift}, x);
    CHECK(norm.y.row(1) == shift);
}

TEST_CASE("layer norm of many rows is the same on two threads") {
    num::ThreadPool one(1), two(2);
    num::Matrix<float> x(301, 96);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(float(i) * 0.7f);
    const nn::LayerNormParams<float> params{num::RowVector<float>::Ones(96),
                                            num::RowVector<float>::Zero(96)};
    CHECK(nn::layer_norm_forward(one, params, x).y == nn::layer_norm_forward(two, params, x).y);
    CHECK(nn::residual_sum(one, x, x) == nn::residual_sum(two, x, x));
}

TEST_CASE("GELU agrees with PyTorch") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const auto x = nn_arrays().at<S>("gelu/x");
        num::Matrix<S> y = x.unaryExpr([](S v) { return nn::activate(nn::Activation::gelu, v); });
        check_close(y, nn_arrays().at("gelu/expected"), kTolerance<S>);
    });
}

TEST_CASE("feed-forward is two linear maps around its activation") {
    num::ThreadPool pool(1);
    const auto& a = nn_arrays();
    const auto x = a.at("layers/source");
    const num::Matrix<double> w1 = a.at("encoder/linear1.weight").transpose();
    const num::Matrix<double> w2 = a.at("encoder/linear2.weight").transpose();
    const num::RowVector<double> b1 = a.at("encoder/linear1.bias"),
                                 b2 = a.at("encoder/linear2.bias");
    const nn::FeedForwardParams<double> params{num::Weights<double>(w1), num::Weights<double>(w2),
                                               b1, b2};
    const num::Matrix<double> linear = (x * w1).rowwise() + b1;
    const auto relu = nn::feed_forward(pool, params, nn::Activation::relu, x);
    check_close(relu.hidden, linear.cwiseMax(0.0), 1e-13);
    check_close(relu.output, ((linear.cwiseMax(0.0) * w2).rowwise() + b2).eval(), 1e-13);
    const auto gelu = nn::feed_forward(pool, params, nn::Activation::gelu, x);
    check_close(gelu.linear, linear, 1e-13);
    CHECK(gelu.hidden(2, 3) == Approx(nn::activate(nn::Activation::gelu, linear(2, 3))));
    CHECK_THROWS_AS(nn::feed_forward(pool, params, nn::Activation::relu, w1), base::ContractError);
}

TEST_CASE("a token's row of the table is multiplied by the root of d_model") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const std::vector<Index> rows{3, 0, 8, 3};
        const auto table = nn_arrays().at<S>("embed/table");
        check_close(nn::embed<S>(table, rows), nn_arrays().at("embed/expected"), kTolerance<S>);
        const std::vector<Index> beyond{9};
        CHECK_THROWS_AS(nn::embed<S>(table, beyond), base::ContractError);
    });
}

TEST_CASE("dropout drops its share, keeps the mean, and can be made again cell by cell") {
    const nn::Dropout dropout({0.3f, 5}, "encoder.dropout");
    num::Matrix<double> x = num::Matrix<double>::Ones(200, 100);
    nn::apply(dropout, x);
    const double dropped = (x.array() == 0).cast<double>().mean();
    // Five deviations of 20 000 draws.
    CHECK(dropped == Approx(0.3).margin(5 * std::sqrt(0.3 * 0.7 / 20000)));
    for (const Index cell : {0, 17, 12345}) {
        CHECK(x.data()[cell] == dropout.factor<double>(cell));
        CHECK((x.data()[cell] == 0 || x.data()[cell] == Approx(1 / 0.7)));
    }
    num::Matrix<double> other = num::Matrix<double>::Ones(200, 100);
    nn::apply(nn::Dropout({0.3f, 5}, "decoder.dropout"), other);
    CHECK(other != x);
    num::Matrix<double> same = num::Matrix<double>::Ones(200, 100);
    nn::apply(nn::Dropout({0, 5}, "encoder.dropout"), same);
    CHECK(same == num::Matrix<double>::Ones(200, 100));
}
