#include "base/check.hpp"
#include "nn/attention/position.hpp"
#include "reference_arrays.hpp"

#include <cmath>
#include <string>
#include <utility>

using namespace heed;
using namespace heed::tests;
using nn::Index;

TEST_CASE("sinusoidal positions agree with PyTorch") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const auto& a = nn_arrays();
        check_close(nn::sinusoidal_table<S>(6, 8), a.at("positions/sinusoidal"), kTolerance<S>);
        check_close(nn::sinusoidal_table<S>(3, 8, 1500), a.at("positions/sinusoidal_late"),
                    kTolerance<S>);
        check_close(nn::sinusoidal_table<S>(4, 5), a.at("positions/sinusoidal_odd"), kTolerance<S>);
    });
}

TEST_CASE("PE(p + k) is a rotation of PE(p)") {
    const Index d = 16;
    const auto table = nn::sinusoidal_table<double>(400, d);
    for (const Index k : {1, 7, 130}) {
        // The rotation is made from k alone, and holds for every p.
        for (Index p = 0; p + k < table.rows(); p += 23) {
            for (Index c = 0; c < d / 2; ++c) {
                const double w = double(k) * std::pow(10000.0, -2.0 * double(c) / double(d));
                const double sine = table(p, 2 * c), cosine = table(p, 2 * c + 1);
                CHECK(std::abs(table(p + k, 2 * c) - (sine * std::cos(w) + cosine * std::sin(w))) <
                      1e-12);
                CHECK(std::abs(table(p + k, 2 * c + 1) -
                               (cosine * std::cos(w) - sine * std::sin(w))) < 1e-12);
            }
        }
    }
}

TEST_CASE("rotary positions agree with PyTorch's complex numbers") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        auto q = nn_arrays().at<S>("scores/q"), k = nn_arrays().at<S>("scores/k");
        num::Matrix<S> turned(k.rows(), k.cols());
        nn::rotate<S>(num::view(std::as_const(k)), 700, num::view(turned));
        check_close(turned, nn_arrays().at("positions/rotary_late"), kTolerance<S>);
        nn::rotate<S>(num::view(std::as_const(q)), 0, num::view(q)); // in place
        check_close(q, nn_arrays().at("positions/rotary"), kTolerance<S>);
    });
}

TEST_CASE("turned q and k make a product that depends on their offset only") {
    num::Matrix<double> q(1, 7), k(1, 7); // the last feature has no partner and stays
    q << 0.3, -1.2, 0.7, 2.0, -0.4, 0.1, 0.9;
    k << 1.1, 0.2, -0.6, 0.8, 1.5, -0.3, 0.5;
    const auto product = [&](Index at_q, Index at_k) {
        num::Matrix<double> a(1, 7), b(1, 7);
        nn::rotate<double>(num::view(std::as_const(q)), at_q, num::view(a));
        nn::rotate<double>(num::view(std::as_const(k)), at_k, num::view(b));
        return a.row(0).dot(b.row(0));
    };
    for (const Index offset : {0, 1, 5, 40}) {
        for (const Index start : {0, 3, 900}) {
            CHECK(product(start, start + offset) == Approx(product(50, 50 + offset)).epsilon(1e-9));
        }
    }
    CHECK(product(0, 0) == Approx(q.row(0).dot(k.row(0))));
    CHECK(product(0, 3) != Approx(product(0, 4)));
}

TEST_CASE("ALiBi slopes are those of the paper, also for head counts that are no power of two") {
    for (const Index heads : {1, 2, 8, 12}) {
        const auto slopes = nn::alibi_slopes<double>(heads);
        const auto expected = nn_arrays().at("positions/alibi_slopes_" + std::to_string(heads));
        REQUIRE(static_cast<Index>(slopes.size()) == expected.cols());
        for (Index h = 0; h < heads; ++h) {
            CHECK(slopes[static_cast<std::size_t>(h)] == Approx(expected(0, h)).epsilon(1e-14));
        }
    }
    // "For 8 heads, the slopes are 1/2, 1/4, …, 1/256."
    const auto eight = nn::alibi_slopes<double>(8);
    for (int h = 0; h < 8; ++h) CHECK(eight[std::size_t(h)] == std::exp2(-(h + 1)));
}

TEST_CASE("ALiBi counts back from the query in a decoder and away from it elsewhere") {
    const auto directed =
        nn::position_bias<double>(nn::Positions::alibi, 0, 8, true, nullptr, 3, 4);
    const auto both = nn::position_bias<double>(nn::Positions::alibi, 0, 8, false, nullptr, 3, 4);
    REQUIRE(directed.size() == 6);
    for (Index offset = -2; offset <= 3; ++offset) {
        CHECK(directed[std::size_t(offset + 2)] == 0.5 * double(offset));
        CHECK(both[std::size_t(offset + 2)] == -0.5 * std::abs(double(offset)));
    }
}

TEST_CASE("relative buckets are those of T5") {
    const auto directed = nn_arrays().at("positions/buckets_directed");
    const auto both = nn_arrays().at("positions/buckets");
    for (Index offset = -200; offset <= 200; ++offset) {
        INFO("offset " << offset);
        CHECK(double(nn::relative_bucket(offset, true)) == directed(0, offset + 200));
        CHECK(double(nn::relative_bucket(offset, false)) == both(0, offset + 200));
    }
}

TEST_CASE("a relative bias is the head's column of the table") {
    num::Matrix<float> table(32, 2);
    for (Index b = 0; b < 32; ++b) table.row(b) << float(b), float(100 + b);
    const auto bias = nn::position_bias<float>(nn::Positions::relative, 1, 2, false, &table, 3, 3);
    CHECK(bias == std::vector<float>{102, 101, 100, 117, 118});
    CHECK(nn::position_bias<float>(nn::Positions::rotary, 0, 2, false, &table, 3, 3).empty());
    CHECK_THROWS_AS(nn::position_bias<float>(nn::Positions::relative, 0, 3, false, &table, 3, 3),
                    base::ContractError);
}

TEST_CASE("positions join the embedding by adding or by concatenating") {
    num::ThreadPool pool(1);
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        const auto& a = nn_arrays();
        const auto embedding = a.at<S>("join/embedding"), positions = a.at<S>("join/positions");
        check_close(
            nn::join_positions(pool, nn::Join::add, num::Weights<S>(), embedding, positions),
            a.at("join/add"), kTolerance<S>);
        check_close(nn::join_positions(pool, nn::Join::concatenate,
                                       num::Weights<S>(a.at<S>("join/W")), embedding, positions),
                    a.at("join/concatenate"), kTolerance<S>);
    });
}

TEST_CASE("adding positions is concatenating with one identity above another") {
    num::ThreadPool pool(1);
    const auto embedding = nn_arrays().at("join/embedding");
    const auto positions = nn_arrays().at("join/positions");
    const num::Weights<double> identities(nn::adding_matrix<double>(embedding.cols()));
    check_close(nn::join_positions(pool, nn::Join::concatenate, identities, embedding, positions),
                nn::join_positions(pool, nn::Join::add, {}, embedding, positions), 1e-15);
}

TEST_CASE("learned positions are rows of a table, and more tokens than rows are an error") {
    const auto table = nn_arrays().at<float>("embed/table");
    CHECK(nn::learned_positions(table, 4) == table.topRows(4));
    CHECK_THROWS_AS(nn::learned_positions(table, 10), base::ContractError);
}

TEST_CASE("every kind of positions is found by its name") {
    for (const auto p : nn::kPositions) CHECK(nn::positions_named(nn::name(p)) == p);
    CHECK(!nn::positions_named("absolute"));
}
