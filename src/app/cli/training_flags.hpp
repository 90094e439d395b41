// The flags that make a plan of a training.
#pragma once

#include "app/cli/command.hpp"
#include "train/loop/plan.hpp"

#include <vector>

namespace heed::app {

std::vector<Flag> training_flags();
/// "--min-length" and "--max-length", and what they are where they are not given: "3", "15".
std::vector<Flag> length_flags(const std::string& group, const std::string& shortest,
                               const std::string& longest);
/// Errors: usage and out_of_range, with the flag as the subject.
base::Result<void> read_lengths(const Given& given, train::TaskOptions& sentences);
/// Errors: usage and out_of_range, with the flag as the subject; those of train::check.
base::Result<train::Plan> read_plan(const Given& given);

} // namespace heed::app
