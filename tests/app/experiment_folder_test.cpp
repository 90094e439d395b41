#include "app/training/experiment_folder.hpp"

#include "base/file.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <filesystem>

using namespace heed;
using app::ExperimentFolder;
namespace fs = std::filesystem;

namespace {

/// What makes a folder one that holds an experiment.
void save_list(const std::string& folder, int hours_ago) {
    fs::create_directories(folder);
    const std::string path = (fs::path(folder) / "experiment.json").string();
    REQUIRE(base::write_file_atomic(path, R"({"task": "copy", "step": 1, "steps": 2,
        "learners": ["last h"], "files": ["1-0.checkpoint.safetensors"]})"));
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
}

} // namespace

TEST_CASE("an experiment's folder is held by one window, until that lets it go") {
    const TemporaryFolder folder;
    const std::string first = folder / "experiment";
    {
        auto place = ExperimentFolder::hold(first);
        REQUIRE(place);
        CHECK(place->folder() == first);
        CHECK_FALSE(ExperimentFolder::hold(first));
        ExperimentFolder moved = *std::move(place);
        place.reset();
        CHECK_FALSE(ExperimentFolder::hold(first));
    }
    CHECK(ExperimentFolder::hold(first));
}

TEST_CASE("where no lock can be had, one is as if alone") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "taken", "a file, not a folder"));
    const auto place = ExperimentFolder::hold(folder / "taken");
    REQUIRE(place);
    CHECK(place->folder() == folder / "taken");
}

TEST_CASE("another experiment goes where none is saved and nobody is") {
    const TemporaryFolder folder;
    const std::string first = folder / "experiment";
    save_list(first, 2);
    const ExperimentFolder second = ExperimentFolder::hold_empty(first);
    CHECK(second.folder() == first + "-2");
    const ExperimentFolder third = ExperimentFolder::hold_empty(first);
    CHECK(third.folder() == first + "-3");
    CHECK(app::saved_places(first) == std::vector<std::string>{first});
    save_list(first + "-3", 1); // as its holder does
    CHECK(app::saved_places(first) == std::vector<std::string>{first + "-3", first});
}

TEST_CASE("what cannot be read is no empty place, and stays") {
    const TemporaryFolder folder;
    const std::string first = folder / "experiment";
    fs::create_directories(first);
    REQUIRE(base::write_file_atomic(first + "/experiment.json", R"({"task": "of a newer program)"));
    CHECK(ExperimentFolder::hold_empty(first).folder() == first + "-2");
    CHECK(app::saved_places(first).empty());
}
