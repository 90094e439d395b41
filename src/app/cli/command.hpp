// A command of the command line is data, so that parsing, help and tests read one list.
#pragma once

#include "app/cli/cli.hpp"
#include "base/result.hpp"

#include <cstddef>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

struct PreparedInput;

struct Flag {
    std::string name; // "--scale", "-o,--output"
    /// The word for its value in the help; empty: the flag takes none, "FILE…": several.
    std::string value;
    std::string help;
    std::string group;    // a heading in the help
    bool repeats = false; // may be given several times: its value then has a line for each
};

/// The heading over flags of files that are written.
inline constexpr const char* kOutput = "Output";
/// The heading over flags of what a model reads and says.
inline constexpr const char* kSentences = "Sentences";

/// The flags that were given, by their longest name; a flag without a value is "" when it is there.
class Given {
  public:
    void set(const std::string& flag, std::string value) { values_[flag] = std::move(value); }
    void set_list(const std::string& flag, std::vector<std::string> values) {
        lists_[flag] = std::move(values);
    }
    bool has(const std::string& flag) const {
        return values_.contains(flag) || lists_.contains(flag);
    }
    /// The values of a flag that takes several.
    std::vector<std::string> list(const std::string& flag) const {
        const auto found = lists_.find(flag);
        return found == lists_.end() ? std::vector<std::string>() : found->second;
    }
    std::optional<std::string> find(const std::string& flag) const {
        const auto found = values_.find(flag);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    std::map<std::string, std::string> values_;
    std::map<std::string, std::vector<std::string>> lists_;
};

struct Io {
    std::ostream& out;
    std::ostream& err;
    Screenshot screenshot;
    FrameBench frames = nullptr;
    /// The terminal of a person who watches: takes what moves its cursor. Null where nobody does.
    std::ostream* terminal = nullptr;
};

inline constexpr int kGood = 0, kFailed = 1, kWrongUsage = 2;

struct Command {
    std::string name;
    std::string description; // one line
    std::string details;     // after the flags in the help
    std::string examples;    // after those
    std::vector<Flag> flags;
    int (*run)(const Given&, const Io&);
};

Command export_command();
Command attend_command();
Command model_command();
Command models_command();
Command train_command();
Command evaluate_command();
Command heads_command();
Command task_command();
Command tokens_command();
Command inside_command();
Command lesson_command();
Command bench_command();
Command screenshot_command();
Command learn_command();
std::vector<Command> commands();

/// Reason why the standard output lacks something.
base::Error not_printed();
/// One line on `err`. Returns the code.
int complain(const Io& io, const base::Error& error, int code);
/// Complains of flags: a failed run where a file that they name is missing or unreadable, otherwise
/// wrong usage.
int complain_of_flags(const Io& io, const base::Error& error);
/// Complains of what came of a model and its run: wrong usage where the error is about something
/// that a flag sets, which the message then names; otherwise a failed run. What was given tells
/// controls of --apply-to from those of a file.
int complain_of_run(const Io& io, const base::Error& error, const Given* given = nullptr);
/// Says how many tokens of each side lie past the most that this model, or any run, takes.
void mention_dropped(const Io& io, const PreparedInput& prepared);
/// One line on `err`, unless there are no words.
void mention(const Io& io, const std::string& words);
/// Writes to the standard output for "-", else atomically to a file. Returns the exit code.
int deliver(const Io& io, const std::string& path, std::string_view bytes);

} // namespace heed::app
