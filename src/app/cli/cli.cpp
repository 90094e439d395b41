// The one file that knows CLI11: turns the commands' lists into a parser and its help.
#include "app/cli/cli.hpp"

#include "app/cli/command.hpp"
#include "app/cli/console.hpp"
#include "app/files/open_file.hpp"
#include "app/files/shipped_models.hpp"
#include "base/allocator.hpp"
#include "base/file.hpp"
#include "models/checkpoint/open_checkpoint.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#ifndef HEED_VERSION
#define HEED_VERSION "development"
#endif

namespace heed::app {

namespace {

constexpr std::size_t kLine = 100, kFlagColumn = 32;

constexpr const char* kExamples = "Exit codes: 0 good, 1 a run that failed, 2 wrong usage.\n\n"
                                  "Examples:\n"
                                  "  heed\n"
                                  "  heed session.json\n"
                                  "  heed export --source \"the black cat is small\" -o map.pdf\n"
                                  "  heed attend --source \"the black cat is small\" -o trace.npz\n"
                                  "  heed export --help";

/// The words in lines of at most `width` bytes, where words are no longer than that.
std::string wrapped(const std::string& text, std::size_t width) {
    std::istringstream words(text);
    std::string result, word;
    std::size_t column = 0;
    while (words >> word) {
        if (column > 0 && column + 1 + word.size() > width) {
            result += '\n';
            column = 0;
        } else if (column > 0) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
    }
    return result;
}

/// "-o,--output" → "--output"
std::string long_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

/// Values of one command while they are parsed.
struct Parsed {
    Command command;
    CLI::App* app = nullptr;
    std::map<std::string, std::string> values;
    std::map<std::string, std::vector<std::string>> lists; // of flags that take several
    std::map<std::string, CLI::Option*> options;

    Given given() const {
        Given result;
        for (const auto& [name, option] : options) {
            if (option->count() == 0) continue;
            if (const auto list = lists.find(name); list != lists.end()) {
                result.set_list(name, list->second);
                continue;
            }
            const auto value = values.find(name);
            result.set(name, value == values.end() ? "" : value->second);
        }
        return result;
    }
};

void add_flags(Parsed& parsed) {
    for (const Flag& flag : parsed.command.flags) {
        const std::string name = long_name(flag.name);
        const std::string help = wrapped(flag.help, kLine - kFlagColumn);
        CLI::Option* option = flag.value.empty() ? parsed.app->add_flag(flag.name, help)
                              : flag.value.ends_with("…")
                                  ? parsed.app->add_option(flag.name, parsed.lists[name], help)
                                  : parsed.app->add_option(flag.name, parsed.values[name], help);
        if (!flag.value.empty()) option->type_name(flag.value);
        option->group(flag.group);
        if (flag.repeats) option->multi_option_policy(CLI::MultiOptionPolicy::Join);
        parsed.options[name] = option;
    }
}

/// Says what was wrong with the words, as every other complaint is put.
void complain_of_words(const CLI::App& app, const std::vector<Parsed>& all,
                       const CLI::ParseError& error, const Io& io) {
    std::string command, commands;
    for (const Parsed& parsed : all) {
        if (parsed.app->parsed()) command = parsed.command.name;
        commands += (commands.empty() ? "" : ", ") + parsed.command.name;
    }
    const std::vector<std::string> unexpected = app.remaining(true);
    const std::string word = unexpected.empty() ? "" : unexpected.front();
    std::string wrong;
    if (word.empty()) {
        wrong = error.what();
    } else if (word.starts_with('-')) {
        wrong = word + ": no such flag of heed" + (command.empty() ? "" : " " + command);
    } else if (command.empty()) {
        const bool path = word.find_first_of("./") != std::string::npos;
        wrong = "'" + word + "': " +
                (path ? "file not found" : "no such file or command (commands: " + commands + ")");
    } else {
        wrong = "'" + word + "' is not expected after heed " + command;
    }
    mention(io, wrong + "; see `heed " + (command.empty() ? "<command>" : command) + " --help`");
}

/// The first flag that was given a file without a name.
std::string nameless(const Parsed& parsed, const Given& given) {
    for (const Flag& flag : parsed.command.flags) {
        const bool names_a_file = flag.value == "FILE" || flag.value == "PATH";
        const std::string name = long_name(flag.name);
        if (names_a_file && given.find(name) == "") return name;
    }
    return {};
}

/// Runs what was parsed, and lets nothing through: what is thrown is a failed run.
int run(const Parsed& parsed, const Io& io) {
    try {
        const Given given = parsed.given();
        if (const std::string flag = nameless(parsed, given); !flag.empty()) {
            return complain(io,
                            {base::ErrorKind::usage, flag, "is empty; it takes the name of a file"},
                            kWrongUsage);
        }
        return parsed.command.run(given, io);
    } catch (const std::bad_alloc&) {
        io.err << "heed: there is not enough memory for this model and sentence\n";
    } catch (const std::exception& thrown) {
        io.err << "heed: a mistake in Heed: " << thrown.what() << '\n';
    }
    return kFailed;
}

/// True where the one word is a file for the window, and neither a command nor a flag.
bool means_a_file(std::string_view word, const std::vector<Command>& list) {
    const bool command =
        std::any_of(list.begin(), list.end(), [&](const Command& c) { return c.name == word; });
    if (command || word.empty() || word.starts_with('-')) return false;
    std::error_code failed;
    return word.ends_with(".json") || word.ends_with(".safetensors") ||
           std::filesystem::is_regular_file(word, failed) ||
           std::filesystem::is_directory(word, failed);
}

CliOutcome open_in_window(const std::string& file, const Io& io) {
    if (models::is_checkpoint(file)) return {true, kGood, file};
    std::error_code failed;
    if (std::filesystem::is_directory(file, failed)) {
        return {false, complain(io,
                                {base::ErrorKind::unsupported, file,
                                 "is a folder without config.json: the folder of a checkpoint "
                                 "has one beside its .safetensors files"},
                                kFailed)};
    }
    const auto there = base::check_file(file);
    if (there) return {true, kGood, file};
    base::Error error = there.error();
    if (error.kind == base::ErrorKind::not_found) error.message = "there is no such file";
    return {false, complain(io, error, kFailed)};
}

/// The number of a stream that was closed goes to no file: words would be written into it.
void hold_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // The lowest free number; to use it fails, as before.
        static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
}

CliOutcome run_words(int argc, const char* const* argv, const Io& io) {
    CLI::App app("Heed: look into attention. A live transformer, every head, every number.",
                 "heed");
    const std::vector<Command> list = commands();
    if (argc == 2 && means_a_file(argv[1], list)) return open_in_window(argv[1], io);
    if (const std::string named = argc == 2 ? shipped_model(argv[1]) : ""; !named.empty()) {
        return {true, kGood, named};
    }
    app.set_version_flag("--version", "heed " HEED_VERSION);
    app.footer(wrapped("Without a command, heed opens its window; with a file or the name of a "
                       "trained model alone, "
                       "that in it: " +
                           opened_kinds() + ".",
                       kLine) +
               "\n\n" + kExamples);
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(kFlagColumn);
    std::vector<Parsed> all;
    for (const Command& command : list) {
        all.push_back({});
        all.back().command = command;
    }
    for (Parsed& parsed : all) {
        parsed.app = app.add_subcommand(parsed.command.name,
                                        wrapped(parsed.command.description, kLine - kFlagColumn));
        parsed.app->footer(wrapped(parsed.command.details, kLine) + "\n\n" +
                           parsed.command.examples);
        add_flags(parsed);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return {false, app.exit(error, io.out, io.err)};
        complain_of_words(app, all, error, io);
        return {false, kWrongUsage};
    }
    for (const Parsed& parsed : all) {
        if (parsed.app->parsed()) return {false, run(parsed, io)};
    }
    return {true, kGood};
}

} // namespace

CliOutcome run_cli(int argc, const char* const* argv, Screenshot screenshot, std::ostream& out,
                   std::ostream& err, FrameBench frames) {
    Console console(out, err);
    CliOutcome outcome = run_words(argc, argv, console.io(screenshot, frames));
    if (!outcome.open_window) outcome.exit_code = console.ended(outcome.exit_code);
    return outcome;
}

CliOutcome run_cli(int argc, char** argv, Screenshot screenshot, FrameBench frames) {
    base::keep_memory_between_runs();
    hold_closed_streams();
    std::signal(SIGXFSZ, SIG_IGN); // a file beyond its limit is a disk that is full
    return run_cli(argc, argv, screenshot, std::cout, std::cerr, frames);
}

} // namespace heed::app
