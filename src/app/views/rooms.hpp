// The rooms beside Explore: positions and softmax, each a handful of pictures with a few numbers
// to turn.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/base/frame.hpp"
#include "files/tables.hpp"

namespace heed::app {

/// Each requires snapshot.run.
/// The positions that state.position_room names, or those of the focused head.
figure::Figure position_room_figure(const Snapshot& snapshot, const ViewState& state,
                                    const figure::Frame& frame);
/// The selected query's scores, times the room's factor; a sentence where the context is the mean or
/// the last state, which no softmax chooses.
figure::Figure softmax_room_figure(const Snapshot& snapshot, const ViewState& state,
                                   const figure::Frame& frame);
/// Reading of the room's pictures, in a sentence of measured numbers.
std::string position_room_reading(const Snapshot& snapshot, const ViewState& state);
std::string softmax_room_reading(const Snapshot& snapshot, const ViewState& state);
// The same as numbers; none of a model without positions, or without a softmax.
files::Tables position_room_tables(const Snapshot& snapshot, const ViewState& state);
files::Tables softmax_room_tables(const Snapshot& snapshot, const ViewState& state);

/// The positions that a head has, or that join the embedding before it. None where a control takes
/// a head's own away: the embedding may have some all the same.
nn::Positions positions_of(const models::Run& run, const trace::HeadId& head);
/// The positions of that room: of the kind that was chosen, or of the focused head.
nn::Positions positions_shown(const models::Run& run, const trace::HeadId& head,
                              const PositionRoomState& room);
/// Tokens that the model's table of learned positions has rows for; 0 where it has none.
num::Index learned_places(const models::Run& run);
/// The base of the waves that are shown: the chosen one, or the model's.
double base_shown(const models::Run& run, nn::Positions kind, const PositionRoomState& room);

} // namespace heed::app
