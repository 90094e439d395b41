#include "base/file.hpp"

#include "catch.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace heed::base;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
    fs::path path = fs::temp_directory_path() / ("heed_file_test." + std::to_string(::getpid()));
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

TEST_CASE("a file of just the size allowed is read, and an empty one") {
    const TemporaryFolder folder;
    const std::string path = folder.path / "a.bin";
    REQUIRE(write_file_atomic(path, "12345"));
    CHECK(*read_file(path, 5) == "12345");
    REQUIRE(write_file_atomic(path, ""));
    CHECK(*read_file(path, 0) == "");
    const std::string large(300000, 'x');
    REQUIRE(write_file_atomic(path, large));
    CHECK(*read_file(path, 1u << 20) == large);
}

TEST_CASE("a folder is no file to read, and a stream that does not end is cut off") {
    const TemporaryFolder folder;
    CHECK(read_file(folder.path, 100).error().kind == ErrorKind::unreadable);
    if (fs::exists("/dev/zero")) {
        CHECK(read_file("/dev/zero", 1u << 20).error().kind == ErrorKind::out_of_range);
    }
}

TEST_CASE("a disk that fills up midway is an error, and the old file stands alone") {
    // The limit on a file's size fails a write just as a full disk does: after some bytes.
    const TemporaryFolder folder;
    const std::string path = folder.path / "a.bin";
    REQUIRE(write_file_atomic(path, "old"));
    struct rlimit before;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = before;
    small.rlim_cur = 4096;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const auto written = write_file_atomic(path, std::string(100000, 'x'));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, handler);
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == ErrorKind::unwritable);
    CHECK(written.error().subject == path);
    CHECK(*read_file(path, 100) == "old");
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a folder in the place of the file is an error, and stands") {
    const TemporaryFolder folder;
    fs::create_directories(folder.path / "a.bin" / "inside");
    CHECK(write_file_atomic(folder.path / "a.bin", "1").error().kind == ErrorKind::unwritable);
    CHECK(fs::exists(folder.path / "a.bin" / "inside"));
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a symbolic link stays, and the file that it names is replaced") {
    const TemporaryFolder folder;
    const std::string file = folder.path / "a.bin", link = folder.path / "link";
    REQUIRE(write_file_atomic(file, "old"));
    fs::create_symlink("a.bin", link);
    REQUIRE(write_file_atomic(link, "new"));
    CHECK(fs::is_symlink(link));
    CHECK(*read_file(file, 100) == "new");
}

TEST_CASE("a symbolic link to a file that is not there yet stays, and the file is made") {
    const TemporaryFolder folder;
    fs::create_directories(folder.path / "inside");
    fs::create_symlink("inside/second", folder.path / "first");
    fs::create_symlink(folder.path / "a.bin", folder.path / "inside" / "second");
    REQUIRE(write_file_atomic(folder.path / "first", "new"));
    REQUIRE(fs::is_symlink(folder.path / "first"));
    CHECK(fs::is_symlink(folder.path / "inside" / "second"));
    CHECK(*read_file(folder.path / "a.bin", 100) == "new");
}

TEST_CASE("a symbolic link to itself is an error, and stands") {
    const TemporaryFolder folder;
    fs::create_symlink("link", folder.path / "link");
    const auto written = write_file_atomic(folder.path / "link", "1");
    CHECK(fs::is_symlink(folder.path / "link"));
    REQUIRE_FALSE(written);
    CHECK(written.error().kind == ErrorKind::unwritable);
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a name as long as a file system takes is written") {
    const TemporaryFolder folder;
    const std::string path = folder.path / std::string(250, 'n');
    REQUIRE(write_file_atomic(path, "1"));
    CHECK(*read_file(path, 100) == "1");
}

TEST_CASE("a file that is replaced keeps its permissions") {
    const TemporaryFolder folder;
    const fs::path path = folder.path / "a.bin";
    REQUIRE(write_file_atomic(path, "old"));
    for (const auto mode : {0600, 0640, 0666, 0755}) {
        fs::permissions(path, static_cast<fs::perms>(mode));
        REQUIRE(write_file_atomic(path, "new"));
        CHECK(fs::status(path).permissions() == static_cast<fs::perms>(mode));
    }
}

TEST_CASE("a device is written in place and never replaced; one that is full is an error") {
    if (!fs::exists("/dev/full") || !fs::exists("/dev/null")) return;
    CHECK(write_file_atomic("/dev/null", "x"));
    const auto full = write_file_atomic("/dev/full", "x");
    REQUIRE_FALSE(full);
    CHECK(full.error().kind == ErrorKind::unwritable);
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(fs::is_character_file("/dev/full"));
}
