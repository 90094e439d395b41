// Batches: the sentences that each step of a training learns from.
#pragma once

#include "train/tasks/example.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heed::train {

/// An endless order of batches, a function of the examples' lengths, the batch size and the seed:
/// step s is the same whenever it is asked for, so that a resumed training goes on as an unbroken
/// one would. Sentences of like length come together; every epoch takes every example once, in
/// another order.
class Batches {
  public:
    /// `examples` are only looked at here. Requires at least one example and batch_size > 0.
    Batches(std::span<const Example> examples, std::size_t batch_size, std::uint64_t seed);

    /// Batches of an epoch; the last ones may be smaller.
    std::size_t per_epoch() const;
    /// The examples of a step, counted from 0, by their places. Valid until the next call.
    std::span<const std::size_t> at(std::uint64_t step);

  private:
    void arrange(std::uint64_t epoch);

    std::vector<std::pair<std::size_t, std::size_t>> lengths_; // source, target
    std::size_t batch_size_;
    std::uint64_t seed_;
    std::uint64_t epoch_;
    std::vector<std::size_t> order_;   // places of examples, batch by batch
    std::vector<std::size_t> batches_; // where batches start in order_, shuffled
};

} // namespace heed::train
