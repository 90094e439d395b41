#include "app/files/path_entries.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <filesystem>

using namespace heed;

TEST_CASE("a typed path is completed by folders, then by the files that can be opened") {
    const TemporaryFolder folder;
    for (const char* name :
         {"Zeta.json", "alpha.txt", "model.safetensors", "picture.png", ".h.json"}) {
        REQUIRE(base::write_file_atomic(folder / name, "x"));
    }
    std::filesystem::create_directory(folder / "texts");
    const auto names = [&](const std::string& typed, std::size_t most = 20) {
        std::vector<std::string> list;
        for (const app::PathEntry& e : app::path_entries(folder / typed, most)) {
            list.push_back(e.name);
        }
        return list;
    };
    using Names = std::vector<std::string>;
    CHECK(names("") == Names{"texts/", "alpha.txt", "model.safetensors", "Zeta.json"});
    CHECK(names("z") == Names{"Zeta.json"});
    CHECK(names(".") == Names{".h.json"});
    CHECK(names("", 2) == Names{"texts/", "alpha.txt"});
    CHECK(names("texts/").empty());
    CHECK(names("nowhere/a").empty());
    const auto found = app::path_entries(folder / "te", 5);
    REQUIRE(found.size() == 1);
    CHECK(found[0].folder);
    CHECK(found[0].path == folder / "texts/");
}
