// A transformer finds the tokens of a text by itself: one after another, or by a beam search.
#pragma once

#include "models/model/model.hpp"

#include <functional>

namespace heed::models {

/// Runs a model on what run.input holds, whose target is given; fills run.trace.
using RunGiven = std::function<base::Result<void>(Run& run, const RunOptions& options)>;

/// Fills run.trace with that of the text which is found (Decoding::Rule::greedy, beam): its target
/// is what the decoder reads for it, so what ends a text stands not in it. Hypotheses of a beam are
/// ranked as `generate` of the transformers library ranks them, ended ones apart from those that go
/// on. Requires speaks_freely(). Errors: those of `run_given`, cancelled.
base::Result<void> speak(Run& run, num::ThreadPool& pool, const RunOptions& options,
                         const RunGiven& run_given);

} // namespace heed::models
