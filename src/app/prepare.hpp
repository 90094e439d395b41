// From a document to what a run takes: a model and its input.
#pragma once

#include "app/document.hpp"
#include "base/result.hpp"
#include "models/model.hpp"
#include "num/threads.hpp"

#include <cstddef>
#include <memory>

namespace heed::app {

/// Draws the model, or loads the file that the document names. Errors: those of draw_model
/// and load_model.
base::Result<std::shared_ptr<const models::Model>> prepare_model(const Document& document,
                                                                 num::Team& team);

/// What shape that model has; only a file is read for it. Errors: those of prepare_model.
base::Result<models::Config> config_of(const Document& document, num::Team& team);

struct PreparedInput {
    models::Input input;                                // at most models::kMaxTokens a side
    std::size_t source_dropped = 0, target_dropped = 0; // tokens past that
};
PreparedInput prepare_input(const Document& document);

} // namespace heed::app
