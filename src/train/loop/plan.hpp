// Everything that a training is a function of.
#pragma once

#include "models/model/model.hpp"
#include "train/loop/optimizer.hpp"
#include "train/loop/schedule.hpp"
#include "train/nets/learner.hpp"
#include "train/tasks/task.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace heed::train {

struct Plan {
    Task task = Task::zh_en;
    TaskOptions sentences;
    models::Config model; // its seed is of the first weights; a transformer's vocabulary is set
    UpdateRule rule = Adam{};
    Schedule schedule;
    Regularization regularization;
    std::size_t batch_size = 32;
    double max_norm = 1;    // of the gradient; 0: never clipped
    std::uint64_t seed = 1; // of the batches' order and of what is dropped
    std::uint64_t steps = 3000;
    std::string vectors{}; // a file of word vectors that embeddings begin with; or none
    int patience = 0;      // of EarlyStop; 0: all steps are taken
    bool operator==(const Plan&) const = default;
};

/// A plan that learns this task well with this kind of model, in a minute or a few.
Plan usual_plan(Task task, const models::Config& model);
/// A rule of another kind takes the place of the plan's, and the rate becomes what is usual with it
/// where it was so before. One of the same kind changes nothing.
void choose_rule(Plan& plan, const UpdateRule& rule);
/// Models that are small enough to be watched while they learn, and to be shipped.
models::ModelSpec
small_transformer(models::Architecture architecture = models::Architecture::encoder_decoder);
models::RecurrentConfig small_recurrent();
models::ModelSpec small_classifier();

/// Errors: out_of_range, with the field as the subject; those of the model's own check.
base::Result<void> check(const Plan& plan);

/// All but the model, which is a file's own matter, under "training.…".
void write_plan(const Plan& plan, std::map<std::string, std::string>& metadata);
/// Errors: malformed, out_of_range, with the path as the subject.
base::Result<Plan> read_plan(const models::Config& model,
                             const std::map<std::string, std::string>& metadata,
                             const std::string& path);

} // namespace heed::train
