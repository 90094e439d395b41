// Training runs that one can come back to.
#include "app/training/saved_runs.hpp"

#include "app/training/experiment_form.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

using namespace heed;
using app::SavedRuns;

namespace {

/// A list as it is saved, so many minutes ago; of its checkpoint only the name is looked at.
void put(const std::string& folder, const std::string& task, int step, int steps, int minutes,
         const std::string& more = "") {
    std::filesystem::create_directories(folder);
    const std::string list = folder + "/experiment.json";
    REQUIRE(base::write_file_atomic(
        list, fmt::format("{{\"task\": \"{}\", \"step\": {}, \"steps\": {}, \"learners\": [\"a\"], "
                          "\"files\": [\"1-0.checkpoint.safetensors\"]{}}}",
                          task, step, steps, more)));
    std::filesystem::last_write_time(list, std::filesystem::file_time_type::clock::now() -
                                               std::chrono::minutes(minutes));
}

} // namespace

TEST_CASE("only a run that is not finished is offered") {
    const TemporaryFolder folder;
    put(folder / "experiment", "copy", 3000, 3000, 1);
    put(folder / "experiment-2", "sort", 400, 3000, 2, ", \"finished\": true"); // it gave up
    SavedRuns runs;
    runs.look(folder / "experiment");
    CHECK_FALSE(runs.resumable());
    put(folder / "experiment-3", "zh-en", 576, 3000, 5);
    runs.look(folder / "experiment");
    REQUIRE(runs.resumable());
    CHECK(runs.resumable()->task == "zh-en");
    CHECK_FALSE(runs.has_another());
    REQUIRE(runs.of_task("copy")); // one can come back to all of them
    CHECK(runs.of_task("copy")->step == 3000);
    CHECK_FALSE(runs.of_task("reverse"));
    SavedRuns beside; // of another window
    beside.look(folder / "experiment");
    CHECK_FALSE(beside.resumable());
}

TEST_CASE("a run that is put off stays, one that is let go is deleted, and the next is offered") {
    const TemporaryFolder folder;
    put(folder / "experiment", "copy", 10, 3000, 1);
    put(folder / "experiment-2", "sort", 20, 3000, 2);
    SavedRuns runs;
    runs.look(folder / "experiment");
    REQUIRE(runs.resumable());
    CHECK(runs.resumable()->task == "copy");
    CHECK(runs.has_another());
    runs.offer_another();
    CHECK(runs.resumable()->task == "sort");
    runs.offer_another();
    CHECK(runs.resumable()->task == "copy");
    runs.forget_offered();
    REQUIRE(runs.resumable());
    CHECK(runs.resumable()->task == "sort");
    CHECK_FALSE(app::read_saved_experiment(folder / "experiment"));
    runs.put_off();
    CHECK_FALSE(runs.resumable());
    CHECK(runs.of_task("sort"));
    SavedRuns next;
    next.look(folder / "experiment");
    REQUIRE(next.resumable());
    CHECK(next.resumable()->task == "sort");
}

TEST_CASE("of finished runs of a task the newest ones stay") {
    const TemporaryFolder folder;
    put(folder / "experiment", "copy", 3000, 3000, 9);
    put(folder / "experiment-2", "copy", 2000, 2000, 1);
    put(folder / "experiment-3", "copy", 5, 2000, 30); // unfinished: it stays, too
    SavedRuns runs;
    runs.look(folder / "experiment");
    CHECK(app::read_saved_experiment(folder / "experiment"));
    CHECK(app::read_saved_experiment(folder / "experiment-2"));
    CHECK(app::read_saved_experiment(folder / "experiment-3"));
    REQUIRE(runs.of_task("copy"));
    CHECK(runs.of_task("copy")->step == 2000);
    for (int i = 4; i <= 11; ++i) { // nine are finished then
        put(folder / ("experiment-" + std::to_string(i)), "copy", 3000, 3000, 8 + i);
    }
    SavedRuns many;
    many.look(folder / "experiment");
    CHECK(app::read_saved_experiment(folder / "experiment-2"));
    CHECK(app::read_saved_experiment(folder / "experiment"));
    CHECK(app::read_saved_experiment(folder / "experiment-3"));
    CHECK_FALSE(app::read_saved_experiment(folder / "experiment-11")); // the oldest
}

TEST_CASE("what is left in this window comes first, and is nobody else's meanwhile") {
    const TemporaryFolder folder;
    put(folder / "experiment", "copy", 10, 3000, 1);
    put(folder / "experiment-2", "copy", 114, 3000, 9);
    SavedRuns runs;
    auto place = app::ExperimentFolder::hold(folder / "experiment-2");
    REQUIRE(place);
    runs.look(folder / "experiment");
    runs.leave(*std::move(place));
    CHECK_FALSE(app::ExperimentFolder::hold(folder / "experiment-2"));
    REQUIRE(runs.of_task("copy"));
    CHECK(runs.of_task("copy")->step == 114);
    put(folder / "experiment-2", "copy", 120, 3000, 0); // what was under way is written by now
    runs.read_again();
    CHECK(runs.of_task("copy")->step == 120);
    const auto back = runs.take("copy");
    REQUIRE(back);
    CHECK(back->folder() == folder / "experiment-2");
    CHECK(runs.of_task("copy")->step == 10);
}

TEST_CASE("runs of one task are gone back to in turn") {
    const TemporaryFolder folder;
    put(folder / "experiment", "copy", 10, 3000, 3);
    put(folder / "experiment-2", "copy", 20, 3000, 2);
    put(folder / "experiment-3", "copy", 30, 3000, 1);
    SavedRuns runs;
    auto place = app::ExperimentFolder::hold(folder / "experiment-3");
    REQUIRE(place);
    runs.look(folder / "experiment");
    std::string seen;
    for (int i = 0; i < 4; ++i) {
        REQUIRE(runs.of_task("copy"));
        seen += std::to_string(runs.of_task("copy")->step) + " ";
        auto next = runs.take("copy");
        REQUIRE(next);
        runs.leave(*std::move(place), true);
        place = std::move(next);
    }
    CHECK((seen == "10 20 30 10 " || seen == "20 10 30 20 "));
}

TEST_CASE("a run that is left in this window is the last, and offered before older ones") {
    const TemporaryFolder folder;
    put(folder / "experiment", "copy", 10, 3000, 5);
    SavedRuns runs;
    runs.look(folder / "experiment");
    REQUIRE(runs.resumable());
    CHECK(runs.resumable()->task == "copy");
    auto place = app::ExperimentFolder::hold(folder / "experiment-2");
    REQUIRE(place);
    runs.leave(*std::move(place)); // it is saved in a moment
    CHECK(runs.resumable()->task == "copy");
    put(folder / "experiment-2", "sort", 40, 3000, 0);
    runs.read_again();
    REQUIRE(runs.resumable());
    CHECK(runs.resumable()->task == "sort");
    CHECK(runs.has_another());
    runs.offer_another();
    CHECK(runs.resumable()->task == "copy");
    runs.offer_another();
    CHECK(runs.resumable()->task == "sort");
    const app::ExperimentFolder taken = runs.take_offered();
    CHECK(taken.folder() == folder / "experiment-2");
}

TEST_CASE("looking once more offers what was offered") {
    const TemporaryFolder folder;
    put(folder / "experiment", "zh-en", 576, 3000, 5);
    SavedRuns runs;
    runs.look(folder / "experiment");
    REQUIRE(runs.resumable());
    runs.look(folder / "experiment");
    REQUIRE(runs.resumable());
    CHECK(runs.resumable()->task == "zh-en");
}

TEST_CASE("files of one name in two folders are two tasks") {
    app::ExperimentForm one, other;
    one.file = "/somewhere/pairs.tsv";
    other.file = "/elsewhere/pairs.tsv";
    CHECK(app::task_word(one) != app::task_word(other));
    CHECK(app::task_title(one) == "pairs.tsv");
    CHECK(app::task_title(app::task_word(other)) == "pairs.tsv");
}
