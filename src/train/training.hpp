// One model learning one lesson, a batch at a time.
#pragma once

#include "train/batches.hpp"
#include "train/learner.hpp"
#include "train/lesson.hpp"
#include "train/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heed::train {

/// What the last step was.
struct Progress {
    std::uint64_t step = 0; // counted from 1
    float rate = 0;
    BatchResult batch;
    GradientNorms norms; // before clipping
};

/// The same plan, lesson and team size give the same weights, whether it was interrupted or not.
class Training {
  public:
    /// Errors: those of check(plan).
    static base::Result<std::unique_ptr<Training>>
    begin(Plan plan, std::shared_ptr<const Lesson> lesson, num::Team& team);
    /// From what save() wrote; the lesson is made again. Errors: those of load_model and
    /// read_plan; mismatch where the file is no checkpoint, or not of this lesson's words.
    static base::Result<std::unique_ptr<Training>> resume(const std::string& path, num::Team& team);

    /// Errors: out_of_range where loss or gradients are no finite numbers any more; nothing was
    /// moved then.
    base::Result<Progress> step(num::Team& team);

    std::uint64_t steps_done() const { return optimizer_.state().steps; }
    bool finished() const { return steps_done() >= plan_.steps; }
    /// More or fewer steps in all than were planned.
    void set_steps(std::uint64_t steps) { plan_.steps = steps; }
    const Plan& plan() const { return plan_; }
    const std::shared_ptr<const Lesson>& lesson() const { return lesson_; }
    std::shared_ptr<const models::Model> model(num::Team& team) const {
        return learner_->model(team);
    }

    /// A checkpoint: a model file that also holds the plan and the optimiser. Errors: unwritable.
    base::Result<void> save(const std::string& path, num::Team& team) const;

  private:
    Training(Plan plan, std::shared_ptr<const Lesson> lesson, std::unique_ptr<Learner> learner,
             std::optional<Optimizer::State> state);

    Plan plan_;
    std::shared_ptr<const Lesson> lesson_;
    std::unique_ptr<Learner> learner_;
    Optimizer optimizer_;
    Batches batches_;
};

} // namespace heed::train
