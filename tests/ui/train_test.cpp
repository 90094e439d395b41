// The Train room: a class is made up, learns, is replayed, and its model goes to Explore.
#include "app/training/training_room.hpp"
#include "base/file.hpp"
#include "figure/base/viewport.hpp"
#include "figure/views/training_room.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/driver.hpp"
#include "ui/train/train_room.hpp"

#include "catch.hpp"
#include "ui/train/train_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <variant>

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;
using State = app::ExperimentSnapshot::State;

namespace {

/// In the room, with a class that learns in a moment.
struct TrainRoom : Driver {
    explicit TrainRoom(train::Task task = train::Task::reverse, const std::string& folder = {},
                       Options options = tiny())
        : Driver(std::move(options)) {
        desk().folder = folder;
        desk().look_for_saved();
        app::ExperimentForm& form = shell->state.train->form;
        form.task = task;
        form.learns = {true, false, true, true};
        form.steps = 24;
        form.batch = 8;
        form.max_length = 5;
        click("room/train");
        rest();
    }
    ExperimentDesk& desk() { return shell->experiment; }
    const app::SavedExperiment* resumable() { return desk().runs().resumable(); }
    const app::ExperimentSnapshot& seen() { return desk().seen(); }
    void rest() {
        frames(2);
        desk().room().wait_until_it_rests();
        frames(3);
    }
    /// Waits until a run that begins has taken a step, and pauses it.
    void hold() {
        while (!desk().has_progress()) frame();
        if (desk().learning()) click("train/play");
        rest();
    }
};

/// Kept models go to a folder of their own.
struct OwnData {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("heed_data_" + std::to_string(::getpid()));
    OwnData() {
        ::setenv("XDG_DATA_HOME", folder.c_str(), 1);
        std::filesystem::create_directories(folder);
    }
    std::string operator/(const std::string& name) const { return (folder / name).string(); }
    ~OwnData() {
        ::unsetenv("XDG_DATA_HOME");
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
};

} // namespace

TEST_CASE("entering the Train room opens a class that waits to be played") {
    TrainRoom d;
    CHECK(d.seen().state == State::paused);
    REQUIRE(d.seen().trainees.size() == 3);
    CHECK(d.shows("step 0 / 24"));
    CHECK(d.shows("additive attention"));
    CHECK(d.shows("Press Play to start"));
    d.click("room/explore");
    CHECK(d.shell->state.view.view == app::View::heatmap);
}

TEST_CASE("play learns to the end, with curves, samples and a film") {
    TrainRoom d;
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    CHECK(d.shows("done after 24 steps"));
    CHECK(d.shows("Sentence accuracy by length"));
    CHECK(d.shows("Sentence accuracy"));
    CHECK(d.screen().find("BLEU on ") != std::string::npos);
    CHECK(d.has("train/sample/0"));
    CHECK(d.shows("reference: ")); // of an answer that is wrong
    const train::Film& film = d.seen().trainees[1].history->film;
    CHECK(film.front().step == 0);
    CHECK(film.back().step == 24);
}

TEST_CASE("headlines are learned by classifiers, whose samples are right or wrong by topic") {
    TrainRoom d;
    d.click("train/task/headlines-en");
    d.rest();
    d.shell->state.train->form.steps = 24; // a task has settings of its own
    d.shell->state.train->form.batch = 8;
    d.rest();
    REQUIRE(d.seen().trainees.size() == 2);
    CHECK(d.shows("classifier, 1 head"));
    CHECK(d.shows("classifier, 4 heads"));
    CHECK_FALSE(d.has("train/learns/additive attention"));
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    CHECK(d.shows("Label accuracy"));
    CHECK(d.shows("Label accuracy by text length"));
    CHECK(d.shows("Attention now"));
    CHECK(d.has("train/sample/0"));
    d.click("train/task/copy"); // nothing can be kept: it is asked first
    d.frames(2);
    d.click("switch/start");
    d.hold();
    REQUIRE(d.seen().trainees.size() == 2); // and a baseline beside it
    CHECK(d.shows("additive attention"));
    CHECK(d.shows("Sentence accuracy by length"));
}

TEST_CASE("the bar names the task that is trained, whatever is chosen beside it") {
    TrainRoom d;
    CHECK(d.find("train/name").label == train::info(train::Task::reverse).label);
    d.click("train/step");
    d.rest();
    d.click("train/task/copy"); // it has made a step that would be lost: it is asked first
    d.frames(2);
    CHECK(d.find("train/name").label == train::info(train::Task::reverse).label);
    d.click("switch/start");
    d.hold();
    CHECK(d.find("train/name").label == train::info(train::Task::copy).label);
}

TEST_CASE("a small window tells the task, too, where the list of tasks is put away") {
    TrainRoom d;
    d.resize(900, 600, 1);
    d.frames(3);
    REQUIRE_FALSE(d.has("train/task/reverse"));
    CHECK(d.screen().find("\nReverse\n") != std::string::npos);
}

TEST_CASE("space plays, a full stop takes one step") {
    TrainRoom d;
    d.type(".");
    d.rest();
    CHECK(d.seen().trainees[0].step == 1);
    d.key(shim::Key::space);
    d.rest();
    CHECK(d.seen().state == State::finished);
}

TEST_CASE("steps that are taken by hand stand in the curves, as the panel says of them") {
    TrainRoom d;
    d.shell->state.train->form.steps = 3000;
    d.rest();
    for (int i = 0; i < 3; ++i) {
        d.click("train/step");
        d.rest();
    }
    REQUIRE(d.shows("step 3 of 3000"));
    const app::ExperimentSnapshot& now = d.seen();
    const figure::Figure picture =
        app::training_figure(now, d.shell->state.train->view, false, 1000, 900);
    const auto loss = std::ranges::find_if(picture.targets, [](const figure::Target& target) {
        const auto* cells = target.as<figure::tag::Cells>();
        return cells && cells->part == static_cast<int>(figure::TrainingPart::loss);
    });
    REQUIRE(loss != picture.targets.end());
    float longest = 0; // points that a curve reaches
    for (const auto& item : picture.items) {
        const auto* line = std::get_if<figure::Line>(&item);
        if (!line || line->points.size() < 3) continue;
        const figure::Point from = line->points.front(), to = line->points.back();
        if (from.y < loss->box.y || from.y > loss->box.y + loss->box.h) continue;
        longest = std::max(longest, to.x - from.x);
    }
    CHECK(longest > 4);
    const Box place = d.find("training").box;
    const figure::Figure drawn = app::training_figure(now, d.shell->state.train->view, false,
                                                      place.w, place.h);
    for (const figure::Target& target : drawn.targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells || cells->part != static_cast<int>(figure::TrainingPart::loss)) continue;
        const Box third = figure::cell_box(target, 0, 3);
        d.hover(Point{place.x + third.x + third.w / 2, place.y + third.y + third.h / 2});
        d.frames(60);
    }
    CHECK(d.shows("Step 3\n"));
}

TEST_CASE("what changes by steps that are taken by hand is in the film") {
    TrainRoom d;
    d.shell->state.train->form.steps = 3000;
    d.shell->state.train->form.rate_factor = 8;
    d.rest();
    d.click("train/show/additive attention");
    for (int i = 0; i < 20; ++i) {
        d.click("train/step");
        d.rest();
        const app::Trainee& trainee = d.seen().trainees[1];
        const train::FilmFrame now{trainee.step, trainee.model, 0, {}, trainee.alignment};
        CHECK(train::change(trainee.history->film.back(), now) < train::kLeastChange);
    }
    CHECK(d.seen().trainees[1].history->film.size() > 1);
}

TEST_CASE("play that is asked for while sentences are written begins when they are there") {
    TrainRoom d;
    d.click("train/task/sort");
    d.frame(); // the class is asked for
    d.click("train/play");
    while (!d.desk().learning()) d.frame();
    CHECK(d.seen().trainees[0].plan.task == train::Task::sort);
    d.click("train/play");
    d.rest();
    CHECK(d.seen().state == State::paused);
}

TEST_CASE("keys of Explore wait while the Train room is shown") {
    TrainRoom d;
    const app::Document document = d.document();
    const app::Focus focus = d.shell->work.focus();
    for (const char* typed : {".", ",", "[", "]", "m", "o", "s", "p", "c"}) d.type(typed);
    d.key(shim::Key::m);
    d.key(shim::Key::s);
    d.key(shim::Key::up, false, false, true);
    d.key(shim::Key::page_down);
    d.rest();
    CHECK(d.document() == document);
    CHECK(d.shell->work.focus() == focus);
}

TEST_CASE("a class without progress follows the settings; one whose steps would be lost asks") {
    TrainRoom d;
    d.click("train/task/copy");
    d.rest();
    CHECK(d.seen().trainees[0].plan.task == train::Task::copy);
    d.click("train/learns/mean state");
    d.rest();
    CHECK(d.seen().trainees.size() == 4);
    d.click("train/step");
    d.rest();
    d.click("train/task/sort");
    d.rest();
    CHECK(d.seen().trainees[0].plan.task == train::Task::copy);
    CHECK(d.seen().trainees[0].step == 1);
    CHECK(d.screen().find("Its steps would be lost.") != std::string::npos);
    d.click("switch/start");
    d.hold();
    CHECK(d.seen().trainees[0].plan.task == train::Task::sort);
}

TEST_CASE("the optimiser and its schedule are chosen, and the class begins with them") {
    TrainRoom d;
    CHECK(d.find("train/rule/Adam").on);
    CHECK(d.find("train/schedule/default").on);
    d.click("train/rule/SGD");
    d.click("train/schedule/step decay");
    d.rest();
    for (const app::Trainee& trainee : d.seen().trainees) {
        CHECK(train::name(trainee.plan.rule) == "sgd");
        CHECK(trainee.plan.schedule.kind == train::Schedule::Kind::step);
    }
    CHECK(d.find("train/rule/SGD").on);
    CHECK_FALSE(d.find("train/rule/Adam").on);
    d.click("train/schedule/default");
    d.rest();
    CHECK(d.seen().trainees[0].plan.schedule.kind == train::Schedule::Kind::constant);
    CHECK(d.seen().trainees[2].plan.schedule.kind == train::Schedule::Kind::warm_up);
}

TEST_CASE("the last model that learns cannot be switched off") {
    TrainRoom d;
    d.click("train/learns/last state");
    d.click("train/learns/transformer 2+2");
    d.rest();
    CHECK(d.seen().trainees.size() == 1);
    CHECK_FALSE(d.find("train/learns/additive attention").enabled);
}

TEST_CASE("the film is replayed by arrows and comes back to the present") {
    TrainRoom d;
    d.click("train/show/additive attention");
    d.click("train/play");
    d.rest();
    REQUIRE(d.shell->state.train->view.trainee == 1);
    const train::Film& film = d.seen().trainees[1].history->film;
    REQUIRE(film.size() >= 2);
    const std::uint64_t before = film[film.size() - 2].step;
    d.key(shim::Key::left);
    d.frames(2);
    CHECK(d.shell->state.train->view.step == before);
    CHECK(d.screen().find("Alignment at step " + std::to_string(before)) != std::string::npos);
    d.key(shim::Key::right);
    d.frames(2);
    CHECK_FALSE(d.shell->state.train->view.step);
    CHECK(d.shows("Alignment now"));
}

TEST_CASE("a click on a sample watches that sentence") {
    TrainRoom d;
    d.click("train/play");
    d.rest();
    d.click("train/sample/1");
    d.rest();
    CHECK(d.seen().shown == 1);
    CHECK(d.shows(train::as_text(d.seen().dataset->pairs[1].source)));
}

TEST_CASE("the button to Explore says which step it opens, in every state") {
    TrainRoom d;
    const auto label = [&] { return d.find("train/explore").label; };
    const auto best = [&] {
        return d.seen().trainees[d.shell->state.train->view.trainee].best_step;
    };
    CHECK(label() == "Open step 0 in Explore");
    const float left = d.find("train/explore").box.x;
    d.click("train/step");
    d.rest();
    CHECK(label() == "Open step 1 in Explore");
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    CHECK(label() == fmt::format("Open step {} (best) in Explore", best()));
    CHECK(d.find("train/explore").box.x == left);
    d.shell->state.train->view.step = 0; // replayed
    d.frames(2);
    CHECK(label() == "Open step 0 in Explore");
    d.shell->state.train->view.step.reset();
    d.resize(1280, 800, 1);
    d.frames(2);
    const Widget& button = d.find("train/explore");
    CHECK(button.box.x + button.box.w <= 1280);
    CHECK(label() == fmt::format("Open step {} (best)", best()));
    CHECK(d.shows(label())); // whole
}

TEST_CASE("the trained model opens in Explore with a sentence of its task") {
    const OwnData own;
    TrainRoom d;
    d.click("train/show/transformer 2+2");
    d.click("train/play");
    d.rest();
    const std::string sentence = train::joined(d.seen().dataset->pairs[0].source);
    d.click("train/explore");
    while (d.desk().keeping()) d.frame();
    d.settle_all();
    CHECK(d.shell->state.view.view == app::View::heatmap);
    CHECK(d.document().model_file.find("reverse-transformer") != std::string::npos);
    CHECK(d.document().source == sentence);
    CHECK(d.document().target.empty());
    REQUIRE(d.snapshot().run);
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.snapshot().run->trace.target[0].text == models::kStartToken);
    CHECK(d.snapshot().focus.head.kind == trace::AttentionKind::cross);
}

TEST_CASE("a trained model without attention opens on its first step, which Esc lets go") {
    const OwnData own;
    TrainRoom d;
    d.click("train/learns/GRU one-to-many");
    d.rest();
    d.click("train/show/GRU one-to-many");
    d.click("train/play");
    d.rest();
    d.click("train/explore");
    while (d.desk().keeping()) d.frame();
    d.settle_all();
    REQUIRE_FALSE(d.snapshot().map);
    CHECK(d.shell->state.view.selected == std::pair{0, 0});
    d.key(shim::Key::escape); // out of its sentence
    d.key(shim::Key::escape);
    d.frames(2);
    CHECK_FALSE(d.shell->state.view.selected);
}

TEST_CASE("a decoder alone opens in Explore with the sentence before what it says") {
    const OwnData own;
    TrainRoom d;
    d.click("train/learns/decoder-only, 2 layers");
    d.rest();
    d.click("train/show/decoder-only, 2 layers");
    d.click("train/play");
    d.rest();
    const auto pair = d.seen().dataset->pairs[0];
    d.click("train/explore");
    while (d.desk().keeping()) d.frame();
    d.settle_all();
    CHECK(d.shell->state.view.view == app::View::heatmap);
    CHECK(d.document().source == train::joined(pair.source));
    CHECK(d.document().target.empty());
    CHECK(d.has("source"));
    CHECK(d.has("target"));
    REQUIRE(d.snapshot().run);
    CHECK_FALSE(d.snapshot().error);
    const auto& tokens = d.snapshot().run->trace.target;
    REQUIRE(tokens.size() > pair.source.size());
    CHECK(tokens[0].text == pair.source[0]);
    CHECK(tokens[pair.source.size()].text == models::kStartToken);
    CHECK(d.snapshot().focus.head.kind == trace::AttentionKind::decoder_self);
    REQUIRE(d.snapshot().map);
    CHECK(d.snapshot().map->rows() == std::ssize(tokens));
}

TEST_CASE("a trained model opens on the head that aligns best, a decoder alone too") {
    const OwnData own;
    TrainRoom d;
    d.click("train/learns/decoder-only, 2 layers");
    d.rest();
    const auto& trainees = d.seen().trainees;
    REQUIRE(trainees.size() == 4);
    using Kind = trace::AttentionKind;
    for (const trace::HeadId& head :
         {trace::HeadId{Kind::decoder_self, 1, 2}, trace::HeadId{Kind::cross, 0, 3}}) {
        const std::size_t of = head.kind == Kind::cross ? 2 : 3;
        REQUIRE(trainees[of].model->save(own / "model.safetensors", {head}));
        d.shell->open_file(own / "model.safetensors");
        d.settle_all();
        CHECK(d.snapshot().focus.head == head);
    }
    d.click("room/train");
    d.click("train/show/decoder-only, 2 layers");
    d.click("train/play");
    d.rest();
    d.click("train/explore");
    while (d.desk().keeping()) d.frame();
    d.settle_all();
    REQUIRE(d.seen().trainees[3].held_out->aligned_by);
    CHECK(d.snapshot().focus.head == *d.seen().trainees[3].held_out->aligned_by);
}

TEST_CASE("a class goes on while another room is looked at") {
    TrainRoom d;
    d.shell->state.train->form.steps = 400;
    d.frames(2);
    d.rest();
    d.click("train/play");
    d.click("room/explore");
    d.frames(2);
    d.desk().room().wait_until_it_rests();
    d.frames(2);
    CHECK(d.seen().state == State::finished);
}

TEST_CASE("closing asks while there is something to lose, and Esc keeps training") {
    TrainRoom d;
    d.shell->wish_to_leave(); // nothing was learned yet
    CHECK(d.shell->leaves());
    d.shell->state.leaving.granted = false;
    d.type(".");
    d.rest();
    d.shell->wish_to_leave();
    d.frames(3);
    CHECK_FALSE(d.shell->leaves());
    REQUIRE(d.has("leave/save"));
    CHECK(d.shows("Training run not saved"));
    d.key(shim::Key::escape);
    d.frames(3);
    CHECK_FALSE(d.has("leave/save"));
    CHECK_FALSE(d.shell->leaves());
    d.shell->wish_to_leave();
    d.frames(3);
    d.click("leave/discard");
    d.frames(3);
    CHECK(d.shell->leaves());
}

TEST_CASE("saved and closed, a class is offered at the next start and goes on") {
    const OwnData own;
    {
        TrainRoom d(train::Task::reverse, own / "experiment");
        d.type(".");
        d.rest();
        d.key(shim::Key::q, true); // as the window does with what the key asks for
        d.frames(2);
        CHECK(d.shell->state.leaving.asked);
        d.shell->wish_to_leave();
        d.frames(3);
        d.click("leave/save");
        for (int i = 0; i < 2000 && !d.shell->leaves(); ++i) d.rest();
        REQUIRE(d.shell->leaves());
    }
    TrainRoom d(train::Task::copy, own / "experiment");
    REQUIRE(d.resumable());
    CHECK_FALSE(d.shell->ui.any_popup()); // a bar, no card
    CHECK(d.screen().find("Resume the last unfinished training run?") != std::string::npos);
    CHECK(d.seen().trainees[0].plan.task == train::Task::copy);
    d.type("."); // another experiment takes another place
    d.rest();
    CHECK(d.seen().trainees[0].step == 1);
    CHECK(app::read_saved_experiment(own / "experiment")->task == "reverse");
    REQUIRE(d.has("go-on/go-on"));
    d.click("go-on/go-on");
    d.rest();
    REQUIRE(d.seen().state == State::paused);
    CHECK(d.seen().trainees.size() == 3);
    CHECK(d.seen().trainees[0].step == 1);
    CHECK(d.shell->state.train->form.task == train::Task::reverse);
    CHECK_FALSE(d.desk().has_unsaved_steps());
    d.rest();
    CHECK(d.seen().trainees[0].step == 1); // nothing began it anew
    d.click("train/play");
    d.rest();
    CHECK(d.seen().state == State::finished);
}

TEST_CASE("a training run that cannot be saved at the end is named with its step") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "experiment", "a file, not a folder"));
    TrainRoom d(train::Task::reverse, own / "experiment");
    d.type(".");
    d.rest();
    const auto ended = d.desk().close();
    REQUIRE_FALSE(ended);
    const std::string words = base::describe(ended.error());
    CHECK(words.find("training run: at step 1, not saved: ") == 0);
    CHECK(words.find(own / "experiment") != std::string::npos);
    CHECK(ExperimentDesk().close()); // there was none
}

TEST_CASE("a class that was saved is not asked about again before it learns more") {
    const OwnData own;
    TrainRoom d(train::Task::reverse, own / "experiment");
    d.type(".");
    d.rest();
    REQUIRE(d.desk().has_unsaved_steps());
    d.desk().save();
    for (int i = 0; i < 2000 && d.desk().saving(); ++i) d.rest();
    CHECK_FALSE(d.desk().has_unsaved_steps());
    d.type(".");
    d.rest();
    CHECK(d.desk().has_unsaved_steps());
}

TEST_CASE("a class that cannot go on says why, and stays where it is saved") {
    const OwnData own;
    {
        TrainRoom d(train::Task::reverse, own / "experiment");
        d.type(".");
        d.rest();
    }
    const auto saved = app::read_saved_experiment(own / "experiment");
    REQUIRE(saved);
    REQUIRE(base::write_file_atomic(own / ("experiment/" + saved->files[0]), "no checkpoint"));
    TrainRoom d(train::Task::reverse, own / "experiment");
    d.click("go-on/go-on");
    d.rest();
    d.frames(3);
    d.rest();
    CHECK(d.shell->work.notice.text.find(saved->files[0]) != std::string::npos);
    CHECK(d.resumable());
    CHECK(d.seen().trainees.size() == 3); // of the room, at its first step
    d.click("train/step");                // elsewhere
    d.rest();
    CHECK(app::read_saved_experiment(own / "experiment"));
    d.click("go-on/forget");
    CHECK(d.find("go-on/forget").label == "Delete for good");
    d.click("go-on/forget");
    d.rest();
    CHECK_FALSE(d.resumable());
}

TEST_CASE("a class that goes on is told from one that was still prepared, and from its own end") {
    const OwnData own;
    {
        TrainRoom d(train::Task::reverse, own / "experiment");
        d.type(".");
        d.rest();
    }
    TrainRoom d(train::Task::copy, own / "experiment");
    app::ExperimentForm copies = *d.desk().opened();
    copies.max_length = 6;
    d.desk().open(copies); // and at once:
    d.desk().go_on();
    d.desk().room().wait_until_it_rests(); // before anybody looks
    d.frames(3);
    CHECK_FALSE(d.desk().resuming());
    REQUIRE(d.desk().opened());
    CHECK(d.desk().opened()->task == train::Task::reverse);
    CHECK(d.seen().trainees[0].step == 1);
    const auto saved = app::read_saved_experiment(own / "experiment");
    REQUIRE(saved);
    REQUIRE(base::write_file_atomic(own / ("experiment/" + saved->files[0]), "no checkpoint"));
    d.desk().switch_to(copies);    // what is left is saved already, and broken since
    for (int i = 0; i < 10; ++i) { // it ends sooner or later than come_back_to() does
        d.desk().look_for_saved();
        if (!d.desk().come_back_to("reverse")) FAIL("the run is gone");
        d.desk().room().wait_until_it_rests();
        d.desk().poll();
        CHECK_FALSE(d.desk().resuming());
    }
}

TEST_CASE("two windows at once lose nothing of each other's classes") {
    const OwnData own;
    app::ExperimentForm form;
    form.task = train::Task::reverse;
    form.max_length = 5;
    form.steps = 24;
    const auto begin = [&](ExperimentDesk& desk, int steps) {
        desk.folder = own / "experiment";
        desk.look_for_saved();
        CHECK_FALSE(desk.runs().resumable());
        desk.open(form);
        for (int i = 0; i < steps; ++i) {
            desk.step();
            desk.room().wait_until_it_rests();
        }
    };
    {
        ExperimentDesk first, second;
        begin(first, 1);
        begin(second, 3);
        first.save(); // once more, after the other
        first.room().wait_until_it_rests();
        ExperimentDesk third; // while both live
        third.folder = own / "experiment";
        third.look_for_saved();
        CHECK_FALSE(third.runs().resumable());
    } // each is saved
    std::vector<std::uint64_t> steps;
    {
        ExperimentDesk one, other; // each is offered one of them
        for (ExperimentDesk* desk : {&one, &other}) {
            desk->folder = own / "experiment";
            desk->look_for_saved();
            REQUIRE(desk->runs().resumable());
            steps.push_back(desk->runs().resumable()->step);
        }
        std::sort(steps.begin(), steps.end());
        CHECK(steps == std::vector<std::uint64_t>{1, 3});
        CHECK(one.runs().has_another()); // when it was asked
        CHECK_FALSE(other.runs().has_another());
    }
    TrainRoom d(train::Task::copy, own / "experiment"); // alone it may choose
    REQUIRE(d.resumable());
    const std::uint64_t newest = d.resumable()->step;
    CHECK(d.find("go-on/another").label == "Next saved run");
    d.click("go-on/another");
    d.frames(2);
    REQUIRE(d.resumable());
    CHECK(d.resumable()->step == 4 - newest);
    d.click("go-on/another");
    d.frames(2);
    CHECK(d.resumable()->step == newest);
    d.click("go-on/another");
    d.frames(2);
    d.click("go-on/go-on");
    d.rest();
    CHECK(d.seen().trainees[0].step == 4 - newest);
    d.click("train/step");
    d.rest();
    d.desk().save();
    for (int i = 0; i < 2000 && d.desk().saving(); ++i) d.rest();
    ExperimentDesk next;
    next.folder = own / "experiment";
    next.look_for_saved();
    REQUIRE(next.runs().resumable());
    CHECK(next.runs().resumable()->step == newest);
}

TEST_CASE("of several classes the next is offered when one is let go") {
    const OwnData own;
    for (const char* place : {"experiment", "experiment-2"}) {
        TrainRoom d(train::Task::reverse, own / place);
        d.type(".");
        d.rest();
        d.desk().save();
        d.desk().room().wait_until_it_rests();
    }
    TrainRoom d(train::Task::copy, own / "experiment");
    REQUIRE(d.resumable());
    CHECK(d.desk().runs().has_another());
    d.click("go-on/forget");
    CHECK(d.find("go-on/forget").label == "Delete for good");
    d.click("go-on/forget");
    d.frames(2);
    CHECK(d.resumable());
    CHECK_FALSE(d.desk().runs().has_another());
    d.click("go-on/forget");
    CHECK(d.find("go-on/forget").label == "Delete for good");
    d.click("go-on/forget");
    d.frames(2);
    CHECK_FALSE(d.resumable());
    CHECK_FALSE(d.has("go-on/forget"));
}

TEST_CASE("a class of last time can be let go") {
    const OwnData own;
    {
        TrainRoom d(train::Task::reverse, own / "experiment");
        d.type(".");
        d.rest();
    } // a program that a signal ends
    TrainRoom d(train::Task::reverse, own / "experiment");
    REQUIRE(d.resumable());
    d.click("go-on/forget");
    d.click("room/explore"); // it asks no longer
    d.click("room/train");
    d.frames(2);
    CHECK(d.find("go-on/forget").label == "Delete");
    d.click("go-on/forget");
    CHECK(d.find("go-on/forget").label == "Delete for good");
    d.click("go-on/forget");
    d.frames(3);
    CHECK_FALSE(d.resumable());
    CHECK_FALSE(app::read_saved_experiment(own / "experiment"));
}

TEST_CASE("a user's file is learned from, by the card or dropped on the room") {
    const OwnData own;
    std::string text;
    for (int i = 0; i < 200; ++i) {
        const std::string a(1, static_cast<char>('a' + i % 26)),
            b(1, static_cast<char>('a' + i / 9));
        text += i == 7 ? "no tab\n" : a + " " + b + "\t" + b + " " + a + "\n";
    }
    REQUIRE(base::write_file_atomic(own / "pairs.tsv", text));
    TrainRoom d;
    d.click("train/own");
    d.frames(3);
    d.replace_field("data/path", own / "pairs.tsv");
    d.replace_field("data/vocabulary", "20");
    d.click("data/use");
    d.rest();
    REQUIRE(d.seen().dataset);
    CHECK(d.seen().dataset->provenance.task == "pairs.tsv");
    CHECK(d.seen().trainees[0].plan.sentences.own.words == 20);
    CHECK(d.shows("pairs.tsv"));
    CHECK(d.screen().find("1 line passed over") != std::string::npos);
    d.click("train/play");
    d.rest();
    CHECK(d.seen().state == State::finished);
    d.click("train/task/copy");
    d.frames(2);
    d.click("switch/start");
    d.hold();
    CHECK(d.shell->state.train->form.file.empty());
    d.shell->open_file(own / "pairs.tsv"); // dropped
    CHECK(d.shell->state.train->form.file == own / "pairs.tsv");
}

TEST_CASE("the room, its film and its numbers are exported") {
    const OwnData own;
    TrainRoom d;
    d.click("train/show/additive attention");
    d.click("train/play");
    d.rest();
    const auto exported = [&](const std::string& name) {
        d.replace_field("export/path", own / name);
        d.click("export/save");
        while (d.shell->work.saving()) d.frame();
        d.frames(2);
        const auto bytes = base::read_file(own / name, 64 << 20);
        INFO(d.shell->work.notice.text);
        REQUIRE(bytes);
        return *bytes;
    };
    d.key(shim::Key::e, true);
    d.frames(3);
    CHECK(d.has("export/preview"));
    CHECK(exported("room.svg").find("Held-out sentence accuracy") != std::string::npos);
    CHECK(exported("curves.csv").find("\n24,") != std::string::npos);
    CHECK(exported("alignment.npy").starts_with("\x93NUMPY"));
    d.click("Film strip");
    d.frames(2);
    const std::string film = exported("film.svg");
    CHECK(film.find("step 24") != std::string::npos);
    CHECK(film.find("Reverse · additive attention") != std::string::npos);
    CHECK(film.find("√") == std::string::npos); // colours are by the weights themselves
    d.click("GIF");
    d.frames(2);
    CHECK(d.has("export/preview"));
    CHECK(exported("film.gif").starts_with("GIF89a"));
    d.replace_field("export/path", own / "film.gifx"); // another format, and no animation
    d.rest();
    CHECK_FALSE(d.find("export/save").enabled);
    CHECK(says(d, "Heed does not write .gifx. It writes .gif, .csv"));
    CHECK_FALSE(says(d, ".png"));
    d.replace_field("export/path", own / "film.gif");
    d.rest();
    // What it will be, in place of what a page has.
    CHECK_FALSE(d.has("export/size/8.5 cm"));
    CHECK(d.shows("1120 × 1040 pixels"));
    CHECK(d.shows("0.6 s a frame, the last 2.5 s"));
    const auto n_frames = d.seen().trainees[1].history->film.size();
    REQUIRE(n_frames > 1);
    CHECK(d.shows(fmt::format("{} in {:.1f} s, looping", n_frames,
                              0.6 * static_cast<double>(n_frames - 1) + 2.5)));
    std::set<std::string> moments; // the preview plays
    for (int i = 0; i < 300; ++i) {
        d.frame();
        for (const figure::Figure& painted : d.painted()) {
            for (const figure::Primitive& item : painted.items) {
                const auto* text = std::get_if<figure::Text>(&item);
                if (text && text->text.find(" at step ") != std::string::npos) {
                    moments.insert(text->text);
                }
            }
        }
    }
    CHECK(moments.size() > 1);
    d.click("APNG");
    d.frames(2);
    const std::string moving = exported("film.png");
    CHECK(moving.find("acTL") != std::string::npos);
    std::size_t frames = 0;
    for (auto at = moving.find("fcTL"); at != std::string::npos; at = moving.find("fcTL", at + 4)) {
        ++frames;
    }
    CHECK(frames == d.seen().trainees[1].history->film.size());
}

TEST_CASE("the room is exported though Explore has no picture") {
    const OwnData own;
    Driver::Options options = Driver::tiny();
    options.document.model_file = own / "gone.safetensors";
    TrainRoom d(train::Task::reverse, {}, std::move(options));
    REQUIRE_FALSE(d.snapshot().run);
    d.key(shim::Key::e, true);
    d.frames(3);
    d.replace_field("export/path", own / "room.svg");
    d.click("export/save");
    while (d.shell->work.saving()) d.frame();
    d.frames(2);
    INFO(d.shell->work.notice.text);
    CHECK(base::read_file(own / "room.svg", 64 << 20));
}

TEST_CASE("another head's alignment can be watched, and gradients are told by layer") {
    TrainRoom d;
    d.click("train/show/transformer 2+2");
    d.click("train/step");
    d.rest();
    const auto before = *d.seen().trainees[2].alignment;
    d.click("train/aligned-by/more");
    d.rest();
    d.click("train/aligned-by/more");
    d.rest();
    CHECK(d.shows("1.1"));
    CHECK(d.seen().aligned_by.kind == app::AlignedBy::Kind::head);
    CHECK_FALSE(d.seen().trainees[2].last->norms.layers.empty());
    CHECK(d.screen().find("encoder 1") != std::string::npos);
}

TEST_CASE("curves are high enough to be read in low windows") {
    for (const auto& [width, height] :
         {std::pair(720, 480), std::pair(900, 600), std::pair(1280, 800)}) {
        INFO(width << " x " << height);
        Driver::Options options = Driver::tiny();
        options.width = width;
        options.height = height;
        TrainRoom d(train::Task::reverse, {}, options);
        d.click("train/play");
        d.rest();
        const auto& drawn = d.shell->state.picture;
        const figure::Figure room = app::training_figure(d.seen(), d.shell->state.train->view,
                                                         false, drawn.width, drawn.height);
        for (const figure::Target& target : room.targets) {
            const auto* cells = target.as<figure::tag::Cells>();
            if (!cells || cells->part != static_cast<int>(figure::TrainingPart::loss)) continue;
            CHECK(target.box.h >= (height == 800 ? 64 : 80)); // there all fits without a scroll
        }
    }
}

TEST_CASE("in Train one button is what to do next") {
    TrainRoom d;
    const auto primary = [&] {
        return std::ranges::count_if(d.shell->ui.widgets(),
                                     [](const Widget& w) { return w.accent; });
    };
    CHECK(primary() == 1);
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    CHECK(primary() == 1);
    d.shell->state.train->form.batch = 4; // a question stands above the pictures
    d.frames(3);
    REQUIRE(d.has("settings/start"));
    CHECK(primary() == 1);
}

namespace {

/// So many pairs of letters, a line each.
std::string lines_of_pairs(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        const std::string a(1, static_cast<char>('a' + i % 26)),
            b(1, static_cast<char>('a' + i / 26));
        text += a + " " + b + "\t" + b + " " + a + "\n";
    }
    return text;
}

/// Opens the card and types the path of a file.
void type_file(TrainRoom& d, const std::string& path) {
    d.click("train/own");
    d.frames(3);
    d.replace_field("data/path", path);
}

/// Frames until the card has read its file, or has gone.
void wait_for_card(TrainRoom& d) {
    for (int i = 0; i < 400; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        d.frame();
    }
}

/// Presses Load, and waits.
void load_file(TrainRoom& d) {
    d.click("data/use");
    wait_for_card(d);
}

/// Of texts with labels, of which a headline is one.
void load_labels(TrainRoom& d, const std::string& file) {
    d.shell->state.train->form.learns = app::ExperimentForm{}.learns;
    app::choose_task(d.shell->state.train->form, train::Task::headlines_en);
    d.rest();
    type_file(d, file);
    load_file(d);
    d.rest();
}

} // namespace

TEST_CASE("a file that cannot be learned from is told in the card where it was chosen") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "bad.tsv", "no tab\nnone here either\n"));
    REQUIRE(base::write_file_atomic(own / "good.tsv", lines_of_pairs(400)));
    TrainRoom d;
    type_file(d, own / "");
    wait_for_card(d);
    CHECK(d.shows("good.tsv")); // in the list
    d.replace_field("data/path", own / "bad.tsv");
    load_file(d);
    REQUIRE(d.has("data/use"));
    CHECK(says(d, "bad.tsv: "));
    CHECK(d.shell->state.train->form.file.empty());
    CHECK(d.seen().state == State::paused); // what stood there stands
    CHECK(d.seen().dataset);
    d.frames(600);
    CHECK(says(d, "bad.tsv: ")); // until another is chosen
    d.replace_field("data/path", own / "good.tsv");
    CHECK_FALSE(says(d, "bad.tsv: "));
    load_file(d);
    d.rest();
    CHECK_FALSE(d.has("data/use"));
    REQUIRE(d.seen().dataset);
    CHECK(d.seen().dataset->provenance.task == "good.tsv");
}

TEST_CASE("of files that are asked for the newest is read, and without a model none") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "former.tsv", lines_of_pairs(600)));
    REQUIRE(base::write_file_atomic(own / "newest.tsv", lines_of_pairs(400)));
    app::ExperimentForm former, newest;
    app::choose_file(former, own / "former.tsv");
    app::choose_file(newest, own / "newest.tsv");
    app::OwnFileReader reader;
    reader.ask(former, std::chrono::milliseconds(0));
    reader.ask(newest, std::chrono::seconds(60));
    const auto found = reader.take();
    REQUIRE(found);
    REQUIRE(*found);
    CHECK((*found)->training + (*found)->held_out == 400);
    CHECK_FALSE(reader.asks());
    newest.learns = {};
    CHECK_FALSE(app::read_own_file(newest));
}

TEST_CASE("a file is let go of in the middle, and neither the next one nor the end waits for it") {
    const OwnData own;
    std::string lines;
    for (int i = 0; i < 1000; ++i) lines += lines_of_pairs(400);
    REQUIRE(base::write_file_atomic(own / "long.tsv", lines));
    REQUIRE(base::write_file_atomic(own / "next.tsv", lines_of_pairs(400)));
    app::ExperimentForm longer, next;
    app::choose_file(longer, own / "long.tsv");
    app::choose_file(next, own / "next.tsv");
    std::stop_source stopped;
    stopped.request_stop();
    const auto refused = app::read_own_file(longer, stopped.get_token());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == base::ErrorKind::cancelled);
    std::optional<app::OwnFileReader> reader(std::in_place);
    reader->ask(longer, std::chrono::milliseconds(20));
    REQUIRE(reader->asks());
    reader->ask(next, std::chrono::seconds(60));
    const auto found = reader->take();
    REQUIRE(found);
    CHECK(found->has_value());
    reader->ask(longer, std::chrono::milliseconds(20));
    CHECK(reader->asks());
    reader.reset();
}

TEST_CASE("the refusal of a file names its first bad line, and why") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "bad.tsv", "no tab\nnone here either\na\tb\n"));
    TrainRoom d;
    type_file(d, own / "bad.tsv");
    load_file(d);
    CHECK(says(d, "2 lines are passed over, line 1: "));
}

TEST_CASE("a file that was refused is read again once Load is pressed again") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "pairs.tsv", "no tab\nnone here either\n"));
    TrainRoom d;
    type_file(d, own / "pairs.tsv");
    load_file(d);
    REQUIRE(says(d, "pairs.tsv: "));
    REQUIRE(base::write_file_atomic(own / "pairs.tsv", lines_of_pairs(400)));
    load_file(d);
    d.rest();
    CHECK_FALSE(d.has("data/use"));
    REQUIRE(d.seen().dataset);
    CHECK(d.seen().dataset->provenance.task == "pairs.tsv");
}

TEST_CASE("the window rests while the card of a user's file stands on a folder") {
    const OwnData own;
    TrainRoom d;
    type_file(d, own / "");
    d.key(shim::Key::tab); // no caret blinks
    wait_for_card(d);
    CHECK(d.shell->wants_frame_in() < 0);
    CHECK_FALSE(d.shell->wants_frame());
}

TEST_CASE("the card of a user's file tells how many pairs are held out, as the room does") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "good.tsv", lines_of_pairs(400)));
    TrainRoom d;
    d.click("train/own");
    d.frames(3);
    CHECK_FALSE(d.shows("1 in 8 lines is held out"));
    d.replace_field("data/path", own / "good.tsv");
    wait_for_card(d);
    const std::string told = on_one_line(d.screen());
    load_file(d);
    d.rest();
    REQUIRE(d.seen().dataset);
    const auto& dataset = *d.seen().dataset;
    CHECK(dataset.training.size() + dataset.pairs.size() == 400);
    CHECK(told.find(std::to_string(dataset.training.size()) + " pairs to learn from, " +
                    std::to_string(dataset.pairs.size()) + " held out") != std::string::npos);
}

TEST_CASE("beside an error the Train room says what to do, and nothing of Play") {
    const OwnData own;
    REQUIRE(base::write_file_atomic(own / "bad.tsv", "no tab\nnone here either\n"));
    TrainRoom d;
    d.shell->open_file(own / "bad.tsv"); // dropped
    d.rest();
    REQUIRE(d.seen().error);
    REQUIRE_FALSE(d.find("train/play").enabled);
    CHECK_FALSE(d.shows("Press Play to start"));
    CHECK(says(d, "Choose another file or task on the left"));
    d.click("train/task/copy");
    d.rest();
    CHECK_FALSE(says(d, "Choose another file"));
    CHECK(d.shows("Press Play to start"));
}

TEST_CASE("the best so far is the best of all measurements, those of a pause too") {
    TrainRoom d;
    for (int i = 0; i < 6; ++i) {
        d.type(".");
        d.rest();
    }
    for (const app::Trainee& trainee : d.seen().trainees) {
        CAPTURE(trainee.step);
        const train::HeldOutPoint* best = nullptr;
        for (const train::HeldOutPoint& point : trainee.history->held_out) {
            if (point.step == 0) continue;
            if (!best || app::is_better(point.measures, best->measures)) best = &point;
        }
        REQUIRE(best);
        CHECK(trainee.best_step == best->step);
    }
}

TEST_CASE("the best so far counts what is measured when a run goes on, too") {
    const OwnData own;
    {
        TrainRoom d(train::Task::reverse, own / "experiment");
        for (int i = 0; i < 6; ++i) {
            d.type(".");
            d.rest();
        }
    } // a program that a signal ends
    TrainRoom d(train::Task::reverse, own / "experiment");
    REQUIRE(d.resumable());
    d.click("go-on/go-on");
    d.rest();
    for (const app::Trainee& trainee : d.seen().trainees) {
        REQUIRE(trainee.step == 6);
        REQUIRE(trainee.held_out);
        const auto& points = trainee.history->held_out;
        const auto best = std::ranges::find(points, trainee.best_step, &train::HeldOutPoint::step);
        REQUIRE(best != points.end());
        CHECK_FALSE(app::is_better(points.back().measures, best->measures));
    }
}

TEST_CASE("no step is called the best so far while nothing is right in any") {
    TrainRoom d;
    for (int i = 0; i < 10; ++i) {
        d.type(".");
        d.rest();
    }
    const auto& trainee = d.seen().trainees[d.shell->state.train->view.trainee];
    for (const train::HeldOutPoint& point : trainee.history->held_out) {
        REQUIRE(point.measures.exact_match == 0);
    }
    CHECK(d.shows("Best so far"));
    CHECK(d.shows("none right yet"));
    CHECK_FALSE(d.shows(" \u00b7 0")); // "step 10 · 0 %"
}

TEST_CASE("what was wrong with a file is not said over its run that goes on") {
    const OwnData own;
    const std::string file = own / "good.tsv";
    REQUIRE(base::write_file_atomic(file, lines_of_pairs(400)));
    TrainRoom d(train::Task::reverse, own / "experiment");
    type_file(d, file);
    load_file(d);
    d.rest();
    d.type(".");
    d.rest();
    d.click("train/task/reverse");
    d.rest();
    std::filesystem::rename(file, file + ".away");
    d.click("train/file/" + file);
    d.rest();
    d.frames(5);
    d.rest();
    REQUIRE(says(d, "good.tsv: cannot be opened"));
    std::filesystem::rename(file + ".away", file);
    d.click("train/file/" + file);
    d.rest();
    d.frames(5);
    REQUIRE(d.shows("step 1 /"));
    CHECK_FALSE(says(d, "cannot be opened"));
}

TEST_CASE("a file of one line has one pair") {
    const OwnData own;
    app::ExperimentForm form;
    bool one = false;
    for (int i = 0; i < 20; ++i) {
        REQUIRE(base::write_file_atomic(own / "one.tsv", fmt::format("a{} b\tc d\n", i)));
        app::choose_file(form, own / "one.tsv");
        const auto read = app::read_own_file(form, {});
        REQUIRE_FALSE(read);
        CHECK(read.error().message.find(" 1 pairs") == std::string::npos);
        one = one || read.error().message.starts_with("has 1 pair of ");
    }
    CHECK(one);
}

TEST_CASE("what went wrong elsewhere is still said when another task is chosen") {
    TrainRoom d;
    d.shell->work.notice = {"Nothing can be written there", true};
    d.click("train/task/copy");
    d.rest();
    CHECK(d.shell->work.notice.text == "Nothing can be written there");
}

TEST_CASE("a file of labels comes back as labels, also where no step of it was taken") {
    const OwnData own;
    const std::string file = own / "labels.tsv";
    std::string lines;
    for (int i = 0; i < 200; ++i) lines += fmt::format("{}\tword{} word{}\n", i % 2, i, i + 1);
    REQUIRE(base::write_file_atomic(file, lines));
    {
        TrainRoom d(train::Task::reverse, own / "experiment");
        d.type(".");
        d.rest();
    } // which is offered again
    TrainRoom d(train::Task::headlines_en, own / "experiment");
    REQUIRE(d.resumable());
    load_labels(d, file);
    REQUIRE(train::is_classification(d.shell->state.train->form.task));
    REQUIRE(d.shell->state.train->form.file == file);
    d.click("go-on/go-on");
    d.rest();
    REQUIRE(d.shell->state.train->form.task == train::Task::reverse);
    d.click("train/file/" + file);
    d.rest();
    CHECK(train::is_classification(d.shell->state.train->form.task));
}

TEST_CASE("a file of labels is told as texts, and its labels are no words of the vocabulary") {
    const OwnData own;
    const std::string file = own / "labels.tsv";
    std::string lines;
    for (int i = 0; i < 200; ++i) lines += fmt::format("{}\tword{} word{}\n", i % 2, i, i + 1);
    REQUIRE(base::write_file_atomic(file, lines + lines));
    TrainRoom d;
    load_labels(d, file);
    REQUIRE(d.seen().dataset);
    const train::Dataset& dataset = *d.seen().dataset;
    REQUIRE(dataset.classes.size() == 2);
    const std::string words = app::own_data_words(d.seen());
    CHECK(words.starts_with(fmt::format("{} training texts, ", dataset.training.size())));
    CHECK(words.find(fmt::format("vocabulary of {} words",
                                 dataset.vocabulary.words().size() - 2)) != std::string::npos);
    CHECK(words.find(" texts left out: they came before") != std::string::npos);
}

TEST_CASE("the tip of a curve says that it is noisy, and of how many sentences a step is") {
    TrainRoom d;
    for (int i = 0; i < 3; ++i) {
        d.type(".");
        d.rest();
    }
    const Box stage = d.find("training").box;
    const auto& size = d.shell->state.picture;
    const figure::Figure curves =
        app::training_figure(d.seen(), d.shell->state.train->view, false, size.width, size.height);
    for (const figure::Target& target : curves.targets) {
        const auto* cells = target.as<figure::tag::Cells>();
        if (!cells || cells->part != static_cast<int>(figure::TrainingPart::loss)) continue;
        d.hover(Point{stage.x + target.box.x + 20, stage.y + target.box.y + 20});
        d.frames(3);
    }
    REQUIRE(d.shows("Step "));
    CHECK(says(d, "A step learns from 8 sentences alone"));
}

TEST_CASE("the gradient norm of a film frame is that of its step, however long training goes on") {
    TrainRoom d;
    app::ExperimentForm& form = d.shell->state.train->form;
    form.learns = {true, false, false, false};
    form.steps = 1400;
    d.rest();
    d.type(".");
    d.rest();
    REQUIRE(d.seen().trainees.size() == 1);
    const auto norm = [&] {
        const std::string screen = d.screen();
        const auto at = screen.find("Gradient norm");
        return screen.substr(at, screen.find("Rate", at) - at);
    };
    for (int i = 0; i < 5; ++i) {
        d.type(".");
        d.rest();
    }
    d.shell->state.train->view.step = 6;
    d.frames(3);
    REQUIRE(d.shell->state.train->view.step == 6u);
    const std::string before = norm();
    d.desk().play();
    while (d.seen().trainees[0].step < 1100) d.frame();
    d.desk().pause();
    d.rest();
    d.shell->state.train->view.step = 6;
    d.frames(3);
    REQUIRE(d.shell->state.train->view.step == 6u);
    CHECK(norm() == before);
}

TEST_CASE("the best step is called so while a run learns and when it has ended") {
    TrainRoom d;
    d.type(".");
    d.rest();
    CHECK(d.shows("Best so far"));
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    d.frames(3);
    CHECK(d.shows("Best so far"));
    CHECK_FALSE(d.shows("Kept"));
}

TEST_CASE("a reader of files asks the one before to stop, and the last one at its end") {
    std::atomic<int> let_go = 0;
    app::ExperimentForm first, second, third;
    first.file = "first";
    third.file = "third";
    std::optional<app::OwnFileReader> reader(
        std::in_place,
        [&](const app::ExperimentForm& form,
            const std::stop_token& stop) -> base::Result<app::OwnFile> {
            if (form.file.empty()) return app::OwnFile{3, 1};
            while (!stop.stop_requested()) std::this_thread::yield();
            ++let_go;
            return base::fail(base::ErrorKind::cancelled, form.file, "stopped");
        });
    reader->ask(first, std::chrono::milliseconds(20));
    REQUIRE(reader->asks());
    CHECK(let_go == 0);
    reader->ask(second, std::chrono::seconds(60));
    const auto found = reader->take();
    REQUIRE(found);
    REQUIRE(found->has_value());
    CHECK((*found)->training == 3);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto waits = [&](int count) {
        while (let_go < count && std::chrono::steady_clock::now() < until) {
            std::this_thread::yield();
        }
    };
    waits(1);
    CHECK(let_go == 1);
    reader->ask(third, std::chrono::milliseconds(20));
    CHECK(let_go == 1);
    reader.reset();
    waits(2);
    CHECK(let_go == 2);
}

TEST_CASE("a file's lines add up: what came before in it is told, and words alone are counted") {
    const OwnData own;
    std::string lines = lines_of_pairs(400);
    lines += lines; // every pair twice
    REQUIRE(base::write_file_atomic(own / "twice.tsv", lines));
    TrainRoom d;
    d.click("train/own");
    d.frames(3);
    d.replace_field("data/path", own / "twice.tsv");
    wait_for_card(d);
    const std::string told = on_one_line(d.screen());
    load_file(d);
    d.rest();
    REQUIRE(d.seen().dataset);
    const train::Dataset& dataset = *d.seen().dataset;
    const std::size_t repeated = 800 - dataset.training.size() - dataset.pairs.size();
    REQUIRE(repeated > 0);
    const std::string words =
        fmt::format("; {} pairs left out: their source came before", repeated);
    CHECK(told.find(words) != std::string::npos);
    CHECK(says(d, words));
    CHECK(says(d, fmt::format("vocabulary of {} words", dataset.vocabulary.words().size())));
}
