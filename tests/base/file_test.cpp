#include "base/file.hpp"

#include "catch.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
    const std::string none = (folder.path / "none").string();
    CHECK(written.error().message == "cannot be written: there is no folder " + none);
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

TEST_CASE("folders, pipes and devices are no files to read, and none is waited for") {
    const TemporaryFolder folder;
    const std::string pipe = folder.path / "pipe", link = folder.path / "link";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_symlink(pipe, link);
    const auto refused = [](const std::string& path, const std::string& what) {
        const auto read = read_file(path, 1u << 20);
        REQUIRE_FALSE(read);
        CHECK(read.error().kind == ErrorKind::unreadable);
        CHECK(describe(read.error()) == path + ": is not a file but a " + what);
        CHECK(describe(check_file(path).error()) == describe(read.error()));
    };
    refused(folder.path, "folder");
    refused(pipe, "pipe");
    refused(link, "pipe");
    for (const char* device : {"/dev/zero", "/dev/random", "/dev/null"}) {
        if (fs::exists(device)) refused(device, "device");
    }
    CHECK(check_file(folder.path / "none").error().kind == ErrorKind::not_found);
    REQUIRE(write_file_atomic(folder.path / "a.bin", ""));
    CHECK(check_file(folder.path / "a.bin"));
}

TEST_CASE(
    "what a killed program left half written goes with the next write, unless it is written") {
    const TemporaryFolder outer;
    const fs::path folder = outer.path / "never written to before";
    fs::create_directories(folder);
    const std::string killed = folder / ".heed.1.2.part", written = folder / ".heed.3.4.part",
                      other = folder / ".heed.notes.part";
    for (const std::string& path : {killed, written, other}) std::ofstream(path) << "half";
    const int held = ::open(written.c_str(), O_WRONLY);
    REQUIRE(::flock(held, LOCK_EX) == 0); // as its writer does
    REQUIRE(write_file_atomic(folder / "a.bin", "new"));
    CHECK_FALSE(fs::exists(killed));
    CHECK(fs::exists(written));
    CHECK(fs::exists(other)); // somebody else's
    ::close(held);
    remove_left_over(folder);
    CHECK_FALSE(fs::exists(written));
    CHECK(fs::exists(other));
    remove_left_over(folder / "none");
}

TEST_CASE("a program that is killed while it writes leaves what the next one removes") {
    const TemporaryFolder folder;
    const std::string path = folder.path / "a.bin";
    const ::pid_t child = ::fork();
    if (child == 0) {
        const std::string bytes(std::size_t{64} << 20, 'x');
        for (;;) static_cast<void>(write_file_atomic(path, bytes));
    }
    const auto left = [&] {
        for (const auto& entry : fs::directory_iterator(folder.path)) {
            if (entry.path().filename().string().starts_with(".heed.")) return true;
        }
        return false;
    };
    for (int i = 0; i < 10000 && !left(); ++i) ::usleep(500);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    remove_left_over(folder.path);
    CHECK_FALSE(left());
}

TEST_CASE("whether a file can be written is known before, and nothing is changed by asking") {
    const TemporaryFolder folder;
    const std::string path = folder.path / "a.bin";
    CHECK(try_to_write(path));
    CHECK(fs::is_empty(folder.path));
    REQUIRE(write_file_atomic(path, "old"));
    CHECK(try_to_write(path));
    CHECK(*read_file(path, 100) == "old");
    const auto nowhere = try_to_write(folder.path / "none" / "a.bin");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().kind == ErrorKind::unwritable);
    CHECK(describe(nowhere.error()).find("none/a.bin") != std::string::npos);
    CHECK_FALSE(try_to_write(folder.path));
    if (fs::exists("/dev/full")) CHECK_FALSE(try_to_write("/dev/full"));
    if (fs::exists("/dev/null")) CHECK(try_to_write("/dev/null"));
    const std::string pipe = folder.path / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(try_to_write(pipe)); // who reads it may come later
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
