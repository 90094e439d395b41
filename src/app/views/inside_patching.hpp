// The card of the room Inside on what comes back of an answer in another sentence's run.
#pragma once

#include "app/engine/inside_picture.hpp"
#include "figure/views/inside_room.hpp"

namespace heed::app {

/// Requires snapshot.inside without an error.
void add_patching(const Snapshot& snapshot, figure::InsideRoomData& data);

} // namespace heed::app
