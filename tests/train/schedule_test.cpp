#include "train/loop/schedule.hpp"

#include "reference_arrays.hpp"

using namespace heed;
using train::Schedule;

namespace {

void check_rates(const Schedule& schedule, const std::string& name) {
    const auto expected = tests::ReferenceArrays("train.txt").at(name);
    for (num::Index i = 0; i < expected.size(); ++i) {
        INFO("step " << i + 1);
        const float rate = train::rate_at(schedule, static_cast<std::uint64_t>(i) + 1);
        CHECK(rate == Approx(expected(0, i)).epsilon(1e-6));
    }
}

} // namespace

TEST_CASE("a constant rate stays") {
    CHECK(train::rate_at({.rate = 0.5f}, 1) == 0.5f);
    CHECK(train::rate_at({.rate = 0.5f}, 1'000'000) == 0.5f);
}

TEST_CASE("rates drop as PyTorch's StepLR does") {
    check_rates({.kind = Schedule::Kind::step, .rate = 0.25f, .every = 5, .drop = 0.3f},
                "rates/step");
}

TEST_CASE("fall is warm-up's schedule without its rise") {
    const Schedule warm_up{.kind = Schedule::Kind::warm_up, .rate = 0.5f, .warm_up = 10};
    Schedule fall = warm_up;
    fall.kind = Schedule::Kind::fall;
    for (std::uint64_t step = 1; step <= 10; ++step) CHECK(train::rate_at(fall, step) == 0.5f);
    for (std::uint64_t step = 10; step < 100; ++step) {
        CHECK(train::rate_at(fall, step) == train::rate_at(warm_up, step));
    }
}

TEST_CASE("warm-up is equation 3 of the 2017 paper") {
    check_rates(
        {.kind = Schedule::Kind::warm_up, .rate = train::warm_up_rate(512, 7), .warm_up = 7},
        "rates/warm_up");
}
