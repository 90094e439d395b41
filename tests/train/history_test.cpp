#include "train/loop/history_text.hpp"

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

TEST_CASE("the log has a line a step with its measures beside it") {
    History history;
    for (std::uint64_t s = 1; s <= 3; ++s) history.add(progress(s, 1.5));
    HeldOutPoint held{2, {}, {}};
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
    CHECK(one == "1,0.5,1.5,2,,,,,,");
    CHECK(two == "2,0.5,1.5,2,1.25,0,0.5,0,,0");
    CHECK(three == "3,0.5,1.5,2,,,,,,");
    CHECK_FALSE(std::getline(lines, more));
    CHECK(std::count(header.begin(), header.end(), ',') == std::count(two.begin(), two.end(), ','));
}

TEST_CASE(
    "what is measured on all sentences at the end is no part of the curve of a part of them") {
    const auto measured = [](std::uint64_t step, std::size_t sentences, bool of_all = false) {
        HeldOutPoint point{step, {}, {}, of_all};
        point.measures.by_length = {{3, sentences - 10, 0}, {4, 10, 0}};
        return point;
    };
    History history;
    CHECK(measured_on_all(history) == nullptr);
    history.add(measured(10, 56));
    history.add(measured(20, 56));
    history.add(measured(20, 56)); // once more
    CHECK(history.held_out.size() == 2);
    CHECK(measured_on_all(history) == nullptr);
    history.add(measured(20, 213, true)); // beside the one that the curve ends with
    REQUIRE(history.held_out.size() == 3);
    REQUIRE(measured_on_all(history) == &history.held_out.back());
    CHECK(sentences_of(history.held_out.back().measures) == 213);
    CHECK_FALSE(history.held_out[1].of_all);
    CHECK(measured_at(history, 20) == &history.held_out.back());
    const auto read = read_history(write_history(history));
    REQUIRE(read);
    REQUIRE(measured_on_all(*read));
    CHECK(measured_on_all(*read)->step == 20);
    CHECK_FALSE(read->held_out[1].of_all);
    // A point says so itself: one of more sentences is not of all for that.
    history.add(measured(30, 300));
    CHECK(measured_on_all(history) == nullptr);
    history.held_out.pop_back();
    const std::string lines = csv(history);
    CHECK(lines.find("alignment_error_rate,sentences\n") != std::string::npos);
    CHECK(lines.find("20,,,,0,0,0,0,,56\n20,,,,0,0,0,0,,213\n") != std::string::npos);
}

TEST_CASE("curves come back from the notes of a checkpoint and go on as if they had never ended") {
    History history, unbroken;
    for (std::uint64_t s = 1; s <= 1500; ++s) {
        history.add(progress(s, 1.0 / static_cast<double>(s)));
        unbroken.add(progress(s, 1.0 / static_cast<double>(s)));
    }
    HeldOutPoint held{700, {}, {}};
    held.samples = std::make_shared<std::vector<Sample>>(1, Sample{3, {"the", "\u732b"}, true});
    held.measures.loss = 0.1;
    held.measures.alignment_error_rate = 0.25;
    held.measures.by_length = {{3, 10, 9}, {4, 8, 2}};
    history.held_out.push_back(held);
    auto read = read_history(write_history(history));
    if (!read) FAIL(base::describe(read.error()));
    REQUIRE(read->held_out.size() == 1);
    CHECK(read->held_out[0].step == 700);
    CHECK(read->held_out[0].measures.loss == 0.1);
    CHECK(read->held_out[0].measures.alignment_error_rate == 0.25);
    CHECK(read->held_out[0].measures.by_length == held.measures.by_length);
    REQUIRE(read->held_out[0].samples);
    REQUIRE(read->held_out[0].samples->size() == 1);
    CHECK(read->held_out[0].samples->front().pair == 3);
    CHECK(read->held_out[0].samples->front().said == held.samples->front().said);
    CHECK(read->held_out[0].samples->front().right);
    for (std::uint64_t s = 1501; s <= 2500; ++s) {
        read->add(progress(s, 1.0));
        unbroken.add(progress(s, 1.0));
    }
    read->held_out.clear();
    CHECK(csv(*read) == csv(unbroken));
}

TEST_CASE("of very many measures some stay, evenly spaced, and the notes stay small") {
    History history;
    Measures measures;
    for (int length = 3; length < 31; ++length) measures.by_length.push_back({length, 100, 50});
    for (std::uint64_t step = 1; step <= 30'000; ++step) {
        measures.loss = 1 / static_cast<double>(step);
        history.add(HeldOutPoint{step, measures, {}});
        REQUIRE(history.held_out.back().step == step);
    }
    CHECK(history.held_out.size() <= History::kMostMeasures);
    CHECK(history.held_out.size() > History::kMostMeasures / 4);
    CHECK(std::is_sorted(history.held_out.begin(), history.held_out.end(),
                         [](const auto& a, const auto& b) { return a.step <= b.step; }));
    CHECK(history.held_out.front().step == 1);
    std::uint64_t widest = 0;
    for (std::size_t i = 1; i < history.held_out.size(); ++i) {
        widest = std::max(widest, history.held_out[i].step - history.held_out[i - 1].step);
    }
    CHECK(widest <= 30'000 / 256); // a curve of some hundred points has no hole
    CHECK(write_history(history).size() < (2u << 20));
    history.add(HeldOutPoint{30'000, {}, {}}); // measured once more
    CHECK(history.held_out.back().measures.by_length.empty());
    CHECK(history.held_out[history.held_out.size() - 2].step == 29'999);
}

TEST_CASE("notes that are no history are an error") {
    for (const char* text :
         {"", "{}", "[]", "{\"stride\": -1}", "{\"stride\": 1, \"losses\": [[1]]}",
          "{\"stride\":1,\"losses\":3,\"open\":[],\"in_open\":0,\"held_out\":[]}"}) {
        INFO(text);
        CHECK_FALSE(read_history(text));
    }
}

TEST_CASE("what is measured depends on the step alone, and most of it is early") {
    const auto steps_of = [](std::uint64_t all) {
        std::vector<std::uint64_t> steps;
        for (std::uint64_t s = 0; s <= all; ++s) {
            if (is_measured_step(s, all)) steps.push_back(s);
        }
        return steps;
    };
    CHECK(steps_of(40) == std::vector<std::uint64_t>{10, 20, 30, 40});
    CHECK(steps_of(1200).size() == 300 / 10 + 900 / 60);
    const auto usual = steps_of(3000);
    CHECK(usual.size() < 50); // as many as a window has time for
    for (std::uint64_t s = 25; s <= 750; s += 25) {
        CHECK(std::count(usual.begin(), usual.end(), s) == 1); // where attention forms
    }
}

TEST_CASE("a moment has the measures and the words of that moment") {
    History history;
    for (const std::uint64_t step : {0u, 25u, 50u}) {
        Evaluation found;
        found.measures.loss = static_cast<double>(step);
        for (std::size_t i = 0; i < 64; ++i) found.samples.push_back({i, {"a"}, false});
        history.add(held_out_point(step, found));
    }
    REQUIRE(measured_at(history, 49));
    CHECK(measured_at(history, 49)->step == 25);
    CHECK(measured_at(history, 49)->measures.loss == 25);
    CHECK(measured_at(history, 49)->samples->size() == HeldOutPoint::kSamples);
    CHECK(measured_at(history, 3000)->step == 50);
    CHECK_FALSE(measured_at(History(), 3));
}
