// The Train room: tasks are chosen, runs are come back to, and the film is a player.
#include "models/open.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/driver.hpp"
#include "ui/train/train_room.hpp"

#include "app/training/training_room.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "ui/train/train_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;
using State = app::ExperimentSnapshot::State;

namespace {

/// In the room, with two models that learn in a moment, saved in a folder of their own.
struct Class : Driver {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("heed_switch_" + std::to_string(::getpid()));

    explicit Class(int steps = 24, bool saves = true) {
        ::setenv("XDG_DATA_HOME", folder.c_str(), 1);
        std::filesystem::create_directories(folder);
        if (saves) desk().folder = (folder / "experiment").string();
        desk().look_for_saved();
        app::ExperimentForm& form = shell->state.train->form;
        form.task = train::Task::copy;
        form.steps = steps;
        form.batch = 8;
        form.max_length = 5;
        click("room/train");
        rest();
    }
    ~Class() {
        ::unsetenv("XDG_DATA_HOME");
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    ExperimentDesk& desk() { return shell->experiment; }
    const app::ExperimentSnapshot& seen() { return desk().seen(); }
    train::Task task() { return seen().trainees.at(0).plan.task; }
    std::uint64_t step() { return seen().trainees.at(0).step; }
    void rest() {
        frames(2);
        desk().room().wait_until_it_rests();
        frames(3);
    }
    void learn(std::uint64_t steps) {
        click("train/play");
        while (seen().trainees.empty() || step() < steps) frame();
    }
    /// Learns a little, rests, and is asked to start over. Returns the step that it had reached.
    std::uint64_t start_over() {
        learn(5);
        click("train/play");
        rest();
        const std::uint64_t reached = step();
        click("train/again");
        frames(2);
        return reached;
    }
    /// Waits until a run that begins has taken a step, and pauses it.
    void hold() {
        while (!desk().has_progress()) frame();
        if (desk().learning()) click("train/play");
        rest();
    }
    /// Writes a file of pairs there and chooses it by the card; returns its path.
    std::string load_pairs(const std::string& name) {
        std::string lines;
        for (int i = 0; i < 400; ++i) {
            const std::string a(1, static_cast<char>('a' + i % 26)),
                b(1, static_cast<char>('a' + i / 26));
            lines += a + " " + b + "\t" + b + " " + a + "\n";
        }
        const std::string path = (folder / name).string();
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        REQUIRE(base::write_file_atomic(path, lines));
        click("train/own");
        frames(3);
        replace_field("data/path", path);
        click("data/use");
        for (int i = 0; i < 2000 && has("data/use"); ++i) frame();
        rest();
        return path;
    }
    /// In however many lines.
    bool says(const std::string& words) {
        std::string all = screen();
        std::ranges::replace(all, '\n', ' ');
        return all.find(words) != std::string::npos;
    }
};

} // namespace

TEST_CASE("a task that is chosen while the run rests is taken up, and can be come back to") {
    Class d;
    d.click("train/step");
    d.rest();
    d.click("train/step");
    d.rest();
    REQUIRE(d.step() == 2);
    d.click("train/task/headlines-en");
    d.rest();
    CHECK(d.task() == train::Task::headlines_en);
    CHECK(d.step() == 0);
    CHECK(d.says("Headlines → topic · classifier, 1 head · step 0"));
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.says("step 2")); // beside Copy
    CHECK(d.find("train/task/copy").tip.find("go back") != std::string::npos);
    d.click("train/task/copy");
    d.rest();
    CHECK(d.task() == train::Task::copy);
    CHECK(d.step() == 2);
    CHECK(d.says("Copy · additive attention · step 2"));
    CHECK(d.shell->state.train->form.task == train::Task::copy);
    CHECK(d.seen().trainees.size() == 2);
    d.click("train/play");
    d.rest();
    CHECK(d.seen().state == State::finished);
    CHECK(d.step() == 24);
    d.click("train/task/sort"); // of a finished one as well
    d.rest();
    CHECK(d.task() == train::Task::sort);
    d.click("train/task/copy");
    d.rest();
    CHECK(d.seen().state == State::finished);
    CHECK(d.step() == 24);
}

TEST_CASE("a task that is chosen while the run learns is asked about in the room, not by a card") {
    Class d(100'000);
    d.learn(3);
    d.click("train/task/headlines-en");
    d.frames(2);
    CHECK_FALSE(d.shell->ui.any_popup());
    CHECK(d.says("Copy is at step "));
    CHECK(d.says("Its steps are kept; choose Copy again to go back to them."));
    CHECK(d.find("switch/keep").label == "Keep Copy");
    CHECK(d.find("switch/start").label == "Start Headlines → topic");
    CHECK(d.desk().learning());
    CHECK(d.find("train/task/copy").on); // until it is answered nothing is another
    d.click("switch/keep");
    d.frames(2);
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.desk().learning());
    CHECK(d.task() == train::Task::copy);
    d.click("train/task/headlines-en");
    d.frames(2);
    d.click("train/task/copy"); // that is an answer, too
    d.frames(2);
    CHECK_FALSE(d.has("switch/start"));
    d.click("train/task/headlines-en");
    d.frames(2);
    d.click("switch/start");
    d.hold(); // it begins by itself
    CHECK(d.task() == train::Task::headlines_en);
    CHECK(d.step() > 0);
    CHECK(d.find("train/task/headlines-en").on);
    d.click("train/task/copy");
    d.rest();
    CHECK(d.task() == train::Task::copy);
    CHECK(d.step() >= 3);
}

TEST_CASE("a model that is switched on is asked about where the run has steps, and joins anew") {
    Class d(100'000);
    d.learn(2);
    d.click("train/learns/mean state");
    d.frames(2);
    CHECK_FALSE(d.find("train/learns/mean state").on);
    CHECK(d.says("Training mean state beside it starts over."));
    CHECK(d.find("switch/start").label == "Start over with it");
    CHECK(d.find("switch/keep").label == "Keep this run");
    d.click("switch/keep");
    d.frames(2);
    d.click("train/play"); // pauses
    d.rest();
    const std::uint64_t step = d.step();
    d.click("train/learns/mean state");
    d.rest();
    CHECK(d.seen().trainees.size() == 2); // until it is answered
    CHECK(d.step() == step);
    d.click("switch/start");
    CHECK(d.says("Copy is kept at step " + std::to_string(step) + ". Choose it again to go back."));
    d.hold();
    CHECK(d.seen().trainees.size() == 3);
    d.click("train/task/copy");
    d.rest();
    CHECK(d.seen().trainees.size() == 2);
    CHECK(d.step() == step);
}

TEST_CASE("a user's file that is chosen again goes back to its run that was left") {
    Class d;
    const std::string path = d.load_pairs("pairs.tsv");
    d.learn(2);
    d.click("train/play"); // pauses
    d.rest();
    const std::uint64_t step = d.step();
    const std::size_t models = d.seen().trainees.size();
    d.click("train/learns/mean state");
    d.rest();
    d.click("switch/start");
    CHECK(d.says("Choose it again to go back."));
    d.hold();
    REQUIRE(d.seen().trainees.size() != models);
    d.load_pairs("pairs.tsv");
    CHECK(d.seen().trainees.size() == models);
    CHECK(d.step() == step);
}

TEST_CASE("a user's file that was left stands by its name among the tasks, and goes back to its run") {
    Class d;
    const std::string first = d.load_pairs("first.tsv");
    d.click("train/step");
    d.rest();
    const std::string second = d.load_pairs("second.tsv");
    REQUIRE(d.step() == 0);
    REQUIRE(d.has("train/file/" + first));
    CHECK(d.find("train/file/" + first).label == "first.tsv");
    CHECK(d.says("step 1")); // beside its name
    CHECK(d.find("train/file/" + second).on);
    d.click("train/step");
    d.rest();
    d.click("train/step");
    d.rest();
    d.click("train/task/sort");
    d.rest();
    CHECK(d.task() == train::Task::sort);
    d.click("train/file/" + first);
    d.rest();
    CHECK(d.shell->state.train->form.file == first);
    CHECK(d.seen().dataset->provenance.task == "first.tsv");
    CHECK(d.step() == 1);
    CHECK(d.has("train/own")); // loads another one
    d.click("train/file/" + second);
    d.rest();
    CHECK(d.seen().dataset->provenance.task == "second.tsv");
    CHECK(d.step() == 2);
    d.click("train/play"); // of one that learns it is asked first
    d.click("train/file/" + first);
    CHECK(d.has("switch/start"));
    d.click("switch/start");
    d.hold();
    CHECK(d.seen().dataset->provenance.task == "first.tsv");
}

TEST_CASE("files of one name in two folders are told apart in the list and in what is said") {
    Class d;
    const std::string first = d.load_pairs("lessons/animals.tsv");
    CHECK(d.find("train/file/" + first).label == "animals.tsv");
    d.click("train/step");
    d.rest();
    const std::string second = d.load_pairs("mine/animals.tsv");
    REQUIRE(first != second);
    CHECK(d.find("train/file/" + first).label == "animals.tsv · lessons");
    CHECK(d.find("train/file/" + second).label == "animals.tsv · mine");
    CHECK(d.says("animals.tsv · lessons is kept at step 1. Choose it again to go back."));
    const std::string other = d.load_pairs("words.tsv");
    CHECK(d.find("train/file/" + other).label == "words.tsv");
    const std::string third = d.load_pairs("old/lessons/animals.tsv");
    CHECK(d.find("train/file/" + third).label == "animals.tsv · old/lessons");
    CHECK(d.find("train/file/" + second).label == "animals.tsv · mine");
}

TEST_CASE("the open task tells its step in the list, too") {
    Class d;
    d.click("train/step");
    d.rest();
    CHECK(d.screen().find("\nstep 1\n") != std::string::npos);
    d.load_pairs("pairs.tsv");
    for (int i = 0; i < 2; ++i) {
        d.click("train/step");
        d.rest();
    }
    CHECK(d.screen().find("\nstep 1\n") != std::string::npos);
    CHECK(d.screen().find("\nstep 2\n") != std::string::npos);
}

TEST_CASE("a file that was loaded stays in the list before its first step") {
    Class d;
    const std::string path = d.load_pairs("unread.tsv");
    REQUIRE(d.step() == 0);
    d.click("train/task/copy");
    d.rest();
    REQUIRE(d.task() == train::Task::copy);
    REQUIRE(d.has("train/file/" + path));
    CHECK_FALSE(d.find("train/file/" + path).on);
    d.click("train/file/" + path);
    d.rest();
    CHECK(d.seen().dataset->provenance.task == "unread.tsv");
    const std::string lost = d.load_pairs("lost.tsv");
    std::filesystem::remove(lost);
    d.click("train/file/" + path);
    d.rest();
    d.click("train/file/" + lost);
    d.rest();
    CHECK(d.seen().error);
}

TEST_CASE("what a file holds stands under its own row") {
    Class d;
    const std::string first = d.load_pairs("first.tsv");
    d.click("train/step");
    d.rest();
    const std::string second = d.load_pairs("second.tsv");
    const auto below = [&](const std::string& id, const std::string& next) {
        const Box row = d.find(id).box;
        return d.find(next).box.y - (row.y + row.h);
    };
    REQUIRE(d.says("training pairs"));
    CHECK(below("train/file/" + first, "train/file/" + second) < 10);
    CHECK(below("train/file/" + second, "train/own") > 20);
    d.click("train/file/" + first);
    d.rest();
    CHECK(below("train/file/" + first, "train/file/" + second) > 20);
    CHECK(below("train/file/" + second, "train/own") < 10);
}

TEST_CASE("a task's name is read whole beside the step that its run was left at") {
    Class d;
    d.resize(1280, 800, 1);
    d.click("train/task/headlines-en");
    d.rest();
    d.click("train/step");
    d.rest();
    d.click("train/task/copy");
    d.rest();
    REQUIRE(d.find("train/task/headlines-en").tip.find("go back") != std::string::npos);
    for (const std::string& cut : d.shell->ui.canvas.cut()) CHECK(cut != "Headlines → topic");
}

TEST_CASE("the card of a user's file says what its lines are, as the chosen task has them") {
    Class d;
    d.click("train/own");
    d.frames(3);
    CHECK(d.says("one pair per line: source ⇥ target"));
    d.key(shim::Key::escape);
    d.click("train/task/headlines-en");
    d.rest();
    d.click("train/own");
    d.frames(3);
    CHECK(d.says("one text per line: label ⇥ text"));
    CHECK_FALSE(d.says("source ⇥ target"));
}

TEST_CASE("a finished run stays on the screen until it is said that it starts over") {
    Class d;
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    const std::size_t film = d.seen().trainees[1].history->film.size();
    d.click("train/learns/GRU one-to-many");
    d.rest();
    CHECK(d.seen().state == State::finished);
    CHECK(d.step() == 24);
    CHECK(d.seen().trainees[1].history->film.size() == film);
    CHECK(d.says("Copy finished at step 24. Training GRU one-to-many beside it starts over."));
    d.click("train/task/copy"); // that is an answer, too
    d.rest();
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.seen().state == State::finished);
    d.click("train/learns/last state"); // off
    d.frames(2);
    CHECK(d.says("Training without last state starts over."));
    d.click("switch/keep");
    d.rest();
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.find("train/learns/last state").on);
    CHECK(d.step() == 24);
    d.click("train/learns/GRU one-to-many");
    d.frames(2);
    d.click("switch/start");
    d.hold();
    CHECK(d.seen().trainees.size() == 3);
}

TEST_CASE("a question takes a place of its own above the pictures") {
    Class d;
    const Box before = d.find("training").box;
    d.click("train/step");
    d.rest();
    d.click("train/learns/mean state");
    d.frames(2);
    const Box button = d.find("switch/start").box, with = d.find("training").box;
    CHECK(with.y >= button.y + button.h);
    CHECK(std::abs(with.y + with.h - before.y - before.h) < 0.5f);
    CHECK(d.says("Copy · additive attention · step 1")); // the title is below it
    CHECK(d.shell->state.picture.height <= with.h);
    d.click("switch/keep");
    d.frames(2);
    CHECK(d.find("training").box.y == before.y);
}

TEST_CASE("while a question is open the bar waits for its answer, and Escape keeps the run") {
    Class d(100'000);
    d.learn(2);
    d.click("train/task/sort");
    d.frames(2);
    REQUIRE(d.has("switch/start"));
    for (const char* id : {"train/play", "train/again", "train/step"}) {
        CHECK_FALSE(d.find(id).enabled);
        CHECK(d.find(id).tip.find("Answer the question") != std::string::npos);
        d.click(id);
    }
    d.key(shim::Key::space);
    d.type(".");
    d.frames(2);
    CHECK(d.desk().learning());
    CHECK(d.has("switch/start"));
    CHECK(d.task() == train::Task::copy);
    d.shell->state.layout.presenting = true;
    d.frames(2);
    d.key(shim::Key::escape); // that alone
    d.frames(2);
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.shell->state.layout.presenting);
    CHECK(d.desk().learning());
    CHECK(d.task() == train::Task::copy);
    d.key(shim::Key::escape);
    d.frames(2);
    CHECK_FALSE(d.shell->state.layout.presenting);
    CHECK(d.find("train/play").enabled);
    CHECK(d.find("train/again").enabled);
    d.click("train/play"); // pauses
    d.rest();
}

TEST_CASE("a panel over the stage goes when a question opens below it") {
    Class d(100'000);
    d.resize(900, 600, 1);
    d.frames(3);
    d.learn(2);
    d.click("edge/left");
    d.frames(20);
    REQUIRE(d.has("train/task/sort"));
    d.click("train/task/sort");
    d.frames(20);
    CHECK_FALSE(d.has("train/task/sort"));
    d.click("switch/keep"); // what is above would take the click
    CHECK_FALSE(d.has("switch/keep"));
    d.click("train/play");
    d.rest();
}

TEST_CASE("what is said over the pictures moves none of them, nor do steps that are counted") {
    Class d;
    const Box before = d.find("training").box;
    const float height = d.shell->state.picture.height;
    d.shell->work.notice = {"Saved /somewhere/heed.png", false};
    d.frames(2);
    CHECK(d.shows("Saved /somewhere/heed.png"));
    CHECK(d.find("training").box.h == before.h);
    CHECK(d.shell->state.picture.height == height);
    d.shell->work.notice = {"Nothing can be written there", true};
    d.frames(2);
    CHECK(d.shows("Nothing can be written there"));
    CHECK(d.find("training").box.h == before.h);
    CHECK(d.shell->state.picture.height == height);
    d.shell->work.notice = {};
    d.click("train/step");
    d.rest();
    for (int width = 1000; width < 1500; width += 12) { // somewhere a digit more takes a line more
        d.resize(width, 800, 1);
        d.frames(3);
        d.click("train/learns/mean state");
        d.frames(2);
        const float y = d.find("training").box.y;
        d.shell->experiment.room().step();
        d.rest();
        CHECK(d.find("training").box.y == y);
        d.click("switch/keep");
        d.frames(2);
    }
}

TEST_CASE("a question stays when the run that it is about is over") {
    Class d(1500);
    d.learn(1);
    d.click("train/task/sort");
    d.frames(2);
    REQUIRE(d.has("switch/start"));
    CHECK(d.says("Copy is at step "));
    d.rest();
    d.frames(2);
    REQUIRE(d.seen().state == State::finished);
    CHECK(d.says("Copy finished at step 1500."));
    CHECK(d.find("switch/keep").label == "Keep Copy");
    CHECK(d.task() == train::Task::copy);
    d.click("switch/keep");
    d.rest();
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.task() == train::Task::copy);
    CHECK(d.step() == 1500);
}

TEST_CASE("settings that are changed while a run goes on are said not to be its own") {
    Class d(100'000);
    d.learn(2);
    d.click("train/rule/RMSprop");
    d.frames(2);
    CHECK(d.says(" with Adam. The new settings start it over."));
    CHECK(d.find("settings/keep").label == "Keep this run");
    CHECK(d.find("settings/start").label == "Start over with them");
    CHECK(d.desk().learning());
    d.click("settings/keep");
    d.frames(2);
    CHECK_FALSE(d.has("settings/start"));
    CHECK(d.find("train/rule/Adam").on);
    CHECK(d.desk().learning());
    d.click("train/rule/RMSprop");
    d.shell->state.train->form.steps = 30;
    d.frames(2);
    CHECK(d.says(" with Adam, 100000 steps. The new settings start it over."));
    d.click("settings/start");
    CHECK(d.says("Choose it again to go back.")); // nothing is lost
    d.hold();
    CHECK_FALSE(d.has("settings/start"));
    CHECK(d.seen().trainees[0].plan.steps == 30);
    CHECK(train::name(d.seen().trainees[0].plan.rule) == "rmsprop");
}

TEST_CASE("what is started above the pictures has the settings that were chosen since") {
    Class d(100'000);
    d.learn(2);
    REQUIRE(d.seen().trainees.size() == 2);
    d.click("train/learns/additive attention"); // off
    d.frames(2);
    REQUIRE(d.says("Training without additive attention starts over."));
    d.click("train/rule/RMSprop"); // chosen since
    d.click("switch/start");
    d.hold();
    REQUIRE(d.seen().trainees.size() == 1);
    CHECK(train::name(d.seen().trainees[0].plan.rule) == "rmsprop");
    CHECK_FALSE(d.find("train/learns/additive attention").on);
    CHECK_FALSE(d.has("switch/start"));
    CHECK_FALSE(d.has("settings/start"));
}

TEST_CASE("Start over loses no run: the one before is gone back to by its task") {
    Class d(100'000);
    const auto reached = d.start_over();
    CHECK_FALSE(d.has("switch/start"));
    CHECK(d.says("Copy is kept at step"));
    d.hold(); // it trains
    d.click("train/task/copy");
    d.rest();
    CHECK(d.step() == reached);
}

TEST_CASE("the run before is gone back to by its task while the new one learns") {
    Class d(100'000);
    const auto reached = d.start_over();
    while (!d.desk().has_progress()) d.frame();
    REQUIRE(d.desk().learning());
    d.click("train/task/copy");
    d.rest();
    CHECK(d.step() == reached);
    CHECK(d.says("Copy is kept. Choose it again to go back.")); // it ends a few steps later
}

TEST_CASE("Start over asks first where the run is saved nowhere") {
    Class d(100'000, false);
    const auto reached = d.start_over();
    CHECK(d.step() == reached);
    CHECK(d.says("This starts over. Its steps would be lost."));
    d.click("switch/keep");
    d.rest();
    CHECK_FALSE(d.has("switch/start"));
    d.click("train/again");
    d.frames(2);
    d.click("switch/start");
    d.hold();
    CHECK_FALSE(d.has("switch/start"));
}

TEST_CASE("a task has settings of its own, until others are chosen there") {
    Class d(60);
    d.click("train/rule/RMSprop");
    d.rest();
    d.click("train/task/sort");
    d.rest();
    CHECK(d.find("train/rule/Adam").on);
    CHECK(d.seen().trainees[0].plan.steps == 3000);
    d.click("train/rule/SGD");
    d.rest();
    d.click("train/task/copy");
    d.rest();
    CHECK(d.find("train/rule/RMSprop").on);
    CHECK(d.seen().trainees[0].plan.steps == 60);
    d.click("train/task/sort");
    d.rest();
    CHECK(d.find("train/rule/SGD").on);
    CHECK(train::name(d.seen().trainees[0].plan.rule) == "sgd");
    // A question changes none of them.
    d.learn(1);
    d.click("train/task/copy");
    d.frames(2);
    REQUIRE(d.has("switch/keep"));
    CHECK(d.find("train/rule/SGD").on);
    d.click("switch/keep");
    d.frames(2);
    CHECK_FALSE(d.has("settings/start"));
    CHECK(d.find("train/rule/SGD").on);
    d.click("train/play"); // pauses
    d.rest();
}

TEST_CASE("what is said of a run that is kept stays in the Train room") {
    Class d;
    d.click("train/step");
    d.rest();
    d.click("train/task/sort");
    d.rest();
    REQUIRE(d.says("Copy is kept at step 1."));
    d.click("room/explore");
    d.frames(2);
    CHECK_FALSE(d.says("is kept at step"));
    CHECK(d.shell->work.notice.text.empty());
}

TEST_CASE("in a small window the pictures are scrolled, none is left out or squeezed") {
    Class d;
    d.resize(1024, 700, 1);
    d.click("train/play");
    d.rest();
    const Box stage = d.find("training").box;
    CHECK(d.shell->state.picture.height > stage.h);
    CHECK(d.shell->state.train->stage_scroll.offset == 0);
    d.wheel({stage.x + stage.w / 2, stage.y + stage.h / 2}, -100);
    d.frames(2);
    const Scroll& scroll = d.shell->state.train->stage_scroll;
    CHECK(std::abs(scroll.offset + stage.h - scroll.content) < 1);
    CHECK(d.says("Sentence accuracy by length"));
    d.resize(1600, 1000, 1);
    d.frames(3);
    CHECK(d.shell->state.train->stage_scroll.offset == 0);
    CHECK(d.shell->state.picture.height == d.find("training").box.h);
}

TEST_CASE("tasks that are chosen in quick succession leave no run behind that never learned") {
    Class d;
    d.click("train/step");
    d.rest();
    for (const char* task : {"sort", "reverse", "dates", "sort"}) {
        d.click("train/task/" + std::string(task));
        d.frame();
    }
    d.rest();
    CHECK(d.task() == train::Task::sort);
    CHECK(d.desk().runs().of_task("copy"));
    for (const char* task : {"sort", "reverse", "dates"})
        CHECK_FALSE(d.desk().runs().of_task(task));
}

TEST_CASE("the film plays to the present, and samples and numbers are those of its moment") {
    Class d(60);
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    const train::Film& film = d.seen().trainees[1].history->film;
    REQUIRE(film.size() >= 2);
    CHECK_FALSE(d.find("film/now").enabled);
    CHECK(d.says("Drag to replay"));
    d.click("film/play");
    d.frame();
    REQUIRE(d.shell->state.train->view.step == film.front().step);
    CHECK(d.says("step 0 of 60"));
    const train::History& history = *d.seen().trainees[1].history;
    const train::HeldOutPoint* then = train::measured_at(history, 0);
    REQUIRE(then);
    REQUIRE(then->step == 0);
    CHECK(d.says(fmt::format("{:.3f}", then->measures.loss)));
    CHECK_FALSE(d.says(fmt::format("{:.3f}", history.held_out.back().measures.loss)));
    CHECK(d.says(train::as_text(then->samples->front().said)));
    ui::Canvas& canvas = d.shell->ui.canvas;
    canvas.keeps_painted = true;
    d.frame();
    const auto draws_moment = [&] { // in the last frame
        std::string drawn;
        for (const figure::Figure& figure : canvas.painted()) drawn += figure::dump(figure);
        return drawn.find("Alignment at step") != std::string::npos;
    };
    CHECK(draws_moment());
    for (int i = 0; i < 4000 && d.shell->state.train->film.playing; ++i) d.frame();
    CHECK_FALSE(d.shell->state.train->film.playing);
    CHECK_FALSE(d.shell->state.train->view.step); // at its end it is now again
    CHECK_FALSE(draws_moment());
    d.key(shim::Key::left);
    d.frames(2);
    REQUIRE(d.shell->state.train->view.step);
    d.click("film/now");
    d.frames(2);
    CHECK_FALSE(d.shell->state.train->view.step);
    CHECK(d.says(fmt::format("{:.3f}", history.held_out.back().measures.loss)));
}

TEST_CASE("the film's scrubber is dragged, and moved by arrows when it has the keyboard") {
    Class d(60);
    d.click("train/play");
    d.rest();
    const train::Film& film = d.seen().trainees[1].history->film;
    REQUIRE(film.size() >= 2);
    const Box bar = d.find("film/scrubber").box;
    CHECK(d.find("film/scrubber").tip.find("Drag to replay") != std::string::npos);
    const float y = bar.y + bar.h / 2;
    d.drag({bar.x + bar.w - 7, y}, {bar.x + 7, y});
    d.frames(2);
    CHECK(d.shell->state.train->view.step == film.front().step);
    for (int i = 0; i < 200 && d.shell->ui.keyboard_at() != "film/scrubber"; ++i) {
        d.key(shim::Key::tab);
        d.frame();
    }
    REQUIRE(d.shell->ui.keyboard_at() == "film/scrubber");
    d.key(shim::Key::right);
    d.frames(2);
    CHECK(d.shell->state.train->view.step !=
          std::optional<std::uint64_t>(film.front().step)); // a frame on
    d.key(shim::Key::left);
    d.frames(2);
    CHECK(d.shell->state.train->view.step == film.front().step);
}

TEST_CASE("another model is looked at without leaving the moment that is replayed") {
    Class d(60);
    d.click("train/play");
    d.rest();
    d.key(shim::Key::left);
    d.frames(2);
    const auto step = d.shell->state.train->view.step;
    REQUIRE(step);
    d.click("train/show/last state");
    d.frames(2);
    CHECK(d.shell->state.train->view.step == step);
    CHECK(d.says("Copy · last state · step " + std::to_string(*step) + " of 60"));
    CHECK(d.says("Alignment at step")); // of additive attention, beside it
    CHECK_FALSE(d.says("No attention"));
}

TEST_CASE("a finished run is started over by one button, not two") {
    Class d;
    d.click("train/play");
    d.rest();
    REQUIRE(d.seen().state == State::finished);
    CHECK_FALSE(d.find("train/play").enabled);
    CHECK(d.find("train/again").label == "Start over");
    CHECK_FALSE(d.says("Restart"));
    d.key(shim::Key::space);
    d.rest();
    CHECK(d.seen().state == State::finished);
    d.click("train/again");
    d.hold(); // it trains
    CHECK(d.desk().runs().of_task("copy"));
}

TEST_CASE("the window's title names task and model in Train, the head elsewhere") {
    Class d;
    CHECK(d.shell->title() == "Heed — Copy · additive attention");
    d.click("train/show/last state");
    d.frame();
    CHECK(d.shell->title() == "Heed — Copy · last state");
    d.click("room/explore");
    d.frame();
    CHECK(d.shell->title().find("Copy") == std::string::npos);
}

TEST_CASE(
    "a model that is opened in Explore keeps how good it was, at rest, learning or replayed") {
    Class d(60);
    const auto opened = [&] {
        d.click("train/explore");
        while (d.desk().keeping()) d.frame();
        d.settle_all();
        num::ThreadPool pool(1);
        const auto model = models::load_model(d.document().model_file, pool);
        REQUIRE(model);
        REQUIRE((*model)->provenance());
        const auto found = (*model)->provenance()->exact_match;
        d.click("room/train");
        d.rest();
        return found;
    };
    d.click("train/step"); // measured at this step
    d.rest();
    CHECK(opened() == d.seen().trainees[1].held_out->measures.exact_match);
    d.click("train/play");
    d.frames(3);
    d.click("train/play"); // paused between two measures: it is measured then
    d.rest();
    CHECK(opened().has_value());
    if (d.seen().state != State::finished) {
        d.click("train/play");
        d.rest();
    }
    REQUIRE(d.seen().state == State::finished);
    CHECK(opened() == d.seen().trainees[1].held_out->measures.exact_match);
    d.key(shim::Key::left);
    d.frames(2);
    const auto* then = app::measured(d.seen(), d.shell->state.train->view);
    REQUIRE(then);
    CHECK(opened() == then->measures.exact_match);
}

TEST_CASE("a model that is opened before its first step is called untrained, and not after it") {
    Class d(60);
    const auto opened_as_untrained = [&] {
        d.click("train/explore");
        while (d.desk().keeping()) d.frame();
        d.settle_all();
        const bool untrained = d.shows("untrained");
        d.click("room/train");
        d.rest();
        return untrained;
    };
    CHECK(opened_as_untrained());
    d.click("train/step");
    d.rest();
    CHECK_FALSE(opened_as_untrained());
}

TEST_CASE("a finished run is not offered at the next start, but stands beside its task") {
    const auto folder =
        std::filesystem::temp_directory_path() / ("heed_finished_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    app::ExperimentForm form;
    form.task = train::Task::copy;
    form.steps = 6;
    form.batch = 8;
    form.max_length = 5;
    {
        ExperimentDesk desk;
        desk.folder = (folder / "experiment").string();
        desk.look_for_saved();
        desk.open(form);
        desk.play();
        desk.room().wait_until_it_rests();
    }
    {
        Driver d;
        d.shell->experiment.folder = (folder / "experiment").string();
        d.shell->experiment.look_for_saved();
        d.click("room/train");
        d.frames(3);
        CHECK_FALSE(d.has("go-on/go-on"));
        CHECK(d.shows("step 6"));
        d.shell->experiment.room().wait_until_it_rests();
    }
    std::filesystem::remove_all(folder);
}
