// The cell that is chosen in a picture, whose rows and columns may be words merged of tokens, or
// leave tokens out.
#pragma once

#include "app/engine/merging.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/viewport.hpp"
#include "ui/frame/panel.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

/// The units that a picture's rows and columns are counted in, or null where these are tokens: the
/// view's own or, `links`, those of the links below a map.
const app::TokenWords* units_shown(const Panel& panel, bool links = false);
/// Names of keys, with their positions where their words are equal.
std::vector<std::string> names_of_keys(const app::Units& units, const std::vector<int>& keys);
std::string name_of_key(const app::Units& units, int key);     // nothing where there is no such key
std::string name_of_query(const app::Units& units, int query); // likewise
/// Chooses a cell that a picture shows: of a merged one its strongest tokens.
void choose_cell(Panel& panel, const app::Units& units, std::pair<int, int> cell);
/// Chooses of a row or, `of_key`, of a column the cell with the largest number that is not filtered
/// away; of a picture of features, whose rows are one token each, the token.
void choose_line(Panel& panel, const app::Units& units, int unit, bool of_key);
/// The place of the largest number of a row or, `of_key`, of a column; none where there is none.
std::optional<int> largest_of_line(const num::Matrix<float>& map, int unit, bool of_key,
                                   const std::function<bool(int)>& shown = {});
/// The row of the large map that the chosen cell is in, and its column where that is no feature.
std::optional<app::MapPlace> selected_in_map(const Panel& panel);
/// Moves the view until the chosen cell is in it.
void look_at_cell(Panel& panel);
/// Shows a part of the map, which has so many rows and columns.
void show_part(Panel& panel, const figure::Viewport& part, num::Index rows, num::Index cols);

} // namespace heed::ui
