// The data of a map: its values with their words, titles, marks and faults, ready to be drawn.
#pragma once

#include "app/engine/engine.hpp"
#include "figure/base/map_data.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// The focused map, under a title of its layer, head, stage and direction and a subtitle of every
/// control that is not at its default. Requires snapshot.run.
figure::MapData map_data(const Snapshot& snapshot);
/// True where the map is of states, as that of a model without attention is. Requires snapshot.run.
bool shows_states(const Snapshot& snapshot);
/// True where a cell of the map is one query and one key, and no feature. Requires snapshot.run.
bool shows_pairs(const Snapshot& snapshot);
/// True where the map is of weights times what the focus asks for; not beside a reference's.
bool shows_multiplied(const Snapshot& snapshot);
std::string times_words(const Focus& focus);
/// " · ÷ √dₖ": a stage, behind the title of its head; weights are what a map is of.
std::string stage_words(const models::Run& run, const trace::HeadId& head,
                        trace::Stage stage); // "× ‖v‖"
/// The weights of the focused head, or of those that are combined, whatever stage is focused, as
/// links have them. Requires snapshot.run, and combined heads where these are asked for.
figure::MapData weights_data(const Snapshot& snapshot, bool combined = false);
/// Form in which weights are drawn: cells in rows and columns, or links between the words.
enum class Drawn { cells, links };
/// Meaning of these weights: "query (rows) attends to key (columns)", "query attends to key".
std::string weights_meaning(const Snapshot& snapshot, Drawn drawn);
/// A stage of the focused head as its own tokens have it, never merged, without those that are
/// hidden. Requires that head.
figure::MapData stage_data(const Snapshot& snapshot, trace::Stage stage);
/// The weights of a head that is kept beside others: "Encoder 5.3". Requires snapshot.run.
figure::MapData slot_data(const Snapshot& snapshot, const SlotPicture& slot);
/// The focus as the reference has it. Requires snapshot.reference with a run.
figure::MapData reference_data(const Snapshot& snapshot);
/// The present map minus the reference's; empty where their shapes differ. Requires both runs.
std::optional<figure::MapData> difference_data(const Snapshot& snapshot);
/// Places of the tokens that the model does not know.
std::vector<int> unknown_places(const std::vector<text::Token>& tokens);
/// The text of each token, and nothing for those that a trace does not name.
std::vector<std::string> token_words(const std::vector<text::Token>& tokens, num::Index count);
inline std::vector<std::string> token_words(const std::vector<text::Token>& tokens) {
    return token_words(tokens, std::ssize(tokens));
}

} // namespace heed::app
