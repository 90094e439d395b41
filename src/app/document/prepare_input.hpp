// The input of a run, made of a document.
#pragma once

#include "app/document/document.hpp"
#include "models/model/model.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace heed::app {

struct PreparedInput {
    models::Input input;                                // at most models::kMaxTokens a side
    std::size_t source_dropped = 0, target_dropped = 0; // tokens past that
    std::optional<base::Error> failed{};                // a side that its tokeniser cannot read
};
/// The input as this model reads it; null: any whose words find their rows by a hash.
PreparedInput prepare_input(const Document& document, const models::Model* reader);

/// Another sentence in place of the one that the document's run read first (its source, or what a
/// decoder alone reads), with the words that the run said, so that the two can be held against each
/// other token by token. Errors: those of reading it.
base::Result<models::Input> prepare_other(const Document& document, const models::Run& run,
                                          const std::string& other);

} // namespace heed::app
