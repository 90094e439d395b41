// A run once more, with some of its activations replaced; one at a time, or many variants at once.
#pragma once

#include "inside/attribution.hpp"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace heed::inside {

template <class S> struct PassLayer; // pass_layers.hpp

/// `run` with `replaced` in place of its own, its words given: layers before the first replacement
/// are shared. Errors: those of models::run.
base::Result<std::shared_ptr<const models::Run>>
replayed(const std::shared_ptr<const models::Run>& run, std::vector<models::Replacement> replaced,
         num::ThreadPool& pool, const std::stop_token& stop);

/// Activation of a part in a run: tokens × its width. Of a head its context, of a feed-forward
/// network its output. Requires one of the two.
Matrix<float> activation_of(const models::Run& run, const PartId& part);
/// Replacement of the part's activation by `values`, from the first token on.
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

/// A part of a run with another activation: tokens × its width, of every token.
struct ReplacedPart {
    PartId part;
    Matrix<float> values;
};

/// Replays of many variants of a run at once: each layer's weights are read once for all of them,
/// and behind the last attention no row is computed but the one that answers.
class ReplayBatch {
  public:
    /// Requires check_passes(run) and check(question, run). Both have to stay.
    ReplayBatch(const models::Run& run, const Readout& readout, const Question& question);

    /// True of runs whose replays are made here: by layers that training knows, of one stack.
    static bool takes(const models::Run& run);

    /// The final states of the asked token, one row a variant, each with its part alone replaced;
    /// all of one layer. Variants are shared out among the threads. Stopped, they mean nothing. A
    /// row that is not finite is one whose numbers exceed float32.
    Matrix<float> asked_states(const std::vector<ReplacedPart>& variants, num::ThreadPool& pool,
                               const std::stop_token& stop) const;

  private:
    /// Output of the parts' layer: of every token, or of the last layer of the asked one.
    Matrix<float> behind(std::span<const ReplacedPart> variants) const;
    Matrix<float> from_layer(std::size_t first, Matrix<float> x, Index variants,
                             const std::stop_token& stop) const;

    const models::Run& run_;
    const Readout& readout_;
    const Index token_, tokens_;
    std::shared_ptr<const std::vector<PassLayer<float>>> layers_;
};

} // namespace heed::inside
