#include "catch.hpp"
#include "fuzz/folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace fs = std::filesystem;

TEST_CASE("a fuzz target's folder is empty at first, and gone at last") {
    const fs::path path = fs::temp_directory_path() / ("heed_own." + std::to_string(::getpid()));
    fs::create_directories(path / "inner");
    std::ofstream(path / "vocab.json") << "{}"; // left by another process of this number
    {
        const heed::fuzz::OwnFolder own(path);
        CHECK(own.path == path);
        CHECK(fs::is_empty(path));
        std::ofstream(path / "merges.txt") << "a b";
    }
    CHECK_FALSE(fs::exists(path));
}
