// Words that the model has no row of its own for, and what a person is told about them.
#pragma once

#include "models/model/model.hpp"

#include <string>

namespace heed::app {

/// "“foo” and “bar” are not among the 312 words of this model; it reads ⟨other⟩ instead": the first
/// few of those that the run read. Empty where it knows them all.
std::string unknown_words_note(const models::Run& run);

} // namespace heed::app
