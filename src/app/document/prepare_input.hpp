// From a document to the input of a run.
#pragma once

#include "app/document/document.hpp"
#include "models/model/model.hpp"

#include <cstddef>
#include <optional>

namespace heed::app {

struct PreparedInput {
    models::Input input;                                // at most models::kMaxTokens a side
    std::size_t source_dropped = 0, target_dropped = 0; // tokens past that
    std::optional<base::Error> failed{};                // a side that its tokeniser cannot read
};
/// As this model reads it; null: any whose words find their rows by a hash.
PreparedInput prepare_input(const Document& document, const models::Model* reader);

} // namespace heed::app
