// Steps of training as heed bench measures them: the gradients of a batch, one step of Adam, and
// the weights packed anew.
#pragma once

#include "base/result.hpp"
#include "num/threads.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

struct TrainingStep {
    std::string name; // "train/transformer"
    int tokens = 0;   // of each sentence, of 32
    double gflop = 0; // of the products of one step, forward and twice as much back
    std::function<void()> step;
};

/// The names that training_step() knows. train/transformer: d_model 128, 4 heads, 2 + 2 layers,
/// feed-forward 512; train/seq2seq: bidirectional GRU, hidden 256, additive; both with 4000 words
/// and sentences of 16. train/small-transformer and train/small-seq2seq: 800 words, sentences of
/// 10, of the sizes of the models that Heed comes with. train/forward-of-one, train/live-of-one:
/// one sentence of 16 words forward through the base model, as training judges it and as a live run
/// does.
const std::vector<std::string_view>& training_steps();

/// One of them, ready to be repeated; `pool` must outlive it. Errors: those of drawing a model.
base::Result<TrainingStep> training_step(std::string_view name, num::ThreadPool& pool);

} // namespace heed::app
