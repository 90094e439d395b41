// Heads by their scores: what the grid is coloured and filtered by, the scatter of two scores, and
// what a head does and is worth in words.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/base/frame.hpp"
#include "figure/views/plots.hpp"
#include "files/tables.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::app {

// Each requires snapshot.run, and is of the focused kind of attention.

/// Scores by the heads' places, layer · heads + head; nothing where a head has none, or not yet.
std::vector<std::optional<float>> head_values(const Snapshot& snapshot, inside::HeadScore score);
/// "0.93", "2.81 bits", "4.2 tokens".
std::string score_text(inside::HeadScore score, float value);

/// Colours the ground of heads by state.head_colour, and lets those below state.head_least stand
/// back.
void shade_heads(figure::HeadGrid& grid, const Snapshot& snapshot, const ViewState& state);
/// "Alignment: layer 2 · head 2 has the most, 0.94; layer 1 · head 3 the least, 0.60.": of the
/// score that heads are coloured by; empty where not every one has it, or all are alike.
std::string shades_told(const Snapshot& snapshot, const ViewState& state);
/// Heads that state.head_least leaves, of all that have the score.
struct HeadsLeft {
    std::size_t left = 0, all = 0;
    float least = 0; // the score from which on they are left
};
HeadsLeft heads_left(const Snapshot& snapshot, const ViewState& state);

/// True of a head of the focused kind, by its place, that is off.
bool is_silent(const Snapshot& snapshot, std::size_t place);

/// The ends of what the sentence above the heads speaks of: their effect, once it is measured of
/// all, without heads that are off; else their mean entropy. By the heads' places; nothing where
/// both ends are one.
struct HeadEnds {
    std::size_t least, most;
    float at_least, at_most;
    bool of_effect;
};
std::optional<HeadEnds> head_ends(const Snapshot& snapshot);

/// "This head looks at the previous word: 93.2 % of the attention. ", "This head is mixed: the largest
/// weight of a row is 0.43 on average. ": over all rows that are shown.
std::string head_doing(const Snapshot& snapshot);
/// "Without this head: “le chat mange”. ", of one that is off with it; where nothing
/// is said freely, of the next word or class. Empty where that is not measured.
std::string head_worth(const Snapshot& snapshot);

figure::Figure scatter_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame);
/// Every score of every head; the two that are drawn are the main table.
files::Tables scatter_tables(const Snapshot& snapshot, const ViewState& state);

} // namespace heed::app
