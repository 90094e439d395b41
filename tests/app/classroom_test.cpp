#include "app/classroom.hpp"
#include "catch.hpp"

#include <thread>

using namespace heed;
using app::Classroom;
using app::ClassSnapshot;

namespace {

train::Plan small_plan(std::uint64_t steps, int width = 16) {
    models::TransformerConfig config = train::small_transformer();
    config.d_model = width;
    config.d_ff = 24;
    config.n_heads = 2;
    config.n_encoder_layers = config.n_decoder_layers = 1;
    train::Plan plan = train::usual_plan(train::Task::reverse, config);
    plan.sentences.training = 60;
    plan.sentences.held_out = 12;
    plan.sentences.max_length = 5;
    plan.batch_size = 8;
    plan.steps = steps;
    return plan;
}

} // namespace

TEST_CASE("a class is open, learns side by side, and ends measured and filmed") {
    Classroom room({}, 2);
    CHECK(room.latest()->state == ClassSnapshot::State::empty);
    room.open({small_plan(12), small_plan(12, 24)});
    auto seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ClassSnapshot::State::paused);
    REQUIRE(seen->pupils.size() == 2);
    CHECK(seen->pupils[0].step == 0);
    REQUIRE(seen->pupils[0].alignment);
    CHECK(seen->pupils[0].alignment->cols() ==
          static_cast<num::Index>(seen->lesson->pairs[0].source.size()));

    room.play();
    seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ClassSnapshot::State::finished);
    for (const app::Pupil& pupil : seen->pupils) {
        CHECK(pupil.step == 12);
        REQUIRE(pupil.held_out);
        CHECK(pupil.held_out->samples.size() == seen->lesson->pairs.size());
        CHECK(pupil.history->held_out.back().step == 12);
        REQUIRE(pupil.history->film.size() == 3); // 0, 10, and the last
        for (const train::Frame& frame : pupil.history->film) CHECK(frame.weights);
        CHECK(*pupil.history->film.back().weights == *pupil.alignment);
    }
}

TEST_CASE("one step at a time, and another sentence to watch") {
    Classroom room({}, 1);
    room.open({small_plan(50)});
    room.step();
    auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ClassSnapshot::State::paused);
    CHECK(seen->pupils[0].step == 1);
    CHECK(seen->pupils[0].held_out);
    room.show(3);
    seen = room.wait_until_it_rests();
    CHECK(seen->shown == 3);
    CHECK(seen->pupils[0].alignment->cols() ==
          static_cast<num::Index>(seen->lesson->pairs[3].source.size()));
    CHECK(seen->pupils[0].history->film[0].weights->cols() == seen->pupils[0].alignment->cols());
    room.show(999); // there is no such pair
    CHECK(room.wait_until_it_rests()->shown == 3);
}

TEST_CASE("a class can be paused, and another one opened in its place") {
    Classroom room({}, 1);
    room.open({small_plan(1'000'000)});
    room.play();
    while (room.latest()->pupils.empty() || room.latest()->pupils[0].step == 0) {
        std::this_thread::yield();
    }
    room.pause();
    const auto paused = room.wait_until_it_rests();
    CHECK(paused->state == ClassSnapshot::State::paused);
    CHECK(paused->steps_a_second > 0);
    room.open({small_plan(3)});
    CHECK(room.wait_until_it_rests()->pupils[0].step == 0);
}

TEST_CASE("a plan that cannot be is an error, not a class") {
    Classroom room({}, 1);
    auto plan = small_plan(3);
    models::transformer_of(plan.model)->n_heads = 5;
    room.open({plan});
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ClassSnapshot::State::empty);
    REQUIRE(seen->error);
    CHECK(seen->error->subject == "d_model");
}

TEST_CASE("of several classes that are opened in a row the newest is there") {
    Classroom room({}, 1);
    for (std::uint64_t steps = 3; steps < 9; ++steps) room.open({small_plan(steps)});
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->pupils.size() == 1);
    CHECK(seen->pupils[0].plan.steps == 8);
}

TEST_CASE("the last single step measures every held-out sentence") {
    Classroom room({}, 1);
    auto plan = small_plan(1);
    plan.sentences.held_out = 80;
    plan.sentences.max_length = 8;
    room.open({plan});
    room.step();
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ClassSnapshot::State::finished);
    CHECK(seen->pupils[0].held_out->samples.size() == seen->lesson->pairs.size());
    CHECK(seen->lesson->pairs.size() > 64);
}

TEST_CASE("the room can be left while it learns") {
    Classroom room({}, 2);
    room.open({small_plan(1'000'000)});
    room.play();
}
