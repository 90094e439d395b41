#include "train/loop/film.hpp"

#include "catch.hpp"

#include <cmath>

using namespace heed;
using namespace heed::train;

namespace {

/// A map whose words have found their place by so much, 0 to 1.
FilmFrame frame(std::uint64_t step, float found) {
    num::Matrix<float> weights = num::Matrix<float>::Constant(3, 4, (1 - found) / 4);
    for (num::Index i = 0; i < 3; ++i) weights(i, i) += found;
    return {step, nullptr, 0, std::nullopt,
            std::make_shared<const num::Matrix<float>>(std::move(weights))};
}

/// As additive attention learns: nothing for long, then all at once, then little.
float found_at(std::uint64_t step) {
    return 1 / (1 + std::exp(-(static_cast<float>(step) - 350) / 40));
}

std::vector<std::uint64_t> steps_of(const Film& film) {
    std::vector<std::uint64_t> steps;
    for (const FilmFrame& each : film) steps.push_back(each.step);
    return steps;
}

} // namespace

TEST_CASE("a change is the share of the weights that lies elsewhere") {
    CHECK(change(frame(0, 0), frame(1, 0)) == 0);
    CHECK(change(frame(0, 0), frame(1, 1)) == Approx(0.75)); // a quarter was there already
    CHECK(change(frame(0, 0.2f), frame(1, 0.6f)) == Approx(0.3));
    FilmFrame other = frame(2, 1);
    other.weights = std::make_shared<const num::Matrix<float>>(num::Matrix<float>::Ones(2, 2));
    CHECK(change(frame(0, 1), other) == 1); // of another sentence
    other.weights = nullptr;
    other.accuracy = 0.75;
    FilmFrame silent = other;
    silent.accuracy = 0.25;
    CHECK(change(silent, other) == Approx(0.5)); // where nothing attends
}

TEST_CASE("frames are kept where the map moves, and none where it rests") {
    Film film;
    for (std::uint64_t step = 0; step <= 3000; step += 25) keep(film, frame(step, found_at(step)));
    REQUIRE(film.size() > 8);
    CHECK(film.size() <= kMostFrames);
    CHECK(film[0].step == 0);
    CHECK(film[1].step >= 200); // nothing moved before
    for (std::size_t i = 1; i < film.size(); ++i) {
        CHECK(change(film[i - 1], film[i]) >= kLeastChange);
    }
    for (std::uint64_t step = 275; step <= 425; step += 25) { // where it moves fast: every one
        CHECK(frame_at(film, step)->step == step);
    }
    CHECK(film.back().step < 600);
    keep(film, frame(3000, found_at(3000)), true); // the end is there at any rate
    CHECK(film.back().step == 3000);
}

TEST_CASE("of too many frames the one goes whose removal loses least") {
    Film film;
    const auto n = kMostFrames;
    for (std::size_t i = 0; i < n; ++i) {
        keep(film, frame(10 * i, static_cast<float>(i) * 0.04f));
    }
    REQUIRE(film.size() == n);
    film[7] = frame(70, 0.24f + 0.001f); // hardly another than the one before it
    keep(film, frame(1000, 1));
    CHECK(film.size() == n);
    const auto steps = steps_of(film);
    CHECK(steps.front() == 0);
    CHECK(steps.back() == 1000);
    const bool one_of_both =
        std::count(steps.begin(), steps.end(), 60) + std::count(steps.begin(), steps.end(), 70) ==
        1;
    CHECK(one_of_both);
}

TEST_CASE("a film of a long training is bounded, spread over its changes") {
    Film film;
    for (std::uint64_t step = 0; step <= 5000; ++step) {
        keep(film, frame(step, static_cast<float>(step) / 5000));
        REQUIRE(film.size() <= kMostFrames);
    }
    double widest = 0;
    for (std::size_t i = 1; i < film.size(); ++i) {
        widest = std::max(widest, change(film[i - 1], film[i]));
    }
    CHECK(widest < 0.15); // of 0.75 in all: no great hole
}

TEST_CASE("a moment between two frames shows the one before it") {
    Film film;
    keep(film, frame(10, 0));
    keep(film, frame(50, 0.5f));
    CHECK_FALSE(frame_at(film, 9));
    CHECK(frame_at(film, 10)->step == 10);
    CHECK(frame_at(film, 49)->step == 10);
    CHECK(frame_at(film, 5000)->step == 50);
}
