#include "base/check.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "reference_arrays.hpp"

#include <string>

using namespace heed;
using namespace heed::tests;

namespace {

template <class S> nn::ScoreParams<S> reference_params(const std::string& suffix = "") {
    const auto& a = nn_arrays();
    return {a.at<S>("scores/W"), a.at<S>("scores/U" + suffix), a.at<S>("scores/v"),
            a.at<S>("scores/B" + suffix)};
}

template <class S>
num::Matrix<S> score_map(nn::Score score, const nn::ScoreParams<S>& params, const num::Matrix<S>& q,
                         const num::Matrix<S>& k, S factor = 1) {
    num::Matrix<S> out(q.rows(), k.rows());
    nn::scores<S>(score, &params, num::view(q), num::view(k), factor, num::view(out));
    return out;
}

} // namespace

TEST_CASE("every score agrees with PyTorch") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const auto q = nn_arrays().at<S>("scores/q"), k = nn_arrays().at<S>("scores/k");
        for (const nn::Score score : nn::kScores) {
            const std::string name(nn::name(score));
            INFO(name);
            check_close(score_map(score, reference_params<S>(), q, k),
                        nn_arrays().at("scores/" + name), kTolerance<S>);
        }
    });
}

TEST_CASE("additive, concat and bilinear compare vectors of different widths") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const auto q = nn_arrays().at<S>("scores/q"), k = nn_arrays().at<S>("scores/k_wide");
        for (const char* name : {"additive", "concat", "bilinear"}) {
            INFO(name);
            check_close(score_map(*nn::score_named(name), reference_params<S>("_wide"), q, k),
                        nn_arrays().at("scores/" + std::string(name) + "_wide"), kTolerance<S>);
        }
    });
}

TEST_CASE("a factor multiplies every score") {
    const auto q = nn_arrays().at("scores/q"), k = nn_arrays().at("scores/k");
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        const auto once = score_map(score, reference_params<double>(), q, k);
        check_close(score_map(score, reference_params<double>(), q, k, -2.5), once * -2.5, 1e-14);
    }
}

TEST_CASE("splitting W1 of concat gives W and U of additive") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const auto params = nn::draw_score_params<S>(7, "somewhere", 4, 3, 5);
        const num::Matrix<S> w1 = nn::concat_matrix(params);
        REQUIRE(w1.rows() == 7);
        const auto q = nn_arrays().at<S>("scores/q"), k = nn_arrays().at<S>("scores/k_wide");
        // w2 · tanh([q; k] W1), pair by pair.
        num::Matrix<double> slow(q.rows(), k.rows());
        for (num::Index i = 0; i < q.rows(); ++i) {
            for (num::Index j = 0; j < k.rows(); ++j) {
                num::RowVector<S> both(7);
                both << q.row(i), k.row(j);
                const num::RowVector<S> hidden = (both * w1).array().tanh();
                slow(i, j) = static_cast<double>(hidden.dot(params.hidden));
            }
        }
        check_close(score_map(nn::Score::concat, params, q, k), slow, kTolerance<S>);
        CHECK(score_map(nn::Score::concat, params, q, k) ==
              score_map(nn::Score::additive, params, q, k));
    });
}

TEST_CASE("scores of long sentences are made in blocks without a seam") {
    const auto params = nn::draw_score_params<double>(1, "long", 8, 8, 64);
    num::Matrix<double> q(3, 8), k(150, 8);
    q.setConstant(0.3);
    for (num::Index j = 0; j < k.rows(); ++j) k.row(j).setConstant(std::sin(double(j)));
    const auto whole = score_map(nn::Score::additive, params, q, k);
    for (num::Index j = 0; j < k.rows(); ++j) {
        const num::Matrix<double> one = k.row(j);
        CHECK(score_map(nn::Score::additive, params, q, one)(2, 0) == Approx(whole(2, j)));
    }
}

TEST_CASE("a score that compares vectors of one width names both when they differ") {
    const num::Matrix<double> q = num::Matrix<double>::Ones(2, 4);
    const num::Matrix<double> k = num::Matrix<double>::Ones(3, 6);
    for (const nn::Score score : {nn::Score::dot, nn::Score::scaled_dot, nn::Score::cosine}) {
        INFO(nn::name(score));
        const auto result = nn::check_widths(score, 4, 6);
        REQUIRE(!result);
        CHECK(result.error().kind == base::ErrorKind::mismatch);
        for (const char* number : {"4", "6"}) {
            CHECK(result.error().message.find(number) != std::string::npos);
        }
        try {
            score_map(score, {}, q, k);
            FAIL("no error");
        } catch (const base::ContractError& error) {
            const std::string message = error.what();
            CHECK(message.find('4') != std::string::npos);
            CHECK(message.find('6') != std::string::npos);
        }
    }
    CHECK(nn::check_widths(nn::Score::additive, 4, 6));
    CHECK(nn::check_widths(nn::Score::dot, 4, 4));
}

TEST_CASE("a score without its parameters is a broken contract") {
    const num::Matrix<double> q = num::Matrix<double>::Ones(2, 4);
    num::Matrix<double> out(2, 2);
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        const auto call = [&] {
            nn::scores<double>(score, nullptr, num::view(q), num::view(q), 1.0, num::view(out));
        };
        if (nn::has_parameters(score)) {
            CHECK_THROWS_AS(call(), base::ContractError);
        } else {
            CHECK_NOTHROW(call());
        }
    }
    CHECK_THROWS_AS(
        score_map(nn::Score::bilinear, nn::draw_score_params<double>(1, "x", 3, 3, 3), q, q),
        base::ContractError);
}

TEST_CASE("a vector without length has a cosine of 0 with everything") {
    const auto map = score_map<float>(nn::Score::cosine, {}, nn_arrays().at<float>("scores/q"),
                                      nn_arrays().at<float>("scores/k"));
    CHECK(map.row(2) == num::RowVector<float>::Zero(6));
}

TEST_CASE("cosine neither overflows nor vanishes") {
    num::Matrix<float> q(2, 2), k(1, 2);
    q << 1e30f, 0, 1e-30f, 1e-30f;
    k << 2e25f, 0;
    const auto map = score_map<float>(nn::Score::cosine, {}, q, k);
    CHECK(map(0, 0) == Approx(1));
    CHECK(map(1, 0) == Approx(std::sqrt(0.5)));
}

TEST_CASE("drawn score parameters depend on seed and place alone, and agree in both scalars") {
    const auto a = nn::draw_score_params<float>(3, "head", 4, 5, 6);
    const auto b = nn::draw_score_params<double>(3, "head", 4, 5, 6);
    CHECK(a.query.rows() == 4);
    CHECK(a.key.rows() == 5);
    CHECK(a.hidden.cols() == 6);
    CHECK(a.bilinear.cols() == 5);
    check_close(a.query, b.query, 1e-6);
    check_close(a.bilinear, b.bilinear, 1e-6);
    CHECK(nn::draw_score_params<float>(3, "head", 4, 5, 6).key == a.key);
    CHECK(nn::draw_score_params<float>(4, "head", 4, 5, 6).key != a.key);
    CHECK(nn::draw_score_params<float>(3, "other", 4, 5, 6).key != a.key);
}

TEST_CASE("every score is found by its name") {
    for (const nn::Score score : nn::kScores) CHECK(nn::score_named(nn::name(score)) == score);
    CHECK(!nn::score_named("dots"));
}
