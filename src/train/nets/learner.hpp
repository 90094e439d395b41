// A model while it learns: parameters that an optimiser may move, and the gradients of a batch.
#pragma once

#include "models/model/model.hpp"
#include "num/threads.hpp"
#include "train/nets/parameters.hpp"
#include "train/tasks/example.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heed::train {

/// Regularization: all that makes learning from a batch harder than reading it.
struct Regularization {
    float dropout = 0;            // share of features and weights dropped, in [0, 1)
    float label_smoothing = 0;    // share of the gold word's probability given to all words
    float scheduled_sampling = 0; // chance of each word but the first that a recurrent decoder
                                  // reads what it said itself (Bengio et al. 2015)
    bool operator==(const Regularization&) const = default;
};

/// Result of a batch, all its target words (⟨end⟩ is one), or labels, taken together.
struct BatchResult {
    double loss = 0;        // nats, summed; without what label smoothing adds
    std::size_t tokens = 0; // how many were judged
    std::size_t right = 0;  // of them, how many were the most probable
    double objective = 0;   // what the gradients are of: a mean over tokens, smoothing included
};

class Learner {
  public:
    virtual ~Learner() = default;

    /// Parameters in the same order and places for as long as the learner lives.
    virtual std::vector<Parameter> parameters() = 0;
    /// Sets the gradients to those of the mean loss a token. `seed` decides what is dropped. The
    /// same for the same pool size. Requires at least one example, whose rows the model has.
    virtual BatchResult learn(num::ThreadPool& pool, std::span<const Example* const> batch,
                              const Regularization& regularization, std::uint64_t seed) = 0;
    /// Result without regularization and gradients: how well it does on sentences that it does not
    /// learn from.
    virtual BatchResult evaluate_batch(num::ThreadPool& pool,
                                       std::span<const Example* const> batch) = 0;
    /// Has to be called when somebody changed the parameters.
    virtual void parameters_changed(num::ThreadPool& pool) = 0;
    /// A copy of the present state that stays as it is, and runs.
    virtual std::shared_ptr<const models::Model> model(num::ThreadPool& pool) const = 0;
};

} // namespace heed::train
