// Benchmarks of this machine on what Heed runs: the base model of the 2017 paper, and the machine's
// own matrix product beside it, so that shares of it can be compared between machines.
#pragma once

#include "base/result.hpp"
#include "models/model/model.hpp"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace heed::app {

struct BenchOptions {
    std::vector<int> tokens{16, 32, 64, 128, 512}; // of source and target each
    std::vector<int> threads{1, 2};
    int repetitions = 15; // odd, so that a median is one of them
    std::string only;     // cases whose name starts so; empty: all
};

/// Limit that a case is held to.
struct BenchLimit {
    enum class Of {
        nothing,
        product_rate, // its gflops are at least so great a share of matmul's
        arithmetic,   // its time is at most so many times that of its gflop at matmul's rate
        reading,      // likewise, of its gigabytes at the rate of reading
    };
    Of of = Of::nothing;
    double factor = 0;
};

struct BenchCase {
    std::string name; // "base/full", "base/toggle/decoder.5", "matmul", "figure/heatmap"
    int tokens = 0;   // rows of the product for matmul
    int threads = 1;
    double median_ms = 0;
    double gflops = 0; // multiplications and additions a second / 1e9; 0 where it means nothing
    double gigabytes_per_second = 0; // of what has to be read once; 0 where it means nothing
    BenchLimit limit{};
};

/// base/full: a run that leaves every head's weights in memory (as peers return them).
/// base/trace: a run as the window has it, maps made when looked at. base/toggle/…: the same,
/// after the scale of one layer was switched off, reusing the run before; at 32 tokens, or the
/// first number asked for. matmul: 1024³ through the kernel of the models. snapshot/edit,
/// snapshot/focus: all that the engine does after a word was typed, and after another head was
/// chosen. train/…: a step of training (app/training_bench.hpp). figure/…: building a figure;
/// figure/frame: those that the window shows at once. Repetitions of all cases alternate, so that
/// noise hits all alike. model/… (app/model_bench.hpp) are measured where `only` asks for them,
/// beside matmul and reading; inside/… (app/inside_bench.hpp) likewise. reading: memory read at
/// once by all threads. `progress` hears of each round. Errors: those of a run.
base::Result<std::vector<BenchCase>> bench(const BenchOptions& options,
                                           const std::function<void(int, int)>& progress);

/// Multiplications and additions of one run of the base model, n tokens a side, in 1e9.
double base_gflop(int tokens);
/// Gflop of a whole decode's products, as many words said as read, but for the output vocabulary.
double seq2seq_gflop(const models::RecurrentConfig& config, int tokens);

std::string bench_json(const std::vector<BenchCase>& cases);
/// A table; gflops also as a share of matmul with as many threads, and of a case that is held to a
/// limit the limit, what was measured, and where it does not hold that it does not.
std::string bench_text(const std::vector<BenchCase>& cases);

} // namespace heed::app
