// The card of the room Inside on what comes back of an answer in another sentence's run.
#pragma once

#include "app/engine/inside_picture.hpp"
#include "figure/views/inside_room.hpp"

namespace heed::app {

/// Requires snapshot.inside without an error.
void add_patching(const Snapshot& snapshot, figure::InsideRoomData& data);
/// True once it is known that the model says the asked word in both runs, and it is held against
/// none: then no answer can come back, only logit.
bool answers_alike(const InsidePicture& now);
/// Change of the asked word's logit by the other sentence, "−3.20": what shares are of.
std::string logit_change(const InsidePicture& now);
/// Places where an activation has to be put in for the answer to come back: "Put into the other
/// run, the stream brings the answer back at “t” up to layer 1, at “x” from layer 2 on." Empty
/// until it is measured, and where nothing can come back.
std::string patching_reading(const Snapshot& snapshot);
/// The other sentence by what differs: "… not read the old [book → mother]". Whole where nothing
/// does.
std::string other_words(const Snapshot& snapshot);
/// The token that a column of the stream's map is of: of a long sentence not every one has a
/// column.
int patched_token(const Snapshot& snapshot, int column);

} // namespace heed::app
