// A language model goes on with its text, token after token.
#pragma once

#include "app/engine/engine.hpp"

#include <optional>
#include <string>

namespace heed::app {

/// Whether the model reads tokens, and says which comes next.
bool can_go_on(const Snapshot& snapshot);
/// What a token of the vocabulary adds to the text that was read; nothing where it ends it.
/// Requires can_go_on().
std::optional<std::string> written_behind(const models::Run& run, num::Index token);
/// The token that the document's sampling finds. Requires can_go_on().
num::Index found_next(const Snapshot& snapshot);

/// Whether the model says of a masked token what it might be.
bool can_fill(const Snapshot& snapshot);
/// The source with a token masked; nothing where it is, or has no place of its own in the text.
/// `token` counts from 0. Requires can_fill().
std::optional<std::string> masked_source(const Snapshot& snapshot, int token);
/// The source with a token of the vocabulary in place of a masked one. Requires can_fill().
std::optional<std::string> filled_source(const Snapshot& snapshot, int token, num::Index row);

} // namespace heed::app
