// heed train: a model learns a task.
#include "app/cli/command.hpp"
#include "app/cli/document_flags.hpp"
#include "app/cli/flag_values.hpp"
#include "app/cli/training_flags.hpp"
#include "app/cli/training_session.hpp"
#include "files/painter.hpp"
#include "train/data/own_sentences.hpp"
#include "train/loop/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

Result<TrainOutput> read_output(const Given& given) {
    TrainOutput output;
    output.model = given.find("--output").value_or("");
    if (!output.model.ends_with(".safetensors")) {
        return fail(ErrorKind::usage, "--output",
                    fmt::format("'{}' does not end in .safetensors; it is where the trained model "
                                "goes",
                                output.model));
    }
    output.checkpoint = output.model;
    output.checkpoint.insert(output.model.size() - std::string(".safetensors").size(),
                             ".checkpoint");
    output.log = given.find("--log").value_or("");
    output.curves = given.find("--curves").value_or("");
    if (!output.curves.empty() && !files::format_of(output.curves)) {
        return fail(ErrorKind::usage, "--curves",
                    fmt::format("'{}' ends in none of .png, .svg, .pdf", output.curves));
    }
    output.film = given.find("--film").value_or("");
    if (!output.film.empty() && !output.film.ends_with(".gif") && !files::format_of(output.film)) {
        return fail(ErrorKind::usage, "--film",
                    fmt::format("'{}' ends in none of .gif, .png, .svg, .pdf", output.film));
    }
    int checkpoint = static_cast<int>(output.checkpoint_every);
    int measure = static_cast<int>(output.measure_every);
    const auto ok = in_turn(
        [&] { return read_integer(given, "--checkpoint-every", 1, 1'000'000'000, checkpoint); },
        [&] { return read_integer(given, "--measure-every", 1, 1'000'000'000, measure); });
    if (!ok) return tl::make_unexpected(ok.error());
    output.resumed = given.find("--resume").value_or("");
    const std::string keep = given.find("--keep").value_or("best");
    if (keep != "best" && keep != "last") {
        return fail(ErrorKind::usage, "--keep", fmt::format("'{}' is not one of best, last", keep));
    }
    output.keeps_best = keep == "best";
    output.checkpoint_every = static_cast<std::uint64_t>(checkpoint);
    output.measure_every = static_cast<std::uint64_t>(measure);
    return output;
}

/// A width and heads that somebody asked for give way to no word vectors.
Result<void> check_width(const Given& given, const models::Config& asked,
                         const models::Config& model) {
    const models::Traits wanted = models::traits(asked), made = models::traits(model);
    const int width = made.width, heads = made.n_heads;
    for (const char* flag : {"--d-model", "--size"}) {
        if (!given.has(flag) || wanted.width == width) continue;
        return fail(ErrorKind::mismatch, flag,
                    fmt::format("makes the model {} wide, but its embedding begins with word "
                                "vectors of {} numbers; leave it out, or give --d-model {}",
                                wanted.width, width, width));
    }
    if (!given.has("--heads") || wanted.n_heads == heads) return {};
    return fail(ErrorKind::mismatch, "--heads",
                fmt::format("is {}, which does not divide the {} numbers of the word vectors; "
                            "leave it out, or give --heads {}",
                            wanted.n_heads, width, heads));
}

Result<std::unique_ptr<train::Training>> training_of(const Given& given, num::ThreadPool& pool) {
    if (const auto path = given.find("--resume")) {
        for (const Flag& flag : training_flags()) {
            if (flag.name == "--steps" || !given.has(flag.name)) continue;
            return fail(ErrorKind::usage, flag.name,
                        "cannot be set beside --resume: the checkpoint decides it");
        }
        auto training = train::Training::resume(*path, pool);
        if (!training) return training;
        int steps = static_cast<int>((*training)->plan().steps);
        const auto done = static_cast<long long>((*training)->steps_done());
        if (auto ok = read_integer(given, "--steps", done, 1'000'000'000, steps); !ok) {
            return tl::make_unexpected(ok.error());
        }
        (*training)->set_steps(static_cast<std::uint64_t>(steps));
        return training;
    }
    auto plan = read_plan(given);
    if (!plan) return tl::make_unexpected(plan.error());
    auto dataset = train::prepare_dataset(plan->task, plan->sentences);
    if (!dataset) return tl::make_unexpected(dataset.error());
    auto training = train::Training::begin(*plan, *std::move(dataset), pool);
    if (!training) return training;
    const auto ok = check_width(given, plan->model, (*training)->plan().model);
    return ok ? std::move(training) : tl::make_unexpected(ok.error());
}

void tell_lines(const std::string& file, const train::BadLines& bad, const Io& io) {
    constexpr std::size_t kMostListed = 20;
    for (std::size_t i = 0; i < std::min(bad.first.size(), kMostListed); ++i) {
        io.err << fmt::format("{}: line {}: {}\n", file, bad.first[i].line, bad.first[i].reason);
    }
}

/// Tells a person what to know before the first step.
void tell(const train::Training& training, const num::ThreadPool& pool, const Io& io) {
    const std::string& file = training.plan().sentences.own.file;
    const train::LeftOut& left_out = training.dataset()->left_out;
    tell_lines(file, left_out.bad, io);
    if (const auto words =
            train::words_of(left_out, train::is_classification(training.plan().task));
        !words.empty()) {
        io.err << fmt::format("{}: {}\n", file, words);
    }
    if (!file.empty()) {
        io.err << fmt::format("{}: {} {} to learn from, {} held out, {} words known\n", file,
                              training.dataset()->training.size(),
                              train::is_classification(training.plan().task) ? "texts" : "pairs",
                              training.dataset()->pairs.size(),
                              training.dataset()->vocabulary.size());
    }
    if (!training.plan().vectors.empty() && training.steps_done() == 0) {
        const train::BadLines& bad = training.bad_vectors();
        tell_lines(training.plan().vectors, bad, io);
        io.err << fmt::format("{}: vectors of {} words", training.plan().vectors,
                              training.words_filled())
               << (bad.count > 0 ? ", " + train::words_of(bad) : "") << '\n';
        const models::Traits model = models::traits(training.plan().model);
        if (!model.is_stepwise()) {
            io.err << fmt::format("the model is {} wide, as they are, and has {} head{}\n",
                                  model.width, model.n_heads, model.n_heads == 1 ? "" : "s");
        }
    }
    const int before = training.threads_before();
    if (before != 0 && before != pool.size()) {
        io.err << fmt::format("it was trained on {} threads and goes on on {}: the weights will "
                              "not be the same to the last digit\n",
                              before, pool.size());
    }
}

int run_train(const Given& given, const Io& io) {
    auto output = read_output(given);
    if (!output) return complain(io, output.error(), kWrongUsage);
    int threads = 0;
    if (const auto ok = read_integer(given, "--threads", 1, 256, threads); !ok) {
        return complain(io, ok.error(), kWrongUsage);
    }
    num::ThreadPool pool(threads);
    auto training = training_of(given, pool);
    if (!training) return complain_of_flags(io, training.error());
    if (!output->keeps_best && (*training)->plan().patience > 0) {
        const base::Error error{
            ErrorKind::usage, "--keep",
            "is best beside --patience, which ends a training behind its best state"};
        return complain(io, error, kWrongUsage);
    }
    tell(**training, pool, io);
    return run_training(*std::move(training), *std::move(output), io, pool);
}

} // namespace

Command train_command() {
    std::vector<Flag> flags = {
        {"-o,--output", "PATH", "where the trained model goes, a .safetensors file", "Output"},
        {"--log", "PATH", "the loss of every step and the measures as CSV", "Output"},
        {"--curves", "PATH", "the curves as a figure: .png, .svg or .pdf", "Output"},
        {"--film", "PATH",
         "how attention formed: .gif moves; .png, .svg and .pdf show all frames side by side",
         "Output"},
        {"--measure-every", "N", "steps between measures on held-out sentences (default 250)",
         "Output"},
        {"--checkpoint-every", "N",
         "steps between checkpoints, PATH.checkpoint.safetensors (default 500)", "Output"},
        {"--keep", "STATE",
         "best: of the states that were measured, the one with most held-out sentences fully "
         "correct; "
         "last (default best)",
         "Output"},
        {"--threads", "N", "that compute; the weights depend on how many (default: one a core)",
         "Output"},
        {"--resume", "FILE", "go on from a checkpoint; --steps may be set anew", "Output"},
    };
    for (const Flag& flag : training_flags()) flags.push_back(flag);
    return {
        "train",
        "Train a model on a task.",
        "The sentences are generated, and those that are held out never occur in training. "
        "Ctrl-C leaves a checkpoint from which --resume goes on, on as many threads to the same "
        "weights. The file "
        "that comes out holds the model with its vocabulary; every command takes it with --model "
        "FILE.",
        "Examples:\n"
        "  heed train --task zh-en --model seq2seq --steps 3000 -o zh-en.safetensors\n"
        "  heed train --task reverse --model transformer --max-length 12 -o reverse.safetensors\n"
        "  heed train --task headlines-en --model classifier --heads 4 -o topics.safetensors\n"
        "  heed train --data pairs.tsv --patience 5 --curves curves.pdf -o mine.safetensors\n"
        "  heed train --task reverse --film film.gif -o reverse.safetensors\n"
        "  heed train --resume zh-en.checkpoint.safetensors -o zh-en.safetensors",
        std::move(flags),
        run_train};
}

} // namespace heed::app
