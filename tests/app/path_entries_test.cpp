#include "app/files/path_entries.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <filesystem>

using namespace heed;

namespace {

std::vector<app::PathEntry> entries_of(const std::string& typed, std::size_t most,
                                       app::PathOrder order = app::PathOrder::name) {
    return app::matching(app::folder_entries(typed), typed, most, order);
}

} // namespace

TEST_CASE("a typed path is completed by folders, then by the files that can be opened") {
    const TemporaryFolder folder;
    for (const char* name : {"Zeta.json", "alpha.txt", "model.safetensors", "picture.png",
                             "tiny.GGUF", ".h.json", "film.mp4"}) {
        REQUIRE(base::write_file_atomic(folder / name, "x"));
    }
    std::filesystem::create_directory(folder / "texts");
    const auto names = [&](const std::string& typed, std::size_t most = 20) {
        std::vector<std::string> list;
        for (const app::PathEntry& e : entries_of(folder / typed, most)) {
            list.push_back(e.name);
        }
        return list;
    };
    using Names = std::vector<std::string>;
    CHECK(names("") == Names{"texts/", "alpha.txt", "model.safetensors", "picture.png", "tiny.GGUF",
                             "Zeta.json"});
    CHECK(names("z") == Names{"Zeta.json"});
    CHECK(names(".") == Names{".h.json"});
    CHECK(names("", 2) == Names{"texts/", "alpha.txt"});
    CHECK(names("texts/").empty());
    CHECK(names("nowhere/a").empty());
    const auto found = entries_of(folder / "te", 5);
    REQUIRE(found.size() == 2); // and the model of .safetensors
    CHECK(found[0].folder);
    CHECK(found[0].path == folder / "texts/");
    for (const char* name : {"maps.npz", "links.align", "photo.jpg", "photo.jpeg"}) {
        REQUIRE(base::write_file_atomic(folder / name, "x"));
        CHECK(names(name) == Names{name});
    }
}

TEST_CASE("entries come by name, by date or by size, and are found by any part of their name") {
    const TemporaryFolder folder;
    const auto write = [&](const char* name, std::size_t bytes, int age) {
        REQUIRE(base::write_file_atomic(folder / name, std::string(bytes, 'x')));
        const auto now = std::filesystem::file_time_type::clock::now();
        std::filesystem::last_write_time(folder / name, now - std::chrono::hours(age));
    };
    write("old-map.json", 10, 3);
    write("map.txt", 2000, 2);
    write("new.txt", 500, 1);
    using Names = std::vector<std::string>;
    const auto names = [&](const std::string& typed, app::PathOrder order) {
        Names list;
        for (const auto& e : entries_of(folder / typed, 20, order)) list.push_back(e.name);
        return list;
    };
    CHECK(names("", app::PathOrder::name) == Names{"map.txt", "new.txt", "old-map.json"});
    CHECK(names("", app::PathOrder::newest) == Names{"new.txt", "map.txt", "old-map.json"});
    CHECK(names("", app::PathOrder::largest) == Names{"map.txt", "new.txt", "old-map.json"});
    CHECK(names("map", app::PathOrder::name) == Names{"map.txt", "old-map.json"});
    const auto found = entries_of(folder / "new", 5);
    REQUIRE(found.size() == 1);
    CHECK(found[0].bytes == 500);
    CHECK(found[0].modified > 1'600'000'000);
}

TEST_CASE("known folders are those that are there") {
    const auto folders = app::known_folders();
    REQUIRE_FALSE(folders.empty());
    for (const app::KnownFolder& known : folders) {
        INFO(known.path);
        CHECK(known.path.ends_with('/'));
        CHECK(std::filesystem::is_directory(known.path));
    }
    CHECK(folders.back().name == "Started in");
}

TEST_CASE("a folder takes files where it is there and may be written") {
    const TemporaryFolder folder;
    CHECK(app::takes_files(folder.path()));
    CHECK_FALSE(app::takes_files(folder / "none"));
    CHECK_FALSE(app::takes_files(""));
    REQUIRE(base::write_file_atomic(folder / "file", "x"));
    CHECK_FALSE(app::takes_files(folder / "file"));
}
