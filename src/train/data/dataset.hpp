// The sentences of a plan, and the words that a model needs for them.
#pragma once

#include "models/model/model.hpp"
#include "text/vocabulary.hpp"
#include "train/data/data_file.hpp"
#include "train/tasks/task.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heed::train {

/// The part of a user's file that is not learned from.
struct LeftOut {
    BadLines bad;
    std::size_t by_length = 0; // pairs that are too short or too long
    std::size_t repeated = 0;  // held-out pairs whose source came before
    bool cut = false;          // what lies behind the last line that is read
};

/// Shared by all models that learn the same.
struct Dataset {
    text::Vocabulary vocabulary; // of both sides
    models::Provenance provenance;
    std::vector<Pair> pairs; // held out
    std::vector<Example> training, held_out;
    LeftOut left_out{};
    std::vector<std::string> classes{}; // of what ends in a label; else empty
};

/// The task's sentences, or those of a user's file, which has labels where the task ends in one:
/// what is held out of it by is_held_out() occurs nowhere in training. A label's name is also the
/// target of its sentence, for models that say words. Errors: out_of_range where there are no
/// sentences of these lengths; those of reading a file; cancelled when that is stopped.
base::Result<std::shared_ptr<const Dataset>> prepare_dataset(Task task, const TaskOptions& options,
                                                             const std::stop_token& stop = {});

} // namespace heed::train
