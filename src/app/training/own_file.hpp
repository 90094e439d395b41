// A look into a user's own sentences before they are learned from.
#pragma once

#include "app/training/experiment_form.hpp"
#include "base/result.hpp"

#include <cstddef>

namespace heed::app {

/// The pairs of a file as an experiment would take them.
struct OwnFile {
    std::size_t training = 0, held_out = 0;
};

/// Reads the file and the word vectors of a form, as opening its experiment would. Errors: those of
/// reading them, and of a plan that cannot be.
base::Result<OwnFile> read_own_file(const ExperimentForm& form);

} // namespace heed::app
