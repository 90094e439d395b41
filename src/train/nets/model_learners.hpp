// Learners of the kinds of models that there are.
#pragma once

#include "base/result.hpp"
#include "train/nets/learner.hpp"

#include <memory>

namespace heed::train {

/// Begins with the model's parameters. Its names are those of the model's file; what the
/// configuration leaves unread (scores of another kind, a table of positions that nobody adds) is
/// not among them and stays as it is.
std::unique_ptr<Learner> make_learner(num::ThreadPool& pool,
                                      std::shared_ptr<const models::Model> model);

} // namespace heed::train
