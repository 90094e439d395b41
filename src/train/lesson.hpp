// The sentences of a plan, and the words that a model needs for them.
#pragma once

#include "models/model.hpp"
#include "text/vocabulary.hpp"
#include "train/plan.hpp"

#include <memory>
#include <vector>

namespace heed::train {

/// Shared by all models that learn the same.
struct Lesson {
    text::Vocabulary vocabulary; // of both sides
    models::Schooling schooling;
    std::vector<Pair> pairs; // held out
    std::vector<Example> training, held_out;
};

/// Errors: unsupported for a task that ends in a label; out_of_range where the task has no
/// sentences of these lengths.
base::Result<std::shared_ptr<const Lesson>> prepare_lesson(Task task, const TaskOptions& options);

} // namespace heed::train
