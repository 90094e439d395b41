// The program itself, as a shell sees it.
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>

namespace {

struct Ran {
    int code;
    std::string out;
};

/// Through the shell; `command` begins with a redirection or arguments.
Ran shell(const std::string& arguments) {
    const std::string line = std::string(HEED_BINARY_DIR) + "/bin/heed " + arguments;
    FILE* pipe = ::popen(line.c_str(), "r");
    REQUIRE(pipe != nullptr);
    Ran ran{0, ""};
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
        ran.out.append(buffer, n);
    }
    const int status = ::pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

} // namespace

TEST_CASE("the program answers --version") {
    const Ran ran = shell("--version");
    CHECK(ran.code == 0);
    CHECK(ran.out.starts_with("heed "));
}

TEST_CASE("the program's exit codes are 0 for good, 1 for failed and 2 for wrong usage") {
    const TemporaryFolder folder;
    CHECK(shell("export --size tiny -o '" + folder / "a.svg" + "'").code == 0);
    CHECK(shell("export --size tiny -o /nowhere/a.svg 2>/dev/null").code == 1);
    CHECK(shell("export --size tinny -o '" + folder / "b.svg" + "' 2>/dev/null").code == 2);
    CHECK(shell("frobnicate 2>/dev/null").code == 2);
    CHECK_FALSE(folder.holds("b.svg"));
}

TEST_CASE("a full disk is an error with a message and code 1") {
    if (!std::filesystem::exists("/dev/full")) return;
    const Ran ran = shell("attend --size tiny --source a --target b -o - 2>&1 >/dev/full");
    CHECK(ran.code == 1);
    CHECK(ran.out.find("standard output") != std::string::npos);
    const Ran file = shell("export --size tiny --format png -o /dev/full 2>&1");
    CHECK(file.code == 1);
    CHECK(file.out.find("No space left") != std::string::npos);
    CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("an empty sentence on the command line is told from a missing one") {
    const Ran ran = shell("attend --size tiny --source '' 2>&1");
    CHECK(ran.code == 2);
    CHECK(ran.out.find("--source") != std::string::npos);
    CHECK(shell("attend --size tiny --source= 2>&1").code == 2);
}
