// The program itself, as a shell sees it.
#include "base/file.hpp"
#include "catch.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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

namespace {

std::vector<std::string> training(const TemporaryFolder& folder, const std::string& name) {
    return {"train",
            "--task",
            "reverse",
            "--model",
            "transformer",
            "--d-model",
            "16",
            "--heads",
            "2",
            "--d-ff",
            "24",
            "--layers",
            "1",
            "--steps",
            "3000",
            "--batch",
            "8",
            "--sentences",
            "60",
            "--held-out",
            "10",
            "--max-length",
            "5",
            "--checkpoint-every",
            "50",
            "--log",
            folder / (name + ".csv"),
            "-o",
            folder / (name + ".safetensors")};
}

/// Whether a process is the program, and takes Ctrl-C itself.
bool takes_interrupt(::pid_t child) {
    const std::string folder = "/proc/" + std::to_string(child);
    std::error_code gone;
    if (std::filesystem::read_symlink(folder + "/exe", gone).filename() != "heed") return false;
    std::ifstream status(folder + "/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("SigCgt:")) continue;
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
    }
    return false;
}

/// Runs the program; it gets the signal as soon as it is `ready`. Returns as wait() does.
int run_program(const std::vector<std::string>& arguments,
                const std::function<bool(::pid_t)>& ready = {}, int signal = 0,
                const std::string& output = "/dev/null") {
    const std::string program = HEED_BINARY_DIR "/bin/heed";
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGINT, SIG_DFL);
        const int out = ::open(output.c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(out, 1);
        ::dup2(out, 2);
        ::execv(program.c_str(), argv.data());
        ::_exit(127);
    }
    int status = 0;
    for (int i = 0; signal != 0 && i < 12000; ++i) {
        if (::waitpid(child, &status, WNOHANG) == child) return status;
        if (ready(child)) break;
        ::usleep(5000);
    }
    if (signal != 0) ::kill(child, signal);
    ::waitpid(child, &status, 0);
    return status;
}

std::function<bool(::pid_t)> has_written(const std::string& path) {
    return [path](::pid_t) { return std::filesystem::exists(path); };
}

} // namespace

TEST_CASE("after Ctrl-C, and after a kill, a training goes on to the weights of an unbroken one") {
    const TemporaryFolder folder;
    REQUIRE(run_program(training(folder, "unbroken")) == 0);
    const std::string unbroken = folder.bytes("unbroken.safetensors");
    for (const int signal : {SIGINT, SIGKILL}) {
        INFO("signal " << signal);
        const std::string name = signal == SIGINT ? "interrupted" : "killed";
        const std::string checkpoint = folder / (name + ".checkpoint.safetensors");
        const int status = run_program(training(folder, name), has_written(checkpoint), signal);
        CHECK((signal == SIGINT ? WIFEXITED(status) && WEXITSTATUS(status) == 1
                                : WIFSIGNALED(status)));
        REQUIRE(std::filesystem::exists(checkpoint));
        REQUIRE(run_program({"train", "--resume", checkpoint, "--checkpoint-every", "50", "--log",
                             folder / (name + ".csv"), "-o", folder / (name + ".safetensors")}) ==
                0);
        CHECK(folder.bytes(name + ".safetensors") == unbroken);
        CHECK((folder.bytes(name + ".csv") == folder.bytes("unbroken.csv"))); // long
        CHECK_FALSE(std::filesystem::exists(checkpoint));
    }
}

TEST_CASE("Ctrl-C ends a page's measurement with a message, and leaves no verdict") {
    const TemporaryFolder folder;
    ::setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    const int status = run_program({"learn", "bottleneck", "--set", "steps=3000"}, takes_interrupt,
                                   SIGINT, folder / "out");
    ::unsetenv("XDG_CONFIG_HOME");
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(folder.bytes("out") == "heed: the measurement was stopped\n");
    CHECK_FALSE(folder.holds("heed/learn.json"));
}

TEST_CASE("Ctrl-C ends the measuring after the last step, too, and nothing is lost") {
    const TemporaryFolder folder;
    auto arguments = training(folder, "m");
    const auto set = [&](const std::string& flag, const std::string& value) {
        *(std::find(arguments.begin(), arguments.end(), flag) + 1) = value;
    };
    set("--steps", "3");
    set("--held-out", "20000");
    set("--max-length", "30");
    const int status = run_program(arguments, has_written(folder / "m.safetensors"), SIGINT);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(folder.holds("m.checkpoint.safetensors"));
}

TEST_CASE("a full disk at a checkpoint ends a training with a message") {
    if (!std::filesystem::exists("/dev/full")) return;
    const TemporaryFolder folder;
    std::filesystem::create_symlink("/dev/full", folder / "m.checkpoint.safetensors");
    const Ran ran =
        shell("train --task reverse --model transformer --d-model 16 --heads 2 --layers "
              "1 --d-ff 24 --steps 60 --checkpoint-every 20 --sentences 60 --held-out "
              "10 --max-length 5 -o '" +
              folder / "m.safetensors" + "' 2>&1");
    CHECK(ran.code == 1);
    CHECK(ran.out.find("No space left") != std::string::npos);
}
