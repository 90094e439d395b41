// A language model goes on with its text, token after token.
#pragma once

#include "app/engine/engine.hpp"
#include "num/threads.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace heed::app {

/// True where the model reads tokens, and says which comes next.
bool can_go_on(const Snapshot& snapshot);
/// Text that a token of the vocabulary adds to what was read: none where a character is not whole
/// yet; nothing where it ends the text. Requires can_go_on().
std::optional<std::string> written_behind(const models::Run& run, num::Index token);
/// The ids of what was read and of a token written behind it.
std::vector<int> ids_with(const models::Run& run, num::Index token);
/// The token that the document's sampling finds. Requires can_go_on().
num::Index found_next(const Snapshot& snapshot);

/// True where the model says of a masked token what it might be.
bool can_fill(const Snapshot& snapshot);
/// The source with a token masked, and with it all pieces of its word, each by a mask of its own
/// (Cui et al. 2021); nothing where it is, or has no place of its own in the text.
/// `token` counts from 0. Requires can_fill().
std::optional<std::string> masked_source(const Snapshot& snapshot, int token);
/// The source with a token of the vocabulary in place of a masked one. Requires can_fill().
std::optional<std::string> filled_source(const Snapshot& snapshot, int token, num::Index row);

// The text that follows with every head and without one: ablation on what a model says freely.

/// True where the focused head's is not known yet, of a model that says words freely or goes on
/// with its text.
bool following_due(const Snapshot& snapshot);
/// The picture with it. Null when stopped. Requires following_due().
std::shared_ptr<const InsidePicture>
following_measured(const Snapshot& snapshot, num::ThreadPool& pool, const std::stop_token& stop);
/// The texts of the focused head; null where they are not known.
const struct Following* following_of(const Snapshot& snapshot);

} // namespace heed::app
