#include "catch.hpp"

#include "figure/views/training_room.hpp"
#include "golden.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <cmath>

using namespace heed::figure;
using namespace heed;
using namespace samples;

namespace {

Frame frame_of(float width, float height, const Theme& theme = dark_theme()) {
    Frame frame;
    frame.width = width;
    frame.height = height;
    frame.theme = &theme;
    frame.measure = &plain_measure;
    return frame;
}

LearnerCurves learner(const std::string& name, double speed) {
    auto history = std::make_shared<train::History>();
    for (std::uint64_t step = 1; step <= 60; ++step) {
        train::Progress progress;
        progress.step = step;
        progress.batch = {10 * std::exp(-speed * static_cast<double>(step)), 10, 0, 0};
        history->add(progress);
        if (step % 20 != 0) continue;
        train::HeldOutPoint held{step, {}};
        held.measures.loss = 1.1 * std::exp(-speed * static_cast<double>(step));
        held.measures.exact_match = 1 - std::exp(-speed * static_cast<double>(step));
        history->held_out.push_back(held);
    }
    return {name, history, {{3, 10, 9}, {4, 10, 7}, {6, 10, 2}}};
}

TrainingRoomData half_way() {
    TrainingRoomData data;
    data.learners = {learner("last state", 0.005), learner("additive attention", 0.05)};
    data.steps = 100;
    Matrix<float> weights(3, 2);
    weights << 0.9f, 0.1f, 0.2f, 0.8f, 0.5f, 0.5f;
    data.alignment = std::make_shared<const Matrix<float>>(weights);
    data.rows = {"I", "ate", "⟨end⟩"};
    data.columns = {"我", "吃"};
    data.alignment_subtitle = "additive attention";
    return data;
}

} // namespace

TEST_CASE("the training room is as approved") {
    CHECK(difference_from_golden("training_room",
                                 dump(training_room(half_way(), frame_of(940, 700)))) == "");
}

TEST_CASE("before the first step the cards say what will come") {
    TrainingRoomData data = half_way();
    for (LearnerCurves& one : data.learners) {
        one.history = std::make_shared<train::History>();
        one.by_length.clear();
    }
    data.alignment = nullptr;
    data.no_alignment = "This model does not attend";
    const std::string dumped = dump(training_room(data, frame_of(940, 700)));
    for (const char* words : {"Press Play", "Appears during training", "does not attend"}) {
        CHECK(dumped.find(words) != std::string::npos);
    }
}

TEST_CASE("the training room is drawn at every size without a fault") {
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        for (const float width : {0.f, 80.f, 300.f, 560.f, 1400.f}) {
            for (const float height : {0.f, 60.f, 240.f, 900.f}) {
                const Figure figure = training_room(half_way(), frame_of(width, height, *theme));
                check_texts(figure, &plain_measure);
            }
        }
    }
}

TEST_CASE("curves are read between their points, and are nothing where nothing was measured") {
    const std::vector<std::pair<double, double>> points = {{10, 1}, {20, 3}, {40, 2}};
    const auto values = sampled(points, {0, 10, 15, 20, 30, 40, 50});
    CHECK(std::isnan(values[0]));
    CHECK(values[1] == 1);
    CHECK(values[2] == 2);
    CHECK(values[3] == 3);
    CHECK(values[4] == 2.5f);
    CHECK(values[5] == 2);
    CHECK(std::isnan(values[6]));
    CHECK(std::isnan(sampled({}, {1})[0]));
}
