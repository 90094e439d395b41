// A training on the command line: a bar, a log, checkpoints, and an end that Ctrl-C may bring
// early.
#pragma once

#include "app/cli/command.hpp"
#include "train/loop/training.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace heed::app {

/// Files that a training leaves; an empty path: none.
struct TrainOutput {
    std::string model, checkpoint, log, curves;
    std::string film;    // .gif: moving; .png, .svg, .pdf: all frames in one picture
    std::string resumed; // the checkpoint that it goes on from
    std::uint64_t checkpoint_every = 500, measure_every = 250;
    std::size_t watched = 200; // held-out sentences while it learns
    bool keeps_best = true;    // of the states that were measured; else the last one is written
};

/// Trains to the end. After Ctrl-C a checkpoint is left, from which another one goes on to the same
/// weights. Returns the exit code.
int run_training(std::unique_ptr<train::Training> training, TrainOutput output, const Io& io,
                 num::ThreadPool& pool);

} // namespace heed::app
