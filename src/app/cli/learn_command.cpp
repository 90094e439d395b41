// heed learn: claims about attention, measured.
#include "app/cli/command.hpp"
#include "app/cli/flag_values.hpp"
#include "app/learn/verdicts.hpp"
#include "base/file.hpp"
#include "base/interrupts.hpp"
#include "figure/lab_picture.hpp"
#include "files/painter.hpp"
#include "lab/page.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kLearnGroup = "Measurement";

Result<const lab::Page*> read_page(const Given& given) {
    const std::string name = given.find("name").value_or("");
    if (const lab::Page* page = lab::page_named(name)) return page;
    std::vector<std::string> names;
    for (const lab::Page& page : lab::pages()) names.push_back(page.name);
    const auto near = lab::nearest(name, names);
    return fail(ErrorKind::usage, "name",
                near.empty() ? fmt::format("'{}' is not one of {}", name, fmt::join(names, ", "))
                             : fmt::format("there is no page '{}'; do you mean {}?", name,
                                           fmt::join(near, " or ")));
}

/// True where a line begins with "name=": a name has no spaces.
bool has_name(const std::string& line) {
    const std::size_t equals = line.find('=');
    return equals != std::string::npos && line.find(' ') > equals;
}

/// Reads --set, one "name=value" a line; a line without a name goes on with the value before.
Result<void> read_parameters(const std::string& given, const lab::Page& page,
                             lab::Settings& settings) {
    std::vector<std::string> pairs;
    for (std::size_t begin = 0; begin <= given.size();) {
        const std::size_t end = std::min(given.find('\n', begin), given.size());
        const std::string line = given.substr(begin, end - begin);
        begin = end + 1;
        if (!has_name(line) && !pairs.empty()) {
            pairs.back() += "\n" + line;
        } else {
            pairs.push_back(line);
        }
    }
    for (const std::string& pair : pairs) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos) {
            return fail(ErrorKind::usage, "--set", fmt::format("'{}' is not NAME=VALUE", pair));
        }
        const auto ok = lab::set(page.parameters, settings, pair.substr(0, equals),
                                 std::string_view(pair).substr(equals + 1));
        if (!ok) {
            return fail(ok.error().kind, "--set " + ok.error().subject, ok.error().message);
        }
    }
    return {};
}

void list_pages(std::ostream& out) {
    const Verdicts verdicts = load_verdicts(verdicts_path());
    std::string group;
    for (const lab::Page& page : lab::pages()) {
        if (page.group != group) {
            out << (group.empty() ? "" : "\n") << page.group << '\n';
            group = page.group;
        }
        const auto kept = verdicts.find(page.name);
        out << fmt::format(
            "  {:<18}{}{}\n", page.name, lab::plain(page.title),
            kept == verdicts.end() ? "" : fmt::format("  [{}]", lab::name(kept->second.verdict)));
    }
}

void list_pages_json(std::ostream& out) {
    const Verdicts verdicts = load_verdicts(verdicts_path());
    tensors::Json list = tensors::Json::array();
    for (const lab::Page& page : lab::pages()) {
        tensors::Json entry = {{"name", page.name}, {"title", lab::plain(page.title)}};
        const auto kept = verdicts.find(page.name);
        entry["verdict"] = kept == verdicts.end() ? tensors::Json()
                                                  : tensors::Json(lab::name(kept->second.verdict));
        list.push_back(std::move(entry));
    }
    out << tensors::dump_json(list, 2) << '\n';
}

tensors::Json finite(double value) {
    return std::isfinite(value) ? tensors::Json(value) : tensors::Json();
}

void print_json(const lab::Page& page, const lab::Finding& found, std::ostream& out) {
    tensors::Json json = {{"name", page.name},
                          {"title", lab::plain(page.title)},
                          {"verdict", lab::name(found.judgement.verdict)},
                          {"because", lab::plain(found.judgement.because)}};
    auto& measured = json["measured"] = tensors::Json::object();
    for (const lab::Number& n : found.measured) measured[n.name] = finite(n.value);
    auto& spread = json["spread"] = tensors::Json::object();
    for (const lab::Number& n : found.measured) spread[n.name] = finite(n.spread);
    json["seeds"] = found.seeds;
    out << tensors::dump_json(json, 2) << '\n';
}

void print_words(const lab::Page& page, const lab::Finding& found, std::ostream& out) {
    out << lab::plain(page.title) << "\n\n" << lab::plain(page.claim) << "\n\n";
    for (const lab::Number& n : found.measured) {
        out << fmt::format("  {:<44} {}\n", lab::plain(n.label), figure::measured_text(n));
    }
    out << fmt::format("\n{}: {}\n{}\n", lab::name(found.judgement.verdict),
                       lab::plain(found.judgement.because), page.source);
}

/// A line that is written over and over, for who watches.
class ProgressLine {
  public:
    explicit ProgressLine(std::ostream* terminal) : terminal_(terminal) {}
    ~ProgressLine() {
        if (terminal_ && drawn_at_ != Clock::time_point{}) *terminal_ << "\r\033[K" << std::flush;
    }
    void show(double done, const std::string& words) {
        if (!terminal_ || Clock::now() - drawn_at_ < std::chrono::milliseconds(100)) return;
        drawn_at_ = Clock::now();
        *terminal_ << fmt::format("\r\033[K{:3.0f} % {}", 100 * done, words) << std::flush;
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::ostream* terminal_;
    Clock::time_point drawn_at_{};
};

Result<lab::Finding> measured(const lab::Page& page, const lab::Settings& settings, const Io& io) {
    num::ThreadPool pool;
    const base::Interrupts interrupts;
    const base::StopWhenInterrupted stop;
    ProgressLine line(io.terminal);
    lab::Work work{pool, stop.token()};
    work.tell = [&](double done, const std::string& words, const lab::Finding*) {
        line.show(done, words);
    };
    return lab::measure(page, settings, work);
}

Result<std::string> picture_bytes(const lab::Page& page, const lab::Settings& settings,
                                  const lab::Finding& found, files::Format format) {
    figure::LabPage drawn;
    drawn.title = page.title;
    drawn.subtitle = page.claim;
    drawn.pictures = page.look(settings);
    drawn.pictures.insert(drawn.pictures.end(), found.pictures.begin(), found.pictures.end());
    drawn.measured = found.measured;
    drawn.judgement = found.judgement;
    drawn.source = page.source;
    figure::Frame frame;
    frame.theme = &figure::light_theme();
    return files::paint(figure::lab_page(drawn, frame), format);
}

int run_page(const Given& given, const lab::Page& page, const Io& io) {
    lab::Settings settings = lab::usual_settings(page.parameters);
    auto ok = read_seed(given, "--seed", settings.seed);
    if (const auto set = given.find("--set"); ok && set) ok = read_parameters(*set, page, settings);
    if (!ok) return complain(io, ok.error(), kWrongUsage);
    const std::string path = given.find("--output").value_or("");
    const auto format = files::format_of(path);
    if (!path.empty() && !format) {
        return complain(io,
                        {ErrorKind::usage, "--output",
                         fmt::format("'{}' ends in none of .png, .svg, .pdf", path)},
                        kWrongUsage);
    }
    const auto found = measured(page, settings, io);
    if (!found) {
        const bool usage =
            found.error().kind == ErrorKind::usage || found.error().kind == ErrorKind::out_of_range;
        return complain(io, found.error(), usage ? kWrongUsage : kFailed);
    }
    if (settings.texts == lab::usual_settings(page.parameters).texts &&
        settings.numbers == lab::usual_settings(page.parameters).numbers) {
        // Only what is asked as it stands is remembered, and a run is good without.
        const auto kept = keep_verdict(verdicts_path(), page.name, found->judgement);
        if (!kept) mention(io, base::describe(kept.error()));
    }
    if (!path.empty()) {
        const auto bytes = picture_bytes(page, settings, *found, *format);
        if (!bytes) return complain(io, bytes.error(), kFailed);
        if (const auto written = base::write_file_atomic(path, *bytes); !written) {
            return complain(io, written.error(), kFailed);
        }
    }
    given.has("--json") ? print_json(page, *found, io.out) : print_words(page, *found, io.out);
    return kGood;
}

int run_learn(const Given& given, const Io& io) {
    if (!given.has("name")) {
        for (const char* flag : {"--set", "--seed", "--output"}) {
            if (!given.has(flag)) continue;
            return complain(io, {ErrorKind::usage, flag, "is of one page: name it"}, kWrongUsage);
        }
        given.has("--json") ? list_pages_json(io.out) : list_pages(io.out);
        return kGood;
    }
    const auto page = read_page(given);
    if (!page) return complain(io, page.error(), kWrongUsage);
    return run_page(given, **page, io);
}

/// "d_k (1 to 512, usually 64)" of every page's parameters.
std::string parameter_words() {
    std::string words;
    for (const lab::Page& page : lab::pages()) {
        std::vector<std::string> names;
        for (const lab::Parameter& p : page.parameters) names.push_back(p.name);
        words +=
            fmt::format("{}{}: {}", words.empty() ? "" : "; ", page.name, fmt::join(names, ", "));
    }
    return words;
}

} // namespace

Command learn_command() {
    return {
        "learn",
        "Measure what is claimed about attention.",
        "Without a name, the pages and the verdict of each one's last run. With one, its claim is "
        "measured on the spot, over several seeds, and the verdict is computed from the numbers. "
        "Ctrl-C stops it. Parameters of --set: " +
            parameter_words() + ".",
        "Examples:\n"
        "  heed learn\n"
        "  heed learn sqrt-dk --set d_k=8 --seed 3\n"
        "  heed learn masks --json\n"
        "  heed learn bottleneck -o bottleneck.pdf",
        {
            {"name", "PAGE", "which claim; heed learn lists them", kLearnGroup},
            {"--set", "NAME=VALUE", "a parameter of the page; may be given several times",
             kLearnGroup, true},
            {"--seed", "N", "of the first of the draws (default 1)", kLearnGroup},
            {"--json", "", "name, title, verdict, because, measured, spread and seeds",
             kLearnGroup},
            {"-o,--output", "PATH", "its pictures as .png, .svg or .pdf", kLearnGroup},
        },
        run_learn};
}

} // namespace heed::app
