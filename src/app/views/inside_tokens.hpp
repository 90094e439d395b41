// The cards of the room Inside on tokens: which ones the word stands on, and other weights of a
// head that give the same answer. As pictures, numbers and words.
#pragma once

#include "app/engine/inside_picture.hpp"
#include "figure/views/inside_room.hpp"
#include "files/tables.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::app {

// Each requires snapshot.inside without an error.
void add_token_cards(const Snapshot& snapshot, figure::InsideRoomData& data);
files::Tables token_card_tables(const Snapshot& snapshot);
/// Attention × gradient of the tokens of a stack; empty where it is not measured or not to be had.
std::vector<float> gradient_shares(const Snapshot& snapshot, trace::AttentionKind stack);

/// The token that an account puts first, with its share of all: "“Mary” 41.3 %"; empty where it is
/// not measured.
std::string top_token_words(const Snapshot& snapshot, inside::TokenMethod method);
/// Words for what is under the pointer; empty where nothing is measured. `token` is counted over
/// source and target.
std::string token_share_words(const Snapshot& snapshot, int token, int line);
std::string weight_words(const Snapshot& snapshot, int key);
std::string below_words(const Snapshot& snapshot, int column);
/// The token of the source that is drawn as the word `token`; nothing where it is the target's.
std::optional<int> source_token(const Snapshot& snapshot, int token);

/// The tokens on which the accounts agree, and where they disagree most.
std::string accounts_verdict(const models::Run& run, const inside::TokenAccounts& accounts);

} // namespace heed::app
