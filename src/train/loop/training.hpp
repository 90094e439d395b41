// One model learning one dataset, a batch at a time.
#pragma once

#include "train/data/batches.hpp"
#include "train/data/dataset.hpp"
#include "train/loop/early_stop.hpp"
#include "train/loop/plan.hpp"
#include "train/nets/learner.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heed::train {

/// Outcome of the last step.
struct Progress {
    std::uint64_t step = 0; // counted from 1
    float rate = 0;
    BatchResult batch;
    GradientNorms norms; // before clipping
};

/// A training. Plan, dataset and pool size decide the weights, be it interrupted or not.
class Training {
  public:
    /// The embedding takes the width of the plan's word vectors, and with it what a transformer or
    /// classifier has between its layers, whose heads become fewer where they do not divide it.
    /// Errors: those of check(plan) and of reading word vectors.
    static base::Result<std::unique_ptr<Training>>
    begin(Plan plan, std::shared_ptr<const Dataset> dataset, num::ThreadPool& pool);
    /// Resumes from what save() wrote; the dataset is made again, or is the given one, which has to
    /// be of the same task and sentences. Errors: those of load_model and read_plan; mismatch where
    /// the file is no checkpoint, or not of this dataset's words.
    static base::Result<std::unique_ptr<Training>>
    resume(const std::string& path, num::ThreadPool& pool,
           std::shared_ptr<const Dataset> dataset = nullptr);

    /// Errors: out_of_range where loss or gradients are no finite numbers any more; nothing was
    /// changed then.
    base::Result<Progress> step(num::ThreadPool& pool);

    std::uint64_t steps_done() const { return optimizer_.state().steps; }
    bool finished() const { return steps_done() >= plan_.steps || early_stop_.should_stop(); }
    /// Takes note of a held-out loss at the present step; whether it is the best so far. After
    /// plan().patience worse ones in a row the training is finished.
    bool observe(double held_out_loss) { return early_stop_.observe(steps_done(), held_out_loss); }
    const EarlyStop& early_stop() const { return early_stop_; }
    /// More or fewer steps in all than were planned.
    void set_steps(std::uint64_t steps) { plan_.steps = steps; }
    const Plan& plan() const { return plan_; }
    const std::shared_ptr<const Dataset>& dataset() const { return dataset_; }
    std::shared_ptr<const models::Model> model(num::ThreadPool& pool) const {
        return learner_->model(pool);
    }

    /// A checkpoint: a model file that also holds the plan and the optimiser, and a text that
    /// notes() gives back when it is resumed. Errors: unwritable.
    base::Result<void> save(const std::string& path, num::ThreadPool& pool,
                            const std::string& notes = {}) const;
    const std::string& notes() const { return notes_; }
    /// Threads that the steps before it was resumed were taken on; 0 where there are none. On
    /// another number of them sums are rounded otherwise, and weights are not the same to the last
    /// digit.
    int threads_before() const { return threads_before_; }
    /// Words whose embeddings were filled from a file.
    std::size_t words_filled() const { return words_filled_; }
    /// Lines of that file that were passed over.
    const BadLines& bad_vectors() const { return bad_vectors_; }

  private:
    Training(Plan plan, std::shared_ptr<const Dataset> dataset, std::unique_ptr<Learner> learner,
             std::optional<Optimizer::State> state);

    Plan plan_;
    std::shared_ptr<const Dataset> dataset_;
    std::unique_ptr<Learner> learner_;
    Optimizer optimizer_;
    Batches batches_;
    EarlyStop early_stop_;
    std::string notes_;
    int threads_before_ = 0;
    std::size_t words_filled_ = 0;
    BadLines bad_vectors_;
};

} // namespace heed::train
