#include "train/history.hpp"

#include "catch.hpp"

#include <algorithm>
#include <sstream>

using namespace heed;
using namespace heed::train;

namespace {

Progress progress(std::uint64_t step, double loss_per_token) {
    Progress p;
    p.step = step;
    p.rate = 0.5f;
    p.batch = {loss_per_token * 4, 4, 0, 0};
    p.norms.total = 2;
    return p;
}

} // namespace

TEST_CASE("a long training stays a short list of means") {
    History history;
    constexpr std::uint64_t kSteps = 5000;
    for (std::uint64_t s = 1; s <= kSteps; ++s) history.add(progress(s, static_cast<double>(s)));
    CHECK(history.losses().size() < History::kMostPoints);
    CHECK(history.losses().size() > History::kMostPoints / 2);
    for (const LossPoint& point : history.losses()) {
        const auto n = static_cast<double>(history.stride());
        CHECK(point.loss == Approx(static_cast<double>(point.step) - (n - 1) / 2));
    }
}

TEST_CASE("the film is dense where maps change fast") {
    std::vector<std::uint64_t> steps;
    for (std::uint64_t s = 0; s <= 3000; ++s) {
        if (is_film_step(s)) steps.push_back(s);
    }
    CHECK(steps == std::vector<std::uint64_t>{0, 10, 20, 50, 100, 200, 500, 1000, 2000, 3000});
}

TEST_CASE("the log has a line a step with its measures beside it") {
    History history;
    for (std::uint64_t s = 1; s <= 3; ++s) history.add(progress(s, 1.5));
    HeldOutPoint held{2, {}};
    held.measures.loss = 1.25;
    held.measures.exact_match = 0.5;
    history.held_out.push_back(held);
    std::istringstream lines(csv(history));
    std::string header, one, two, three, more;
    std::getline(lines, header);
    std::getline(lines, one);
    std::getline(lines, two);
    std::getline(lines, three);
    CHECK(header.starts_with("step,rate,loss,gradient_norm,held_out_loss"));
    CHECK(one == "1,0.5,1.5,2,,,,,");
    CHECK(two == "2,0.5,1.5,2,1.25,0,0.5,0,");
    CHECK(three == "3,0.5,1.5,2,,,,,");
    CHECK_FALSE(std::getline(lines, more));
    CHECK(std::count(header.begin(), header.end(), ',') == std::count(two.begin(), two.end(), ','));
}
