// Evaluation of a model on held-out sentences, measured on the runs that the window shows.
#pragma once

#include "models/model/model.hpp"
#include "train/data/dataset.hpp"
#include "train/loop/measures.hpp"

#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace heed::train {

/// One held-out sentence and what the model made of it.
struct Sample {
    std::size_t pair = 0;          // of the dataset's
    std::vector<std::string> said; // freely, word by word
    bool right = false;
};

struct Evaluation {
    Measures measures;
    std::vector<Sample> samples; // one of each sentence that was said freely
    /// The head whose strongest links agree best with gold: the alignment error is its. Nothing
    /// where there is no gold, or a context that does not attend.
    std::optional<trace::HeadId> aligned_by;
};

/// Evaluation in the model's own words, on the first `sentences` held-out pairs, or all where
/// there are fewer. With a decoder every sentence is run with its target, and those where a
/// word is not the most probable once more, freely: a greedy decoder says a target just when
/// each of its words is. What says all words at once, or a class, is run once. Behind the first
/// `spoken` sentences nothing is said freely, which is most of the work: whether a target is
/// said is known without. Sentences are shared among threads. Errors: those of a run;
/// unsupported for a model that says no words, or a classifier that has not the dataset's
/// classes; cancelled.
base::Result<Evaluation> evaluate(num::ThreadPool& pool, std::shared_ptr<const models::Model> model,
                                  const Dataset& dataset, std::size_t sentences,
                                  const std::stop_token& stop = {},
                                  std::size_t spoken = std::numeric_limits<std::size_t>::max());

/// A sentence with its target, run as the window would.
base::Result<std::shared_ptr<const models::Run>>
run_pair(num::ThreadPool& pool, std::shared_ptr<const models::Model> model, const Pair& pair);

} // namespace heed::train
