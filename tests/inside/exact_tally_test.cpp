#include "inside/exact_tally.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cmath>
#include <random>

using namespace heed;
using inside::ExactTally;

namespace {

std::vector<float> draws(std::size_t n) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<float> uniform(0, 11);
    std::vector<float> list(n);
    for (float& x : list) x = uniform(generator);
    return list;
}

} // namespace

TEST_CASE("a tally is the same in any order and in any parts") {
    std::vector<float> numbers = draws(5000);
    ExactTally whole;
    for (const float x : numbers) whole.add(x);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(4));
    for (const std::size_t parts : {1, 2, 7, 4999}) {
        std::vector<ExactTally> shards(parts);
        for (std::size_t i = 0; i < numbers.size(); ++i) shards[i % parts].add(numbers[i]);
        ExactTally merged;
        for (std::size_t i = parts; i-- > 0;) merged.add(shards[i]);
        CHECK(merged == whole);
    }
}

TEST_CASE("mean and spread are those of the numbers") {
    const std::vector<float> numbers = draws(2000);
    ExactTally tally;
    long double sum = 0, squares = 0;
    for (const float x : numbers) {
        tally.add(x);
        sum += static_cast<long double>(x);
    }
    const long double mean = sum / 2000;
    for (const float x : numbers)
        squares += (static_cast<long double>(x) - mean) * (static_cast<long double>(x) - mean);
    CHECK(tally.count() == 2000);
    CHECK(tally.mean() == Approx(static_cast<double>(mean)).epsilon(1e-10));
    CHECK(tally.spread() == Approx(static_cast<double>(std::sqrt(squares / 1999))).epsilon(1e-9));
}

TEST_CASE("equal numbers have no spread, one has none, and nothing has no mean") {
    ExactTally tally;
    CHECK(std::isnan(tally.mean()));
    CHECK(std::isnan(tally.spread()));
    tally.add(std::nanf(""));
    CHECK(tally.count() == 0);
    for (int i = 0; i < 1000; ++i) {
        tally.add(0.7f);
        CHECK(tally.spread() < 1e-9);
    }
    CHECK(tally.mean() == Approx(0.7f).epsilon(1e-9));
}

TEST_CASE("a tally is read back as it was written, and nothing else is") {
    ExactTally tally;
    for (const float x : draws(300)) tally.add(x);
    for (int i = 0; i < 300; ++i) tally.add(4096); // squares that need more than 64 bits
    const auto back = ExactTally::read(tally.text(), "a.csv");
    REQUIRE(back);
    CHECK(*back == tally);
    CHECK(ExactTally::read("0:0:0", "a.csv") == ExactTally());
    for (const char* text : {"", ":", "1:2", "x:1:1", "1:g:1", "1:1:", "1::1", "-1:1:1", "1:1:1 ",
                             "1:100000000000000000000000000000000:1"}) {
        INFO(text);
        const auto bad = ExactTally::read(text, "a.csv");
        REQUIRE_FALSE(bad);
        CHECK(bad.error().subject == "a.csv");
    }
}
