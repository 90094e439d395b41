// The four-way filter: chosen queries, keys, layers and heads, each of which decides what the
// strips of the others say.
#pragma once

#include "app/document/view_state.hpp"
#include "app/engine/strip_shares.hpp"
#include "figure/base/frame.hpp"
#include "figure/base/map_data.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::app {

/// Each layer's mean over the chosen heads, layers × 1; each head's over the chosen layers,
/// 1 × heads. Of no shares: ones, not tinted.
figure::Strip layer_strip(const Snapshot& snapshot, int layers, int heads);
figure::Strip head_strip(const Snapshot& snapshot, int layers, int heads);

/// ", max 0.65 of layers, 0.97 of heads": the numbers at which both strips are of full colour.
std::string strips_scale(const figure::Strip& layers, const figure::Strip& heads);

/// The layers and heads that the map is filtered to: none unless it is of several heads.
const std::vector<int>& chosen_layers(const Focus& focus);
const std::vector<int>& chosen_heads(const Focus& focus);

/// "queries “cat”, “sat”" and "key “mat”": what is chosen of either side. Layers and heads are
/// named by the title.
std::vector<std::string> filter_words(const ViewState& state, const Units& units);
/// " · filtered: query “cat” · key “mat”"; empty where there is nothing to say.
std::string filter_phrase(const std::vector<std::string>& words);
/// "layers 2, 4" and "head 1": what the map is filtered to, from 1.
std::vector<std::string> filter_words(const Focus& focus);

/// Leaves out what rows and columns are, which the words at the axes say too, where a map's
/// subtitle takes more than its two lines.
void fit_subtitle(std::string& subtitle, const figure::Frame& frame);

/// The token cell of the largest weight among the words that the filter chooses, unless the
/// selected one is among them; nothing where there is no filter, or no map of query × key.
std::optional<std::pair<int, int>> cell_of_filter(const Snapshot& snapshot, const ViewState& state);

/// The token cell that the window starts from, by which the first picture explains itself: one of
/// the strongest, of a filter's; without a map the first step. Nothing where the stage is not of
/// query × key.
std::optional<std::pair<int, int>> first_cell(const Snapshot& snapshot, const ViewState& state);

} // namespace heed::app
