// The program in surroundings that are against it: pipes for files, full disks, limits, and words
// that a terminal would obey.
#include "base/file.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heed;

namespace {

struct OutsideRan {
    int code;
    std::string out;
};

/// Through the shell, in which $heed is the program with an end to its time; `line` may hold
/// redirections.
OutsideRan sh(const std::string& line) {
    const std::string whole = "heed='timeout 60 " HEED_BINARY_DIR "/bin/heed'; " + line;
    FILE* pipe = ::popen(whole.c_str(), "r");
    REQUIRE(pipe != nullptr);
    OutsideRan ran{0, ""};
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
        ran.out.append(buffer, n);
    }
    const int status = ::pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

const std::string kTraining =
    "$heed train --task reverse --model transformer --d-model 16 --heads 2 --layers 1 --d-ff 24 "
    "--batch 8 --sentences 60 --held-out 10 --max-length 5 ";

} // namespace

TEST_CASE("a pipe or a device in the place of a file is named, and not waited for") {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe.safetensors";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const std::string output = " -o " + folder / "m.safetensors";
    for (const std::string& command :
         {"evaluate " + pipe, "export --model " + pipe + " -o " + folder / "a.svg",
          "export --controls " + pipe + " -o " + folder / "a.svg", "train --data " + pipe + output,
          "train --task reverse --vectors " + pipe + output, "train --resume " + pipe + output,
          "evaluate reverse --data " + pipe, pipe}) {
        const OutsideRan ran = sh("$heed " + command + " 2>&1");
        INFO(command << "\n" << ran.out);
        CHECK(ran.code == 1);
        CHECK(contains(ran.out, pipe + ": is not a file but a pipe"));
    }
    for (const char* command : {"evaluate /dev/zero", "export --controls /dev/zero -o x.svg",
                                "train --data /dev/zero -o /tmp/x.safetensors"}) {
        const OutsideRan ran = sh("$heed " + std::string(command) + " 2>&1");
        INFO(command << "\n" << ran.out);
        CHECK(ran.code == 1);
        CHECK(contains(ran.out, "/dev/zero: is not a file but a device"));
    }
}

TEST_CASE("controls come from the standard input where that is asked for") {
    const TemporaryFolder folder;
    const std::string command = "$heed export --size tiny --controls - -o " + folder / "a.svg";
    CHECK(sh("echo '{\"controls\": [{\"scale\": \"off\"}]}' | " + command).code == 0);
    CHECK(contains(folder.bytes("a.svg"), "scale off"));
    const OutsideRan broken = sh("echo '{' | " + command + " 2>&1");
    CHECK(broken.code == 2);
    CHECK(contains(broken.out, "--controls"));
}

TEST_CASE("a result that could not be printed is a failed run, whatever the command") {
    if (!std::filesystem::exists("/dev/full")) return;
    const TemporaryFolder folder;
    for (const std::string& command :
         {std::string("--help"), std::string("--version"), std::string("export --help"),
          std::string("models"), std::string("models --json"),
          std::string("evaluate reverse --sentences 5"),
          std::string("evaluate reverse --sentences 5 --json"),
          "export --size tiny -o " + folder / "a.svg",
          "model --size tiny -o " + folder / "m.safetensors",
          std::string("attend --size tiny -o -"),
          std::string("export --size tiny --format csv -o -")}) {
        for (const char* to : {" 2>&1 >/dev/full", " 2>&1 >&-"}) {
            const OutsideRan ran = sh("$heed " + command + to);
            INFO(command << to << "\n" << ran.out);
            CHECK(ran.code == 1);
            CHECK(ran.out == "heed: standard output: could not be written: closed, or its disk is "
                             "full\n");
        }
    }
    CHECK(folder.holds("a.svg"));
}

TEST_CASE("what is said while streams are closed gets into no file") {
    const TemporaryFolder folder;
    const std::string training = kTraining + "--steps 50 --measure-every 1 --log " +
                                 folder / "l.csv" + " -o " + folder / "m.safetensors";
    REQUIRE(sh(training + " >/dev/null 2>&1").code == 0);
    const std::string log = folder.bytes("l.csv"), model = folder.bytes("m.safetensors");
    CHECK(sh(training + " <&- >&- 2>&-").code == 1);
    CHECK((folder.bytes("l.csv") == log));
    CHECK((folder.bytes("m.safetensors") == model));
}

TEST_CASE("a limit on the size of files is a message, not a kill") {
    const TemporaryFolder folder;
    for (const std::string& command :
         {"export -o " + folder / "a.svg", "export -o " + folder / "a.png",
          "attend -o " + folder / "a.npz", "model --size tiny -o " + folder / "m.safetensors"}) {
        const OutsideRan ran = sh("ulimit -f 1; $heed " + command + " 2>&1");
        INFO(command << "\n" << ran.out);
        CHECK(ran.code == 1);
        CHECK(contains(ran.out, "cannot be written: File too large"));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
    const OutsideRan printed =
        sh("cd " + folder.path() + "; (ulimit -f 1; $heed attend -o - >big) 2>&1");
    CHECK(printed.code == 1);
    CHECK(contains(printed.out, "standard output"));
}

TEST_CASE("an output of a training that cannot be written is told before the first step") {
    const TemporaryFolder folder;
    const std::string good = folder / "m.safetensors";
    std::vector<std::string> outputs{"--log /nowhere/x.csv -o " + good,
                                     "--curves /nowhere/x.svg -o " + good,
                                     "-o /nowhere/m.safetensors"};
    if (std::filesystem::exists("/dev/full")) outputs.push_back("--log /dev/full -o " + good);
    for (const std::string& output : outputs) {
        const OutsideRan ran = sh(kTraining + "--steps 1000000000 " + output + " 2>&1");
        INFO(ran.out);
        CHECK(ran.code == 1);
        CHECK(contains(ran.out, "cannot be written"));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a log that cannot be written on the way costs nothing of what is learned") {
    const TemporaryFolder folder;
    // The log grows beyond what a file may have, the model does not.
    const OutsideRan ran =
        sh("ulimit -f 128; " + kTraining + "--steps 3000 --checkpoint-every 5000 --log " +
           folder / "l.csv" + " -o " + folder / "m.safetensors" + " 2>&1");
    INFO(ran.out);
    CHECK(ran.code == 1);
    CHECK(contains(ran.out, "l.csv: cannot be written: File too large; what is learned is kept"));
    CHECK(contains(ran.out,
                   "l.csv: this log lacks steps; the model is in " + folder / "m.safetensors"));
    CHECK(folder.holds("m.safetensors"));
    CHECK(sh("$heed evaluate --sentences 5 " + folder / "m.safetensors").code == 0);
}

TEST_CASE("a path that is empty is no path") {
    const TemporaryFolder folder;
    const std::string output = " -o " + folder / "m.safetensors";
    for (const auto& [flag, command] :
         {std::pair<std::string, std::string>{"--data", "train --data ''" + output},
          {"--vectors", "train --task reverse --vectors ''" + output},
          {"--resume", "train --resume ''" + output},
          {"--log", "train --task reverse --log ''" + output},
          {"--controls", "export --controls '' -o " + folder / "a.svg"},
          {"--data", "evaluate reverse --data ''"},
          {"--output", "export -o ''"}}) {
        const OutsideRan ran = sh("$heed " + command + " 2>&1");
        INFO(command);
        CHECK(ran.code == 2);
        CHECK(ran.out == "heed: " + flag + ": is empty; it takes the name of a file\n");
    }
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("words of files and arguments cannot move a terminal's cursor") {
    const TemporaryFolder folder;
    const std::string evil = "\x1b]0;mine\x07\x1b[2J\r\xc2\x9b"
                             "5m\x9b";
    tensors::Archive archive;
    archive.metadata["heed.model"] = "\x1b]0;model\x07";
    REQUIRE(base::write_file_atomic(folder / "e\x1b[2J.safetensors",
                                    tensors::write_safetensors(archive)));
    REQUIRE(base::write_file_atomic(folder / "keys.json",
                                    R"({"con\u001b[2Jtrols": [], "a\nheed: b": 1})"));
    REQUIRE(base::write_file_atomic(folder / "lines.tsv", "a\x1b[2Jb\nc\x1b[2Jd\n"));
    const std::string model = "'" + folder / "e\x1b[2J.safetensors" + "'";
    for (const std::string& command :
         {"evaluate " + model, "export --model " + model + " -o a.svg", "'" + evil + "'",
          "export '--" + evil + "'", "export '" + evil + "'", "evaluate '" + evil + "'",
          "export --view '" + evil + "' -o a.svg", "export -o '" + evil + "'",
          "export --controls " + folder / "keys.json" + " -o a.svg",
          "export -o '/nowhere/" + evil + ".svg'",
          "train --data " + folder / "lines.tsv" + " -o " + folder / "m.safetensors"}) {
        const OutsideRan ran =
            sh("cd " + folder.path() + "; $heed " + command + " 2>&1 >/dev/null");
        INFO(command);
        CHECK(ran.code != 0);
        CHECK_FALSE(ran.out.empty());
        CHECK(std::none_of(ran.out.begin(), ran.out.end(), [](char c) {
            return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == '\x7f' ||
                   c == '\x9b';
        }));
        CHECK_FALSE(contains(ran.out, "\nheed: b"));
    }
    const OutsideRan named = sh("$heed evaluate " + model + " 2>&1");
    CHECK(contains(named.out, "e\\u{1b}[2J.safetensors"));
}

namespace {

/// What the program prints to a terminal.
std::string on_terminal(const std::vector<std::string>& arguments) {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE(::grantpt(terminal) == 0);
    REQUIRE(::unlockpt(terminal) == 0);
    const std::string program = HEED_BINARY_DIR "/bin/heed", name = ::ptsname(terminal);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const ::pid_t child = ::fork();
    if (child == 0) {
        const int its = ::open(name.c_str(), O_RDWR | O_NOCTTY);
        ::dup2(its, 1);
        ::dup2(its, 2);
        ::execv(program.c_str(), argv.data());
        ::_exit(127);
    }
    std::string text;
    char buffer[4096];
    // It can be read from when the program has it open, and until the program is gone.
    for (bool runs = true; runs;) {
        runs = ::waitpid(child, nullptr, WNOHANG) == 0;
        ::fcntl(terminal, F_SETFL, O_NONBLOCK);
        for (::ssize_t n; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) {
            text.append(buffer, static_cast<std::size_t>(n));
        }
        ::usleep(2000);
    }
    ::close(terminal);
    return text;
}

} // namespace

TEST_CASE(
    "results that a person sees on a terminal cannot move its cursor, those of a pipe are exact") {
    const TemporaryFolder folder;
    const std::string path = folder / "a\x1b[2J.svg";
    const std::string seen = on_terminal({"export", "--size", "tiny", "-o", path});
    CHECK(contains(seen, "a\\u{1b}[2J.svg"));
    CHECK_FALSE(contains(seen, "\x1b"));
    CHECK(sh("$heed export --size tiny -o '" + path + "'").out == path + "\n");
}

TEST_CASE("the bar of a training is drawn for who watches, and for nobody else") {
    const TemporaryFolder folder;
    const std::vector<std::string> training = {"train",
                                               "--task",
                                               "reverse",
                                               "--model",
                                               "transformer",
                                               "--d-model",
                                               "16",
                                               "--heads",
                                               "2",
                                               "--layers",
                                               "1",
                                               "--d-ff",
                                               "24",
                                               "--steps",
                                               "300",
                                               "--sentences",
                                               "60",
                                               "--held-out",
                                               "10",
                                               "--max-length",
                                               "5",
                                               "-o",
                                               folder / "m.safetensors"};
    const std::string seen = on_terminal(training);
    CHECK(contains(seen, "\r\033[K"));
    CHECK(contains(seen, "steps/s"));
    CHECK_FALSE(contains(sh(kTraining + "--steps 300 -o " + folder / "m.safetensors" + " 2>&1").out,
                         "steps/s"));
}
