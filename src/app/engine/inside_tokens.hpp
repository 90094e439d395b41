// Tokens in the room Inside: which ones the word stands on, account by account, and
// other weights of the head that is looked at.
#pragma once

#include "app/engine/inside_picture.hpp"

#include <optional>
#include <vector>

namespace heed::app {

/// True where the room's cards are those on tokens: they are asked for, and the model is not
/// recurrent, which has the parts whatever is asked.
bool tokens_shown(const Snapshot& snapshot);
/// Row whose weights are asked about: that of the head that is looked at, of the token at which the
/// word is said; of an encoder beside a decoder that of Needs::encoder_row. Nothing where the run
/// has no such head.
std::optional<OtherRow> asked_row(const Snapshot& snapshot);
/// Finding of that row; null where it is not measured.
const OtherRow* other_row_of(const Snapshot& snapshot);

/// The asked token, counted over source and target. Requires an account.
int asked_place(const InsidePicture& picture);
/// The tokens that accounts are told of, counted so: all but those that are hidden and not asked
/// about; empty before there is an account.
std::vector<int> account_places(const Snapshot& snapshot);

/// True while some of it is asked for and not measured: beside the parts of a word the first
/// account alone.
bool tokens_due(const Snapshot& snapshot);
/// One account more, or the row. Null when stopped. Requires tokens_due().
std::shared_ptr<const InsidePicture>
tokens_measured(const Snapshot& snapshot, num::ThreadPool& pool, const std::stop_token& stop);

} // namespace heed::app
