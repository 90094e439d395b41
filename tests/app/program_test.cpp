// The program itself, as a shell sees it.
#include "base/file.hpp"
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

/// Through the shell; `arguments` may hold redirections, `environment` ends with a blank.
Ran shell(const std::string& arguments, const std::string& environment = "") {
    const std::string line = environment + HEED_BINARY_DIR + "/bin/heed " + arguments;
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

TEST_CASE("letters that no installed font has are named, with the package that brings one") {
    const TemporaryFolder folder;
    // A system whose only font is DejaVu, wherever Debian keeps it.
    REQUIRE(heed::base::write_file_atomic(
        folder / "fonts.conf", "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>" +
                                   folder / "cache" + "</cachedir></fontconfig>"));
    const std::string few = "FONTCONFIG_FILE='" + folder / "fonts.conf" + "' ";
    const auto exported = [&](const std::string& source, const std::string& name) {
        return shell("export --size tiny --source '" + source + "' -o '" + folder / name +
                         "' 2>&1 >/dev/null",
                     few);
    };
    const Ran chinese = exported("我 ate", "a.svg");
    CHECK(chinese.code == 0);
    CHECK(chinese.out == "heed: no installed font has U+6211: install fonts-noto-cjk\n");
    CHECK(folder.holds("a.svg"));
    CHECK(exported("Über ça", "b.svg").out.empty());
    CHECK(exported("我 ate", "c.csv").out.empty()); // numbers draw nothing
}
