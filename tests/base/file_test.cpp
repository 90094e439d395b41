#include "base/file.hpp"

#include "catch.hpp"

#include <filesystem>
#include <fstream>
#include <string>

using namespace heed::base;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
    fs::path path = fs::temp_directory_path() / "heed_file_test";
    TemporaryFolder() {
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~TemporaryFolder() { fs::remove_all(path); }
};

} // namespace

TEST_CASE("what is written is read back, and nothing is left beside it") {
    const TemporaryFolder folder;
    const std::string path = folder.path / "a.bin";
    const std::string bytes("one\0two", 7);
    REQUIRE(write_file_atomic(path, bytes));
    REQUIRE(write_file_atomic(path, bytes + "!"));
    CHECK(*read_file(path, 100) == bytes + "!");
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a file larger than allowed, absent or in no folder is named in the error") {
    const TemporaryFolder folder;
    const std::string path = folder.path / "a.bin";
    REQUIRE(write_file_atomic(path, "12345"));
    CHECK(read_file(path, 4).error().kind == ErrorKind::out_of_range);
    CHECK(read_file(path + "x", 4).error().kind == ErrorKind::not_found);
    const auto written = write_file_atomic(folder.path / "none" / "a.bin", "1");
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == ErrorKind::unwritable);
    CHECK(describe(written.error()).find("none/a.bin") != std::string::npos);
}

TEST_CASE("a full disk is an error, and the old file stands") {
    if (!fs::exists("/dev/full")) return;
    // A device cannot be renamed onto; its folder cannot hold our temporary file beside it either
    // way, so the message names it.
    const auto written = write_file_atomic("/dev/full/x", "1");
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == ErrorKind::unwritable);
}
