// The tasks that each model learns.
#pragma once

#include "models/model/model.hpp"
#include "train/tasks/task.hpp"

namespace heed::train {

/// Errors: unsupported, with "model" as the subject, and which tasks it does learn.
base::Result<void> check_learns(const models::Config& config, Task task,
                                const TaskOptions& sentences = {});

/// The task that stands for a user's own file that this model learns from: one of sentences, or one
/// that ends in a label.
Task own_task(const models::Config& config);

} // namespace heed::train
