// heed bench: how fast this machine is.
#include "app/bench/bench.hpp"
#include "app/cli/command.hpp"
#include "app/cli/flag_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

namespace {

Result<void> read_list(const Given& given, const std::string& flag, long long high,
                       std::vector<int>& values) {
    const auto words = given.find(flag);
    if (!words) return {};
    values.clear();
    for (std::size_t begin = 0; begin <= words->size();) {
        const std::size_t end = std::min(words->find(',', begin), words->size());
        const auto number =
            parse_integer(std::string_view(*words).substr(begin, end - begin), flag, 1, high);
        if (!number) return tl::make_unexpected(number.error());
        values.push_back(static_cast<int>(*number));
        begin = end + 1;
    }
    return {};
}

/// Adds the cases of the window; where nothing can be drawn, they are left out, unless asked for.
Result<void> add_frames(const BenchOptions& options, const Io& io, std::vector<BenchCase>& cases) {
    if (io.frames == nullptr) return {};
    const auto frames = io.frames(options);
    if (!frames && options.only.empty()) {
        mention(io, base::describe(frames.error()));
        return {};
    }
    if (!frames) return tl::make_unexpected(frames.error());
    cases.insert(cases.end(), frames->begin(), frames->end());
    return {};
}

int run_bench(const Given& given, const Io& io) {
    BenchOptions options;
    if (given.has("--quick")) {
        options.tokens = {32};
        options.repetitions = 3;
    }
    options.only = given.find("--only").value_or("");
    Result<void> ok = read_list(given, "--tokens", models::kMaxTokens, options.tokens);
    if (ok) ok = read_list(given, "--threads", 256, options.threads);
    if (ok) ok = read_integer(given, "--repetitions", 1, 9999, options.repetitions);
    if (!ok) return complain(io, ok.error(), kWrongUsage);
    auto cases = bench(options, [&](int round, int rounds) {
        if (!io.terminal) return;
        *io.terminal << fmt::format("\rheed: round {} of {}{}", round, rounds,
                                    round == rounds ? "\n" : "")
                     << std::flush;
    });
    if (!cases) return complain_of_run(io, cases.error());
    if (const Result<void> drawn = add_frames(options, io, *cases); !drawn) {
        return complain(io, drawn.error(), kFailed);
    }
    if (cases->empty()) {
        return complain(io,
                        {ErrorKind::usage, "--only",
                         fmt::format("no case starts with '{}'; cases are base/full, base/trace, "
                                     "base/toggle/LAYER, model/gpt2, model/llama, "
                                     "inside/lens, seq2seq/full, "
                                     "train/transformer, matmul, "
                                     "snapshot/edit, figure/VIEW, "
                                     "frame/explore, slider/base/32, weight/base/32, map/2048/pan",
                                     options.only)},
                        kWrongUsage);
    }
    return deliver(io, "-", given.has("--json") ? bench_json(*cases) : bench_text(*cases));
}

} // namespace

Command bench_command() {
    constexpr const char* kGroup = "Measurement";
    return {
        "bench",
        "Measure how fast this machine runs its models.",
        "Median times of: base/full, a run that leaves every head's map in memory; base/trace, "
        "a run as the window has it; base/toggle/LAYER, the scale switched off in one layer; "
        "seq2seq/full, a target said word by word by a bidirectional GRU of 256 with additive "
        "attention; train/transformer, train/seq2seq and their small-… sizes, a step of training "
        "with 32 sentences; train/forward-of-one and train/live-of-one, one sentence as training "
        "reads it and as a live run does; "
        "when --only asks for model/, beside reading, this machine's reading of memory: "
        "model/gpt2 (GPT-2 small, every map), model/llama (1.1 billion parameters in BF16), "
        "model/pythia (160 million parameters in BF16), model/gemma (two layers of Gemma 2B in "
        "BF16) and their /append, one token more and the probabilities of the next, "
        "model/gpt2/edit, another token in the middle, model/gpt2/fader, a head of the last layer "
        "faded, model/t5 (T5 base) and model/bert (BERT base); where Heed holds itself to a limit "
        "it "
        "is told, and whether it holds; "
        "matmul, this machine's own product of 1024 x 1024 matrices; snapshot/edit and "
        "snapshot/focus, all that the window waits for; figure/VIEW, building a "
        "figure, and figure/frame, those of the window; frame/explore, frame/144 (with 144 "
        "heads), map/2048/pan and zoom, frames of the window, drawn; slider/base/32 and "
        "weight/base/32, from one new map on the screen to the next while dragging, and, "
        "with /latency, from a move to its map.",
        "Examples:\n"
        "  heed bench\n"
        "  heed bench --json --tokens 16,32 --threads 2\n"
        "  heed bench --quick --only base/full\n"
        "  heed bench --only model/ --threads 2 --repetitions 5",
        {
            {"--json", "",
             "an object with cases: name, tokens, threads, median_ms, gflops, "
             "gigabytes_per_second",
             kGroup},
            {"--tokens", "LIST", "of each sentence (default 16,32,64,128,512)", kGroup},
            {"--threads", "LIST", "(default 1,2)", kGroup},
            {"--repetitions", "N", "(default 15)", kGroup},
            {"--quick", "", "32 tokens and 3 repetitions", kGroup},
            {"--only", "NAME", "cases whose name starts so", kGroup},
        },
        run_bench};
}

} // namespace heed::app
