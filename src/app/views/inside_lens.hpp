// The card of the room Inside on the logit lens, as a picture and as words.
#pragma once

#include "app/engine/inside_picture.hpp"
#include "figure/views/inside_room.hpp"
#include "files/tables.hpp"

#include <string>
#include <vector>

namespace heed::app {

// Each requires snapshot.inside without an error.
/// The nearest tokens to the asked one.
void add_lens(const Snapshot& snapshot, figure::InsideRoomData& data);
/// All tokens, what is not measured yet as NaN without a word.
files::Table lens_table(const Snapshot& snapshot);
/// The layer from which on the asked word is said, or the parts of a recurrent readout that say it
/// alone; empty where none does.
std::string lens_reading(const Snapshot& snapshot);
/// The tokens of its columns, from 0: those that are hidden are left out, but for the asked one.
std::vector<int> lens_tokens(const Snapshot& snapshot);
/// The column of the asked one among them.
int lens_column(const Snapshot& snapshot);
/// "after “did”", where the next word is asked for; "at “[MASK]”"; "at word 1" of the first that a
/// recurrent model says.
std::string asked_where(const Snapshot& s);

} // namespace heed::app
