// heed task: the sentences that a task writes, with the links that a right alignment has.
#include "app/cli/command.hpp"
#include "app/cli/flag_values.hpp"
#include "app/cli/training_flags.hpp"
#include "tensors/json.hpp"
#include "train/tasks/task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>
#include <utility>
#include <vector>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

constexpr const char* kTaskGroup = "Sentences";

struct Listing {
    train::Task task = train::Task::zh_en;
    std::vector<train::Pair> pairs;
};

std::vector<std::string_view> names_of_tasks() {
    std::vector<std::string_view> names;
    for (const train::Task task : train::all_tasks()) names.push_back(train::name(task));
    return names;
}

Result<Listing> read_listing(const Given& given) {
    const std::string name = given.find("name").value_or("");
    const auto task = train::task_named(name);
    if (!task) {
        return fail(
            ErrorKind::usage, "name",
            name.empty()
                ? fmt::format("is needed: one of {}", fmt::join(names_of_tasks(), ", "))
                : fmt::format("'{}' is not one of {}", name, fmt::join(names_of_tasks(), ", ")));
    }
    train::TaskOptions options;
    int count = 20;
    auto ok = in_turn([&] { return read_integer(given, "--sentences", 1, 1'000'000, count); },
                      [&] { return read_seed(given, "--seed", options.seed); },
                      [&] { return read_lengths(given, options); });
    if (!ok) return tl::make_unexpected(ok.error());
    const auto all = static_cast<std::size_t>(count);
    const bool held_out = given.has("--held-out"), file = given.has("--tsv");
    if (file && (held_out || given.has("--json"))) {
        return fail(ErrorKind::usage, "--tsv",
                    held_out ? "has sentences to learn from and to be judged by: leave --held-out"
                             : "and --json are two forms of one list: give one");
    }
    // A training holds one line in eight of a file out, and finds the same ones.
    options.held_out = held_out ? all : file ? (all + 7) / 8 : 0;
    options.training = held_out ? 0 : all - options.held_out;
    train::TaskData data = train::make_task(*task, options);
    std::vector<train::Pair> pairs = std::move(data.training);
    pairs.insert(pairs.end(), data.held_out.begin(), data.held_out.end());
    return Listing{*task, std::move(pairs)};
}

/// "ate ← 吃", in parentheses where not every judge would draw it.
std::string link_words(const train::Pair& pair, const train::Link& link) {
    const std::string words =
        fmt::format("{} \u2190 {}", pair.target[static_cast<std::size_t>(link.target)],
                    pair.source[static_cast<std::size_t>(link.source)]);
    return link.sure ? words : "(" + words + ")";
}

std::string label_of(train::Task task, const train::Pair& pair) {
    const auto labels = train::labels(task);
    return pair.label < 0 ? "" : labels[static_cast<std::size_t>(pair.label)];
}

void print_sentences(const Listing& list, std::ostream& out) {
    for (const train::Pair& pair : list.pairs) {
        const std::string label = label_of(list.task, pair);
        out << train::joined(pair.source) << '\n'
            << "  " << (label.empty() ? train::joined(pair.target) : label) << '\n';
        std::vector<std::string> links;
        for (const train::Link& link : pair.gold) links.push_back(link_words(pair, link));
        if (!links.empty()) out << fmt::format("  {}\n", fmt::join(links, ", "));
    }
}

void print_sentences_json(const Listing& list, std::ostream& out) {
    const char* before = "[\n";
    for (const train::Pair& pair : list.pairs) {
        tensors::Json entry = {{"source", pair.source}};
        if (const std::string label = label_of(list.task, pair); !label.empty()) {
            entry["label"] = label;
        } else {
            entry["target"] = pair.target;
        }
        auto& links = entry["links"] = tensors::Json::array();
        for (const train::Link& link : pair.gold) {
            links.push_back(
                {{"target", link.target}, {"source", link.source}, {"sure", link.sure}});
        }
        out << before << tensors::dump_json(entry); // a sentence a line
        before = ",\n";
    }
    out << "\n]\n";
}

/// As heed train reads its --data: a tab between source and target, or label and text.
void print_pairs(const Listing& list, std::ostream& out) {
    for (const train::Pair& pair : list.pairs) {
        const std::string label = label_of(list.task, pair), source = train::joined(pair.source);
        out << (label.empty() ? source + '\t' + train::joined(pair.target) : label + '\t' + source)
            << '\n';
    }
}

int run_task(const Given& given, const Io& io) {
    const auto list = read_listing(given);
    if (!list) return complain(io, list.error(), kWrongUsage);
    if (list->pairs.empty()) {
        return complain(
            io, {ErrorKind::out_of_range, "--min-length", "this task has no sentences so long"},
            kWrongUsage);
    }
    const auto print = given.has("--json")  ? print_sentences_json
                       : given.has("--tsv") ? print_pairs
                                            : print_sentences;
    print(*list, io.out);
    return kGood;
}

} // namespace

Command task_command() {
    std::vector<Flag> flags = {
        {"name", "TASK", fmt::format("{}", fmt::join(names_of_tasks(), ", ")), kTaskGroup},
        {"--sentences", "N", "how many (default 20)", kTaskGroup},
        {"--seed", "N", "of the sentences (default 1, as a training has it)", kTaskGroup},
        {"--held-out", "", "those that a training holds out, and heed evaluate judges by",
         kTaskGroup},
        {"--json", "", "as a JSON array", kTaskGroup},
        {"--tsv", "", "source, a tab, target (or label, a tab, text): a file for heed train --data",
         kTaskGroup},
    };
    for (const Flag& flag : length_flags(kTaskGroup, "3", "15")) flags.push_back(flag);
    return {
        "task",
        "List the sentences that a task is made of.",
        "They are the first ones that heed train learns from with the same lengths: the "
        "source, what is to be said of it, and the gold links that the alignment error is "
        "measured against, each from a target word to the source word that it says; possible ones "
        "in parentheses. Tasks that end in a label have no links. In JSON the places in links "
        "count from 0.",
        "Examples:\n"
        "  heed task zh-en --sentences 20\n"
        "  heed task en-fr --held-out --min-length 10 --max-length 12 --seed 3\n"
        "  heed task dates --json\n"
        "  heed task en-fr --sentences 5000 --tsv > pairs.tsv",
        std::move(flags),
        run_task};
}

} // namespace heed::app
