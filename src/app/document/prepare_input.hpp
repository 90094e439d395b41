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
/// `words`: that the model knows by name; null where words find their rows by a hash.
PreparedInput prepare_input(const Document& document, const text::Vocabulary* words);

} // namespace heed::app
