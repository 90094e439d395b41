// A run once more, with some of its activations replaced.
#pragma once

#include "inside/attribution.hpp"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace heed::inside {

/// `run` with `replaced` in place of its own, its words given: layers before the first replacement
/// are shared. Errors: those of models::run.
base::Result<std::shared_ptr<const models::Run>>
replayed(const std::shared_ptr<const models::Run>& run, std::vector<models::Replacement> replaced,
         num::ThreadPool& pool, const std::stop_token& stop);

/// What this part made in a run: tokens × its width. Of a head its context, of a feed-forward
/// network its output. Requires one of the two.
Matrix<float> activation_of(const models::Run& run, const PartId& part);
/// In place of the part's, from the first token on.
models::Replacement in_place_of(const PartId& part, Matrix<float> values);

/// Heads and feed-forward networks of every stack, layer after layer as they are computed. A
/// feed-forward network of the decoder has decoder_self as its module.
std::vector<PartId> parts_of(const models::Run& run);

/// Answers of several replays, whose rows are read together. Told as soon as a batch is full.
class AnswerBatch {
  public:
    using Told = std::function<void(std::size_t first, const std::vector<Answer>&)>;
    AnswerBatch(const Readout& readout, const Question& question, num::ThreadPool& pool, Told told);
    void add(const models::Run& run);
    void flush();

  private:
    const Readout& readout_;
    const Question& question_;
    num::ThreadPool& pool_;
    Told told_;
    std::vector<Matrix<float>> rows_;
    std::size_t first_ = 0;
};

} // namespace heed::inside
