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

} // namespace heed::app
