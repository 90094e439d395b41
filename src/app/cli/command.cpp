#include "app/cli/command.hpp"

#include "app/document/prepare_input.hpp"
#include "base/file.hpp"
#include "base/visible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace heed::app {

namespace {

struct FlagOf {
    std::string_view subject; // the first word of an error's subject
    std::string_view flag;
};

constexpr FlagOf kFlags[] = {{"source", "--source"},
                             {"target", "--target"},
                             {"pad_to", "--pad-to"},
                             {"d_model", "--d-model"},
                             {"n_heads", "--heads"},
                             {"heads", "--of-heads"},
                             {"n_encoder_layers", "--layers"},
                             {"n_decoder_layers", "--layers"},
                             {"d_ff", "--d-ff"},
                             {"positions", "--positions"},
                             {"scale", "--scale"},
                             {"temperature", "--temperature"},
                             {"mask", "--mask"},
                             {"painted", "--mask"},
                             {"dropout", "--dropout"},
                             {"controls", "--controls"},
                             {"gain", "--controls"}};

std::string_view flag_of(std::string_view subject) {
    const std::string_view word = subject.substr(0, subject.find(' '));
    for (const FlagOf& entry : kFlags) {
        if (entry.subject == word) return entry.flag;
    }
    return {};
}

} // namespace

std::vector<Command> commands() {
    return {export_command(), attend_command(),    model_command(), models_command(),
            train_command(),  evaluate_command(),  heads_command(), inside_command(),
            learn_command(),  lesson_command(),    task_command(),  tokens_command(),
            bench_command(),  screenshot_command()};
}

base::Error not_printed() {
    return {base::ErrorKind::unwritable, "standard output",
            "could not be written: closed, or its disk is full"};
}

int complain(const Io& io, const base::Error& error, int code) {
    std::string words = base::visible_line(base::describe(error));
    constexpr std::string_view kLine = "\\u{a}  "; // lines to be copied, such as a program's
    for (std::size_t at = 0; (at = words.find(kLine, at)) != std::string::npos;) {
        words.replace(at, kLine.size(), "\n  ");
    }
    io.err << "heed: " << words << '\n';
    return code;
}

int complain_of_flags(const Io& io, const base::Error& error) {
    const bool file =
        error.kind == base::ErrorKind::not_found || error.kind == base::ErrorKind::unreadable;
    return complain(io, error, file ? kFailed : kWrongUsage);
}

int complain_of_run(const Io& io, const base::Error& error, const Given* given) {
    std::string_view flag = flag_of(error.subject);
    const bool from_file = given == nullptr || given->has("--controls");
    if (flag == "--controls" && !from_file && given->has("--apply-to")) flag = "--apply-to";
    if (flag.empty()) return complain(io, error, kFailed);
    // A bare field says no more than its flag; "scale of encoder layer 1" does.
    const bool bare = error.subject.find(' ') == std::string::npos;
    mention(io, fmt::format("{}: {}", flag, bare ? error.message : base::describe(error)));
    return kWrongUsage;
}

void mention_dropped(const Io& io, const PreparedInput& prepared) {
    constexpr std::size_t kCounted = 100'000; // a longer text is not counted to its end
    const auto tell = [&](const char* side, std::size_t read, std::size_t dropped) {
        if (dropped == 0) return;
        mention(io, fmt::format("{}: {}{} tokens past the first {} are left out", side,
                                dropped > kCounted ? "more than " : "", std::min(dropped, kCounted),
                                std::min(read, models::kMaxTokens)));
    };
    const models::Input& input = prepared.input;
    tell("--source", input.source.size(), prepared.source_dropped);
    tell(input.source.empty() ? "the text" : "--target", input.target.size(),
         prepared.target_dropped);
}

void mention(const Io& io, const std::string& words) {
    if (!words.empty()) io.err << "heed: " << base::visible_line(words) << '\n';
}

int deliver(const Io& io, const std::string& path, std::string_view bytes) {
    if (path == "-") {
        io.out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        io.out.flush();
        if (io.out) return kGood;
        return complain(io, not_printed(), kFailed);
    }
    if (const auto ok = base::write_file_atomic(path, bytes); !ok) {
        return complain(io, ok.error(), kFailed);
    }
    io.out << path << '\n';
    io.out.flush();
    return kGood;
}

} // namespace heed::app
