// The cell of a head that decides a word: set to 1, it changes what the model says. Measured, run
// by run, as the lesson on queries, keys and values asks for one.
#pragma once

#include "app/engine/engine.hpp"

#include <optional>
#include <stop_token>
#include <string>

namespace heed::app {

struct TellingCell {
    num::Index query = 0, key = 0;
    std::string row, column; // the words there, as the map names them
    std::string says;        // the model, when this row has all its weight there
    int row_number = 0,
        column_number = 0; // of several that are named alike, from 1; 0: it is alone
    bool operator==(const TellingCell&) const = default;
};

/// True where it can be looked for: a small trained model that says words, and a head without
/// edits.
bool can_tell(const Snapshot& snapshot);
/// The first row of the focused head that changes what is said when all its weight is on the key
/// that it looks at least. Nothing where none does, or when stopped. One run a row: not on the
/// window's thread. Requires can_tell().
std::optional<TellingCell> telling_cell(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace heed::app
