// A model as its gradients are computed: one kind of network over a share of a batch, inside one
// thread. Templates on the scalar: float learns, double is held against central differences.
#pragma once

#include "nn/layers/cross_entropy.hpp"
#include "num/threads.hpp"
#include "train/nets/learner.hpp"
#include "train/tasks/example.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace heed::train {

using nn::CrossEntropy;

struct PassSettings {
    Regularization regularization;
    std::uint64_t seed = 1; // of what is dropped
    double factor = 1;      // of each judged word's loss in the gradients; 0: no gradients
};

/// Memory that one thread keeps from step to step, so that it is not asked for anew.
template <class S> class Pass {
  public:
    virtual ~Pass() = default;
    /// Loss of some examples, at least one, joined without padding; with a factor, gradients of
    /// factor · loss take the place of those before.
    virtual CrossEntropy run(std::span<const Example* const> examples,
                             const PassSettings& settings) = 0;
};

template <class S> class Net {
  public:
    virtual ~Net() = default;
    /// Numbers that it reads and learns, as ParameterLayout has them.
    virtual Index size() const = 0;
    /// Takes these numbers, which must stay: biases and tables are read where they lie.
    virtual void set(num::ThreadPool& pool, const S* values) = 0;
    /// Gradients go to `gradients`, which are zero at first. The net must outlive it.
    virtual std::unique_ptr<Pass<S>> pass(S* gradients) = 0;
    /// Count of words, or labels, of an example that are judged.
    virtual Index judged(const Example& example) const = 0;
};

/// Some examples for each of `threads`, nearly of equal length in all: the longest first, each to
/// whoever has least. The same for the same examples.
std::vector<std::vector<const Example*>> shares_of(std::span<const Example* const> batch,
                                                   Index threads);

} // namespace heed::train
