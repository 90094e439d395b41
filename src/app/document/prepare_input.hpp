// From a document to the input of a run.
#pragma once

#include "app/document/document.hpp"
#include "models/model/model.hpp"

#include <cstddef>

namespace heed::app {

struct PreparedInput {
    models::Input input;                                // at most models::kMaxTokens a side
    std::size_t source_dropped = 0, target_dropped = 0; // tokens past that
};
PreparedInput prepare_input(const Document& document);

} // namespace heed::app
