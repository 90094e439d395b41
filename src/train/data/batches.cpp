#include "train/data/batches.hpp"

#include "base/check.hpp"
#include "train/tasks/task_rng.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace heed::train {

namespace {

/// Sorting all examples would make the same batches in every epoch; within a pool of so many
/// batches lengths are alike enough.
constexpr std::size_t kPoolOfBatches = 50;

} // namespace

Batches::Batches(std::span<const Example> examples, std::size_t batch_size, std::uint64_t seed)
    : batch_size_(batch_size), seed_(seed), epoch_(std::numeric_limits<std::uint64_t>::max()) {
    HEED_CHECK(!examples.empty() && batch_size > 0, "batches of {} from {} examples", batch_size,
               examples.size());
    lengths_.reserve(examples.size());
    for (const Example& e : examples) lengths_.emplace_back(e.source.size(), e.target.size());
}

std::size_t Batches::per_epoch() const { return (lengths_.size() + batch_size_ - 1) / batch_size_; }

std::span<const std::size_t> Batches::at(std::uint64_t step) {
    if (step / per_epoch() != epoch_) arrange(step / per_epoch());
    const std::size_t begin = batches_[step % per_epoch()];
    return std::span(order_).subspan(begin, std::min(batch_size_, order_.size() - begin));
}

void Batches::arrange(std::uint64_t epoch) {
    epoch_ = epoch;
    TaskRng rng(seed_, "batches", epoch);
    order_.resize(lengths_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    rng.shuffle(order_);
    const auto pool = static_cast<std::ptrdiff_t>(kPoolOfBatches * batch_size_);
    for (auto begin = order_.begin(); begin != order_.end();) {
        const auto end = begin + std::min(pool, order_.end() - begin);
        std::stable_sort(
            begin, end, [this](std::size_t a, std::size_t b) { return lengths_[a] < lengths_[b]; });
        begin = end;
    }
    batches_.resize(per_epoch());
    for (std::size_t i = 0; i < batches_.size(); ++i) batches_[i] = i * batch_size_;
    rng.shuffle(batches_);
}

} // namespace heed::train
