// The views of the focused head: its map, its links, its stages.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/engine.hpp"
#include "figure/views/lines.hpp"
#include "figure/views/plots.hpp"
#include "files/tables.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

class Units; // app/engine/merging.hpp

/// A map's options as a state wants them: palette, range, scale, numbers, the part looked at.
figure::HeatmapOptions map_options(const figure::MapData& data, const ViewState& state);
/// The query and key that are pointed out, for the map, its links and the formula alike: none where
/// the focused head's map, whose sentence may have become shorter, does not have them.
std::optional<std::pair<int, int>> selected_cell(const Snapshot& snapshot, const ViewState& state);
/// The query that a picture of one of `queries` is of, from 0: the selected one, or the first that
/// is not hidden where none is, or a sentence has become shorter.
int query_shown(const ViewState& state, num::Index queries, const std::vector<int>& hidden = {});
/// The selected one of `keys`: nothing where it is hidden, or a sentence has become shorter.
std::optional<int> key_shown(const ViewState& state, num::Index keys,
                             const std::vector<int>& hidden = {});
/// The selected cell as a picture between these units counts it.
std::optional<std::pair<int, int>> shown_cell(const Snapshot& snapshot, const ViewState& state,
                                              const Units& units);
/// The row of the focused map that the selected cell is in, and the column where that is no
/// feature.
struct MapPlace {
    int row = 0;
    std::optional<int> col{};
};
std::optional<MapPlace> place_in_map(const Snapshot& snapshot, const ViewState& state);
/// The row or column of a picture of links that the pointer is at, if it is at one alone: its links
/// step forward.
struct Hovered {
    std::optional<int> query{}, key{};
    bool operator==(const Hovered&) const = default;
};

/// The cell of the focused map that differs most from the reference's; nothing where none does, or
/// their shapes differ.
std::optional<std::pair<int, int>> most_changed(const Snapshot& snapshot);
/// The reason why there is no difference that was asked for, in sentences, and what either side
/// reads, a line each; empty where there is one.
std::string lacks_difference(const Snapshot& snapshot, const ViewState& state);
/// Words for two maps beside each other that are the same, in a sentence; empty where they differ.
std::string same_maps_words(const Snapshot& snapshot, const ViewState& state);
/// True where the reference's map stands beside the present one: where that was chosen; and, in
/// tables, where they have no difference.
bool shows_beside(const Snapshot& snapshot, const ViewState& state);
/// Words for where two maps stand, the reference's and the present one.
struct MapSides {
    const char *reference, *now;
};
constexpr MapSides map_sides(bool stacked) {
    return stacked ? MapSides{"above", "below"} : MapSides{"left", "right"};
}
/// True where the view shows several heads as one map.
bool shows_combined(const Snapshot& snapshot, const ViewState& state);

/// Options for links: tokens that are pinned are rows and columns of the picture here, words where
/// it merges. Requires snapshot.run.
figure::LinksOptions links_options(const Snapshot& snapshot, const ViewState& state,
                                   const Hovered& hovered = {});

// Each requires snapshot.run.
/// The map, beside that of the reference or minus it where state.compare says so.
figure::Figure heatmap_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame);
figure::Figure links_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::Frame& frame, const Hovered& hovered = {});

// The same as numbers: of every stage the whole matrix that its thumbnail is of.
files::Tables heatmap_tables(const Snapshot& snapshot, const ViewState& state);
files::Tables links_tables(const Snapshot& snapshot, const ViewState& state);
files::Tables stages_tables(const Snapshot& snapshot, const ViewState& state);
/// The word of the step whose parts of a score, vᵀ tanh(W s + U h), the strip has; empty where it
/// has none.
std::string word_of_parts(const Snapshot& snapshot);
/// Word for one column of the map: "word", "token", "patch". Requires snapshot.run.
std::string key_unit(const Snapshot& snapshot);
/// The tokens that the rows of a stage, or of what lies around the stages, are of.
std::vector<text::Token> stage_rows(const Snapshot& snapshot, const StripItem& item);
/// Words for the rows of the stages: "tokens".
std::string rows_words(const Snapshot& snapshot);
/// Names the rows and, of a map, the columns of a stage's card.
void name_card(figure::StageThumbnail& card, const Snapshot& snapshot, const StripItem& item);
/// The query and the key, by their tokens, that the sentence above the stages is of.
std::optional<std::pair<num::Index, num::Index>> read_cell(const Snapshot& snapshot,
                                                           const ViewState& state);
/// Notes in which row and column of a stage's card they stand.
void choose_cell(figure::StageThumbnail& card, const Snapshot& snapshot, const StripItem& item,
                 const std::optional<std::pair<num::Index, num::Index>>& cell);

} // namespace heed::app
