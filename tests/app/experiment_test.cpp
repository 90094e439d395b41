#include "app/training/experiment.hpp"
#include "app/training/experiment_form.hpp"
#include "app/training/saved_experiment.hpp"
#include "app/training/trainee_run.hpp"
#include "app/training/training_room.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

using namespace heed;
using app::Experiment;
using app::ExperimentSnapshot;

namespace {

train::Plan small_plan(std::uint64_t steps, int width = 16) {
    models::ModelSpec config = train::small_transformer();
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

TEST_CASE("an experiment is open, learns side by side, and ends measured and filmed") {
    Experiment room({}, 2);
    CHECK(room.latest()->state == ExperimentSnapshot::State::empty);
    room.open({small_plan(12), small_plan(12, 24)});
    auto seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::paused);
    REQUIRE(seen->trainees.size() == 2);
    CHECK(seen->trainees[0].step == 0);
    REQUIRE(seen->trainees[0].alignment);
    CHECK(seen->trainees[0].alignment->cols() ==
          static_cast<num::Index>(seen->dataset->pairs[0].source.size()));

    room.play();
    seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::finished);
    for (const app::Trainee& trainee : seen->trainees) {
        CHECK(trainee.step == 12);
        REQUIRE(trainee.held_out);
        CHECK(trainee.held_out->samples.size() == seen->dataset->pairs.size());
        CHECK(trainee.history->held_out.back().step == 12);
        REQUIRE(trainee.history->film.size() >= 2);
        CHECK(trainee.history->film.front().step == 0);
        CHECK(trainee.history->film.back().step == 12);
        for (const train::FilmFrame& frame : trainee.history->film) CHECK(frame.weights);
        CHECK(*trainee.history->film.back().weights == *trainee.alignment);
    }
}

TEST_CASE("the last step is told before it is measured, not the one before it") {
    Experiment* told_by = nullptr;
    std::vector<std::pair<ExperimentSnapshot::State, std::uint64_t>> told;
    Experiment room(
        [&] {
            const auto now = told_by->latest();
            if (!now->trainees.empty()) told.emplace_back(now->state, now->trainees[0].step);
        },
        2);
    told_by = &room;
    room.open({small_plan(12), small_plan(12, 24)});
    room.wait_until_it_rests();
    room.play();
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::finished);
    const std::pair last{ExperimentSnapshot::State::learning, std::uint64_t{12}};
    CHECK(std::ranges::find(told, last) != told.end());
}

TEST_CASE("of classifiers the attention of a headline to itself is watched and filmed") {
    app::ExperimentForm form;
    app::choose_task(form, train::Task::headlines_en);
    form.steps = 12;
    auto plans = app::plans_of(form);
    REQUIRE(plans.size() == 2); // one head, and several
    for (train::Plan& plan : plans) {
        plan.sentences.training = 60;
        plan.sentences.held_out = 12;
    }
    Experiment room({}, 2);
    room.open(plans);
    room.wait_until_it_rests();
    room.play();
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::finished);
    const auto words = static_cast<num::Index>(seen->dataset->pairs[0].source.size());
    for (const app::Trainee& trainee : seen->trainees) {
        REQUIRE(trainee.held_out);
        CHECK(trainee.held_out->measures.label_accuracy);
        REQUIRE(trainee.alignment);
        CHECK(trainee.alignment->rows() == words);
        CHECK(trainee.alignment->cols() == words);
        for (num::Index row = 0; row < words; ++row) {
            CHECK(trainee.alignment->row(row).sum() == Approx(1).epsilon(1e-5));
        }
        for (const train::FilmFrame& frame : trainee.history->film) CHECK(frame.weights);
    }
    const app::TrainingView view{1, {}};
    const auto figure = app::training_figure(*seen, view, false, 1000, 700);
    const std::string text = figure::dump(figure);
    CHECK(text.find("Attention now") != std::string::npos);
    CHECK(text.find("classifier, 4 heads") != std::string::npos);
    app::ExperimentSnapshot even = *seen; // as before the first step
    num::Matrix<float> map = *even.trainees[1].alignment;
    map.setConstant(1.0f / static_cast<float>(map.cols()));
    even.trainees[1].alignment = std::make_shared<const num::Matrix<float>>(map);
    const std::string said = figure::dump(app::training_figure(even, view, false, 1600, 900));
    CHECK(said.find(fmt::format("attends about evenly to all {} tokens", map.cols())) !=
          std::string::npos);
    CHECK(said.find("attends most to") == std::string::npos);
}

TEST_CASE("the settings in which two forms differ are told, and taken without task and learners") {
    app::ExperimentForm form, other;
    CHECK(app::differing_settings(form, other).empty());
    other.rule = train::kUpdateRules[1];
    other.steps = 2000;
    other.patience = 5;
    app::choose_task(other, train::Task::headlines_en);
    CHECK(app::differing_settings(form, other) == "Adam, 3000 steps, early stop never");
    CHECK(app::differing_settings(other, form) == "RMSprop, 2000 steps, early stop 5");
    app::ExperimentForm taken = other;
    app::take_settings(taken, form);
    CHECK(app::differing_settings(taken, form).empty());
    CHECK(taken.task == other.task);
    CHECK(taken.learns == other.learns);
}

TEST_CASE("of a decoder alone its own attention from the target to the source is watched") {
    train::Plan plan = small_plan(12);
    models::spec_of(plan.model)->architecture = models::Architecture::decoder_only;
    Experiment room({}, 2);
    room.open({plan});
    room.play();
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::finished);
    const train::Pair& pair = seen->dataset->pairs[0];
    const app::Trainee& trainee = seen->trainees[0];
    REQUIRE(trainee.alignment);
    CHECK(trainee.alignment->rows() == std::ssize(pair.target) + 1); // ⟨end⟩
    CHECK(trainee.alignment->cols() == std::ssize(pair.source));
    REQUIRE(trainee.held_out->aligned_by);
    CHECK(trainee.held_out->aligned_by->kind == trace::AttentionKind::decoder_self);
    for (num::Index row = 0; row < trainee.alignment->rows(); ++row) {
        CHECK(trainee.alignment->row(row).sum() < 1); // ⟨start⟩, at least, has a share
    }
    const std::string text =
        figure::dump(app::training_figure(*seen, app::TrainingView{}, false, 1000, 700));
    CHECK(text.find("Self-attention to the source now") != std::string::npos);
    room.align_by({app::AlignedBy::Kind::head, 0, 1});
    const auto other = room.wait_until_it_rests();
    CHECK(other->trainees[0].alignment->cols() == std::ssize(pair.source));
    CHECK(app::is_offered(app::TraineeKind::decoder, train::Task::zh_en));
    CHECK_FALSE(app::is_offered(app::TraineeKind::decoder, train::Task::headlines_en));
}

TEST_CASE("a task is learned by the model that it is made for, unless others were chosen") {
    app::ExperimentForm form;
    const auto learns = [&](app::TraineeKind kind) {
        return form.learns[static_cast<std::size_t>(kind)];
    };
    app::choose_task(form, train::Task::repeat);
    CHECK(learns(app::TraineeKind::decoder));
    CHECK(learns(app::TraineeKind::last));
    CHECK(app::plans_of(form).size() == 2);
    app::choose_task(form, train::Task::en_fr);
    CHECK(learns(app::TraineeKind::attention));
    CHECK_FALSE(learns(app::TraineeKind::decoder));
    form.learns[static_cast<std::size_t>(app::TraineeKind::last)] = false;
    app::choose_task(form, train::Task::repeat);
    CHECK(learns(app::TraineeKind::attention));
    CHECK_FALSE(learns(app::TraineeKind::decoder));
}

TEST_CASE("another task is learned by those who can") {
    app::ExperimentForm form;
    form.learns[static_cast<std::size_t>(app::TraineeKind::transformer)] = true;
    app::choose_task(form, train::Task::reverse);
    CHECK(app::plans_of(form).size() == 3);
    app::choose_task(form, train::Task::headlines_zh);
    for (const train::Plan& plan : app::plans_of(form)) {
        CHECK(models::traits(plan.model).classifies());
        CHECK(train::check(plan));
    }
    app::choose_task(form, train::Task::zh_en);
    REQUIRE(app::plans_of(form).size() == 2);
    CHECK(models::traits(app::plans_of(form)[0].model).is_stepwise());
}

TEST_CASE(
    "an experiment learns by the rule and schedule that were chosen, at the rate usual for them") {
    app::ExperimentForm form;
    form.learns.fill(false);
    form.learns[static_cast<std::size_t>(app::TraineeKind::attention)] = true;
    form.learns[static_cast<std::size_t>(app::TraineeKind::transformer)] = true;
    form.steps = 6000;
    const auto usual = app::plans_of(form);
    CHECK(app::form_of(usual) == form);
    for (const train::UpdateRule& rule : train::kUpdateRules) {
        INFO(train::name(rule));
        form.rule = rule;
        const auto plans = app::plans_of(form);
        for (std::size_t i = 0; i < plans.size(); ++i) {
            CHECK(plans[i].rule.index() == rule.index());
            CHECK(plans[i].schedule.kind == usual[i].schedule.kind);
            train::Plan chosen = usual[i];
            train::choose_rule(chosen, rule);
            CHECK(plans[i].rule == chosen.rule);
            CHECK(plans[i].schedule.rate == chosen.schedule.rate);
            CHECK(train::check(plans[i]));
        }
        CHECK(app::form_of(plans) == form);
    }
    CHECK(app::plans_of(form)[0].schedule.rate > 10 * usual[0].schedule.rate); // SGD
    form.rate_factor = 2;
    for (const auto kind : train::kSchedules) {
        form.schedule = kind;
        const auto plans = app::plans_of(form);
        for (const train::Plan& plan : plans) CHECK(plan.schedule.kind == kind);
        CHECK(app::form_of(plans) == form);
        CHECK(plans[0].schedule.every == 2000);
    }
}

TEST_CASE("an experiment whose word vectors leave fewer heads is known again") {
    app::ExperimentForm form;
    form.learns.fill(false);
    form.learns[static_cast<std::size_t>(app::TraineeKind::transformer)] = true;
    form.learns[static_cast<std::size_t>(app::TraineeKind::classifier_of_heads)] = true;
    form.task = train::Task::headlines_en;
    auto plans = app::plans_of(form);
    models::spec_of(plans[0].model)->n_heads = 2;
    models::spec_of(plans[1].model)->n_heads = 2;
    CHECK(app::form_of(plans) == form);
    form.learns[static_cast<std::size_t>(app::TraineeKind::classifier)] = true;
    plans = app::plans_of(form);
    for (train::Plan& plan : plans) { // of a width that nothing divides
        if (models::traits(plan.model).classifies()) models::spec_of(plan.model)->n_heads = 1;
    }
    CHECK(app::form_of(plans) == form);
}

TEST_CASE("one step at a time, and another sentence to watch") {
    Experiment room({}, 1);
    room.open({small_plan(50)});
    room.step();
    auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ExperimentSnapshot::State::paused);
    CHECK(seen->trainees[0].step == 1);
    CHECK(seen->trainees[0].held_out);
    room.show(3);
    seen = room.wait_until_it_rests();
    CHECK(seen->shown == 3);
    CHECK(seen->trainees[0].alignment->cols() ==
          static_cast<num::Index>(seen->dataset->pairs[3].source.size()));
    CHECK(seen->trainees[0].history->film[0].weights->cols() ==
          seen->trainees[0].alignment->cols());
    room.show(999); // there is no such pair
    CHECK(room.wait_until_it_rests()->shown == 3);
}

TEST_CASE("an experiment can be paused, and another one opened in its place") {
    Experiment room({}, 1);
    room.open({small_plan(1'000'000)});
    room.play();
    while (room.latest()->trainees.empty() || room.latest()->trainees[0].step == 0) {
        std::this_thread::yield();
    }
    room.pause();
    const auto paused = room.wait_until_it_rests();
    CHECK(paused->state == ExperimentSnapshot::State::paused);
    CHECK(paused->steps_a_second > 0);
    room.open({small_plan(3)});
    CHECK(room.wait_until_it_rests()->trainees[0].step == 0);
}

TEST_CASE("a plan that cannot be is an error, not an experiment") {
    Experiment room({}, 1);
    auto plan = small_plan(3);
    models::spec_of(plan.model)->n_heads = 5;
    room.open({plan});
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ExperimentSnapshot::State::empty);
    REQUIRE(seen->error);
    CHECK(seen->error->subject == "d_model");
}

TEST_CASE("every snapshot has the number of its experiment") {
    Experiment room({}, 1);
    CHECK(room.latest()->number == 0);
    const auto first = room.open({small_plan(5)});
    CHECK(room.wait_until_it_rests()->number == first);
    const auto second = room.open({small_plan(5)}), third = room.resume();
    CHECK(first < second);
    CHECK(second < third);
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->number == third);
    CHECK(seen->error); // nothing is saved
}

TEST_CASE("of several experiments that are opened in a row the newest is there") {
    Experiment room({}, 1);
    for (std::uint64_t steps = 3; steps < 9; ++steps) room.open({small_plan(steps)});
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->trainees.size() == 1);
    CHECK(seen->trainees[0].plan.steps == 8);
}

TEST_CASE("the last single step measures every held-out sentence") {
    Experiment room({}, 1);
    auto plan = small_plan(1);
    plan.sentences.held_out = 80;
    plan.sentences.max_length = 8;
    room.open({plan});
    room.step();
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ExperimentSnapshot::State::finished);
    CHECK(seen->trainees[0].held_out->samples.size() == seen->dataset->pairs.size());
    CHECK(seen->dataset->pairs.size() > 64);
}

TEST_CASE("the room can be left while it learns") {
    Experiment room({}, 2);
    room.open({small_plan(1'000'000)});
    room.play();
}

TEST_CASE(
    "an experiment is saved while it rests, and goes on in another program to the same weights") {
    const TemporaryFolder folder;
    const auto weights = [](const app::Trainee& trainee) {
        return trainee.model->archive().arrays.at("embedding.weight").values;
    };
    std::shared_ptr<const ExperimentSnapshot> unbroken, seen;
    {
        Experiment room({}, 1);
        room.open({small_plan(24), small_plan(24, 24)});
        room.play();
        unbroken = room.wait_until_it_rests();
    }
    CHECK_FALSE(app::read_saved_experiment(folder.path()));
    {
        Experiment room({}, 1, folder.path());
        room.open({small_plan(24), small_plan(24, 24)});
        for (int i = 0; i < 11; ++i) {
            room.step();
            room.wait_until_it_rests();
        }
    } // the end saves
    const auto saved = app::read_saved_experiment(folder.path());
    REQUIRE(saved);
    CHECK(saved->task == "reverse");
    CHECK(saved->step == 11);
    CHECK(saved->steps == 24);
    CHECK(saved->learners.size() == 2);
    Experiment room({}, 1, folder.path());
    room.resume();
    seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::paused);
    REQUIRE(seen->trainees.size() == 2);
    CHECK(seen->trainees[0].step == 11);
    CHECK(seen->trainees[0].history->losses().size() == 11);
    REQUIRE_FALSE(seen->trainees[0].history->film.empty());
    for (const train::FilmFrame& frame : seen->trainees[0].history->film) CHECK(frame.weights);
    REQUIRE(seen->trainees[0].history->held_out[0].samples); // to be replayed, too
    room.play();
    seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::finished);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(weights(seen->trainees[i]) == weights(unbroken->trainees[i]));
        CHECK(train::csv(*seen->trainees[i].history).substr(0, 60) ==
              train::csv(*unbroken->trainees[i].history).substr(0, 60));
    }
    CHECK(app::read_saved_experiment(folder.path())->step == 24);
    app::forget_saved_experiment(folder.path());
    CHECK_FALSE(app::read_saved_experiment(folder.path()));
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("closing without saving loses no step that was saved before") {
    const TemporaryFolder folder;
    {
        Experiment room({}, 1, folder.path());
        room.open({small_plan(24)});
        room.step();
        room.save();
        room.wait_until_it_rests();
        room.step();
        room.discard();
    }
    REQUIRE(app::read_saved_experiment(folder.path()));
    CHECK(app::read_saved_experiment(folder.path())->step == 1);
}

TEST_CASE("what a killed program left half written goes with the experiment") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / ".heed.1.2.part", "half"));
    app::forget_saved_experiment(folder.path());
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("another experiment takes the saved one's place when it has learned, not before") {
    const TemporaryFolder folder;
    Experiment room({}, 1, folder.path());
    room.open({small_plan(3)});
    room.play();
    room.wait_until_it_rests();
    room.open({small_plan(5)});
    room.wait_until_it_rests();
    CHECK(app::read_saved_experiment(folder.path())->steps == 3);
    room.step();
    room.save();
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->saves == 1);
    CHECK_FALSE(seen->save_error);
    const auto saved = app::read_saved_experiment(folder.path());
    CHECK(saved->steps == 5);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        CHECK((name == "experiment.json" ||
               name.starts_with(saved->files[0].substr(0, saved->files[0].find('.')))));
    }
}

TEST_CASE("an experiment that cannot be saved says so and learns on") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "taken", "a file, not a folder"));
    Experiment room({}, 1, folder / "taken");
    room.open({small_plan(6)});
    room.step();
    room.save();
    auto seen = room.wait_until_it_rests();
    REQUIRE(seen->save_error);
    CHECK(seen->save_error->kind == base::ErrorKind::unwritable);
    room.play();
    seen = room.wait_until_it_rests();
    CHECK(seen->state == ExperimentSnapshot::State::finished);
}

TEST_CASE("an experiment that ends says whether steps are lost, unless they were let go") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "taken", "a file, not a folder"));
    const auto ended = [&](const std::string& place, int steps, bool discarded) {
        Experiment room({}, 1, folder / place);
        room.open({small_plan(6)});
        for (int i = 0; i < steps; ++i) {
            room.step();
            room.wait_until_it_rests();
        }
        if (discarded) room.discard();
        return room.close();
    };
    const auto lost = ended("taken", 2, false);
    REQUIRE_FALSE(lost);
    CHECK(lost.error().kind == base::ErrorKind::unwritable);
    CHECK(base::describe(lost.error()).find("taken") != std::string::npos);
    CHECK(ended("taken", 0, false));
    CHECK(ended("taken", 2, true));
    CHECK(ended("kept", 2, false));
    REQUIRE(app::read_saved_experiment(folder / "kept"));
    CHECK(app::read_saved_experiment(folder / "kept")->step == 2);
}

TEST_CASE("a saved experiment that is broken is an error, not an experiment") {
    const TemporaryFolder folder;
    {
        Experiment room({}, 1, folder.path());
        room.open({small_plan(3)});
        room.play();
        room.wait_until_it_rests();
    }
    const auto saved = app::read_saved_experiment(folder.path());
    REQUIRE(saved);
    const std::string bytes = folder.bytes(saved->files[0]);
    REQUIRE(base::write_file_atomic(folder / saved->files[0], bytes.substr(0, bytes.size() / 2)));
    Experiment room({}, 1, folder.path());
    room.resume();
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ExperimentSnapshot::State::empty);
    CHECK(seen->error);
    REQUIRE(base::write_file_atomic(folder / "experiment.json", "{\"files\": [\"../../x\"]}"));
    CHECK_FALSE(app::read_saved_experiment(folder.path()));
}

TEST_CASE("what is thrown on the experiment's thread ends the experiment, not the program") {
    std::atomic<int> calls = 0;
    Experiment room(
        [&] {
            if (++calls == 2) throw std::runtime_error("a torn wire");
        },
        1);
    room.open({small_plan(6)});
    auto seen = room.wait_until_it_rests();
    CHECK(seen->state == ExperimentSnapshot::State::empty);
    REQUIRE(seen->error);
    CHECK(seen->error->message == "a torn wire");
    room.open({small_plan(2)});
    room.play();
    CHECK(room.wait_until_it_rests()->state == ExperimentSnapshot::State::finished);
}

TEST_CASE("the same seed gives the same curves, whatever the clock says") {
    const auto curves = [] {
        Experiment room({}, 1);
        room.open({small_plan(45)});
        room.play();
        return train::csv(*room.wait_until_it_rests()->trainees[0].history);
    };
    CHECK(curves() == curves());
}

TEST_CASE("a model that gets no better stops, and its best state is a frame of the film") {
    auto plan = small_plan(3000);
    plan.patience = 1;
    plan.schedule.rate = 0.5f; // so much that it forgets
    Experiment room({}, 1);
    room.open({plan});
    room.play();
    const auto seen = room.wait_until_it_rests();
    const app::Trainee& trainee = seen->trainees[0];
    CHECK(seen->state == ExperimentSnapshot::State::finished);
    REQUIRE(trainee.gave_up);
    CHECK(trainee.step < 3000);
    const auto& film = trainee.history->film;
    const auto best = std::find_if(film.begin(), film.end(), [&](const auto& frame) {
        return frame.step == trainee.best_step;
    });
    REQUIRE(best != film.end());
    CHECK(app::result_of(trainee) == best->model);
    CHECK(app::result_of(trainee) != trainee.model);
}

TEST_CASE("of a training that ends worse than it was, the best state is what is kept") {
    auto plan = small_plan(45);
    plan.schedule.rate = 0.5f; // so much that it forgets
    Experiment room({}, 1);
    std::shared_ptr<const ExperimentSnapshot> seen;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) { // not every one ends worse
        plan.seed = seed;
        room.open({plan});
        room.play();
        seen = room.wait_until_it_rests();
        REQUIRE(seen->state == ExperimentSnapshot::State::finished);
        if (seen->trainees[0].best_step < seen->trainees[0].step) break;
    }
    const app::Trainee& trainee = seen->trainees[0];
    REQUIRE(trainee.best_step > 0);
    REQUIRE(trainee.best_step < trainee.step);
    const auto measures = [&](std::uint64_t step) {
        return train::measured_at(*trainee.history, step)->measures;
    };
    for (const train::HeldOutPoint& point : trainee.history->held_out) {
        CHECK(point.measures.exact_match <= measures(trainee.best_step).exact_match);
    }
    CHECK(app::is_better(measures(trainee.best_step), measures(trainee.step)));
    CHECK(app::result_step(trainee) == trainee.best_step);
    CHECK(app::result_of(trainee) != trainee.model);
    const auto& film = trainee.history->film;
    CHECK(std::ranges::find(film, trainee.best_step, &train::FilmFrame::step) != film.end());
}

TEST_CASE("a run of a few seconds is saved while it goes on") {
    const TemporaryFolder folder;
    Experiment room({}, 1, folder.path());
    room.open({small_plan(1'000'000)});
    room.play();
    const auto begun = std::chrono::steady_clock::now();
    const auto waits = [&] {
        return std::chrono::steady_clock::now() - begun < std::chrono::seconds(8);
    };
    while (!app::read_saved_experiment(folder.path()) && waits())
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(app::read_saved_experiment(folder.path()));
    CHECK(room.latest()->state == ExperimentSnapshot::State::learning);
}

TEST_CASE("a head of one's choice is shown, or their mean") {
    Experiment room({}, 1);
    room.open({small_plan(9)});
    room.step();
    const auto seen_by = [&](app::AlignedBy by) {
        room.align_by(by);
        return *room.wait_until_it_rests()->trainees[0].alignment;
    };
    using Kind = app::AlignedBy::Kind;
    const auto mean = seen_by({Kind::mean});
    const auto first = seen_by({Kind::head, 0, 0}), second = seen_by({Kind::head, 0, 1});
    CHECK(first != second);
    CHECK(((first + second) / 2).isApprox(mean, 1e-5f));
    CHECK(seen_by({Kind::head, 7, 0}) == mean); // it has no such layer
    const auto best = seen_by({});
    CHECK((best == first || best == second));
}

TEST_CASE("a baseline without attention learns beside by default, for tasks of pairs") {
    using app::TraineeKind;
    app::ExperimentForm form;
    const auto learns = [&](TraineeKind kind) {
        return form.learns[static_cast<std::size_t>(kind)];
    };
    CHECK(learns(TraineeKind::last));
    CHECK(learns(TraineeKind::attention));
    CHECK(app::plans_of(form).size() == 2);
    app::choose_task(form, train::Task::headlines_en);
    CHECK_FALSE(learns(TraineeKind::last));
    app::choose_task(form, train::Task::copy);
    CHECK(learns(TraineeKind::last));
    CHECK(learns(TraineeKind::attention));
}

TEST_CASE("every kind of trainee is known by its model, whose colour it has") {
    for (const app::TraineeKind kind : app::kTraineeKinds) {
        INFO(app::name(kind));
        CHECK(app::trainee_kind_of(app::config_of(kind, 7)) == kind);
    }
}

TEST_CASE("beside a model without attention the first that attends is shown, in map and film") {
    app::ExperimentForm form;
    form.task = train::Task::reverse;
    form.steps = 20;
    form.batch = 8;
    auto plans = app::plans_of(form);
    for (train::Plan& plan : plans) {
        plan.sentences.training = 60;
        plan.sentences.held_out = 12;
        plan.sentences.max_length = 5;
    }
    Experiment room({}, 2);
    room.open(plans);
    room.play();
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->state == ExperimentSnapshot::State::finished);
    for (const std::size_t chosen : {0u, 1u}) { // the last state, and attention
        const app::TrainingView view{chosen, {}};
        REQUIRE(app::watched_trainee(*seen, view) == &seen->trainees[1]);
        const std::string now = figure::dump(app::training_figure(*seen, view, false, 1000, 700));
        CHECK(now.find("Alignment now") != std::string::npos);
        CHECK(now.find("No attention") == std::string::npos);
        CHECK(now.find(chosen == 0
                           ? "Reverse · last state · step 20"
                           : "Reverse · additive attention · step 20") != std::string::npos);
        const std::string film = figure::dump(app::film_figure(*seen, view, false, 800, 80));
        CHECK(film.find("heat") != std::string::npos);
    }
    // Replayed, each tells of that moment.
    const app::TrainingView replayed{0, 10};
    REQUIRE(app::measured(*seen, replayed));
    CHECK(app::measured(*seen, replayed)->step == 10);
    CHECK(app::measured(*seen, replayed)->samples->size() == train::HeldOutPoint::kSamples);
    CHECK(app::measured(*seen, {0, {}})->step == 20);
    CHECK(app::training_title(*seen, {1, 10}) == "Reverse · additive attention · step 10 of 20");
}

TEST_CASE("frames that give way to others leave the folder, and what is left comes back") {
    const TemporaryFolder folder;
    train::Plan plan = small_plan(2000);
    plan.schedule.rate = 0.02f; // so that its map moves
    Experiment room({}, 1, folder.path());
    room.open({plan});
    room.play();
    while (room.latest()->trainees.empty() || room.latest()->trainees[0].step < 1200) {
        room.save();
        room.wait_until_it_rests();
        room.play();
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    room.save();
    const auto seen = room.wait_until_it_rests();
    const auto& film = seen->trainees[0].history->film;
    CHECK(film.size() <= train::kMostFrames + 1);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        files += entry.path().filename().string().find(".film-") != std::string::npos ? 1 : 0;
    }
    CHECK(files == film.size());
}

TEST_CASE("an experiment that is left for another is saved where it was") {
    const TemporaryFolder one, other;
    Experiment room({}, 1, one.path());
    room.open({small_plan(24)});
    room.step();
    room.wait_until_it_rests();
    room.step();
    room.open({small_plan(9)}, other.path()); // no time to rest
    const auto seen = room.wait_until_it_rests();
    CHECK(seen->trainees[0].plan.steps == 9);
    REQUIRE(app::read_saved_experiment(one.path()));
    CHECK(app::read_saved_experiment(one.path())->step >= 1);
    CHECK_FALSE(app::read_saved_experiment(one.path())->finished);
    CHECK_FALSE(app::read_saved_experiment(other.path())); // nothing was learned yet
    room.resume(one.path());
    const auto back = room.wait_until_it_rests();
    CHECK(back->trainees[0].plan.steps == 24);
    CHECK(back->trainees[0].step == app::read_saved_experiment(one.path())->step);
}

TEST_CASE("a finished experiment is saved as one") {
    const TemporaryFolder folder;
    auto plan = small_plan(3000);
    plan.patience = 1;
    plan.schedule.rate = 0.5f;
    Experiment room({}, 1, folder.path());
    room.open({plan});
    room.play();
    room.wait_until_it_rests();
    const auto saved = app::read_saved_experiment(folder.path());
    REQUIRE(saved);
    CHECK(saved->finished);
    CHECK(saved->step < saved->steps); // it gave up
}

TEST_CASE("an early stop does not depend on steps that are looked at by hand") {
    auto plan = small_plan(3000);
    plan.patience = 1;
    plan.schedule.rate = 0.5f;
    std::vector<std::uint64_t> ends, best;
    for (const bool by_hand : {false, true}) {
        Experiment room({}, 1);
        room.open({plan});
        for (int step = 0; by_hand && step < 12; ++step) {
            room.step();
            room.wait_until_it_rests();
        }
        room.play();
        const auto seen = room.wait_until_it_rests();
        ends.push_back(seen->trainees[0].step);
        best.push_back(seen->trainees[0].best_step);
    }
    CHECK(ends[0] == ends[1]);
    CHECK(best[0] == best[1]);
}

TEST_CASE("the model that is shown first is one that attends, whichever stand before it") {
    app::ExperimentForm form;
    CHECK(app::first_attending(form) == 1); // behind the last state
    form.learns = {true, true, true};
    CHECK(app::first_attending(form) == 2); // behind the last and the mean state
    form.learns = {true};
    CHECK(app::first_attending(form) == 0);
}

TEST_CASE("each point of a curve is measured on 256 held-out sentences") {
    train::Plan plan = small_plan(12);
    plan.sentences.held_out = 300;
    Experiment room({}, 2);
    room.open({plan});
    room.step();
    const auto seen = room.wait_until_it_rests();
    REQUIRE(seen->dataset->pairs.size() == 300);
    REQUIRE(seen->trainees[0].held_out);
    std::size_t measured = 0;
    for (const train::LengthAccuracy& some : seen->trainees[0].held_out->measures.by_length)
        measured += some.sentences;
    CHECK(measured == 256);
    REQUIRE_FALSE(seen->trainees[0].history->held_out.empty());
    CHECK_FALSE(seen->trainees[0].history->held_out.back().of_all);
    room.play();
    const auto done = room.wait_until_it_rests();
    CHECK(done->trainees[0].history->held_out.back().of_all);
    CHECK(train::sentences_of(done->trainees[0].history->held_out.back().measures) == 300);
}

TEST_CASE("curves of a training that has hardly begun end where each of its steps is seen") {
    ExperimentSnapshot snapshot;
    CHECK(app::steps_drawn(snapshot) == 1);
    snapshot.trainees.resize(2);
    snapshot.trainees[0].plan.steps = 100000;
    snapshot.trainees[1].plan.steps = 50000;
    const auto drawn = [&](std::uint64_t taken) {
        snapshot.trainees[1].step = taken;
        return app::steps_drawn(snapshot);
    };
    const std::uint64_t first = drawn(0);
    CHECK(first < 1000);
    CHECK(drawn(first) == first);
    CHECK(drawn(first + 1) == 2 * first);
    CHECK(drawn(2001) == 100000); // one in fifty is no beginning
    snapshot.trainees[0].plan.steps = snapshot.trainees[1].plan.steps = 20;
    CHECK(drawn(0) == 20);
}
