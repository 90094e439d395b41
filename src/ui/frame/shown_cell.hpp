// The cell that is chosen in a picture, whose rows and columns may be words merged of tokens.
#pragma once

#include "app/engine/merging.hpp"
#include "figure/base/viewport.hpp"
#include "ui/frame/panel.hpp"

#include <utility>

namespace heed::ui {

/// True where a picture's rows and columns are words, merged of tokens: the view's own or, `links`,
/// the links below a map.
bool between_words(const Panel& panel, bool links = false);
/// Chooses a cell that a picture shows: of a merged one its strongest tokens.
void choose_cell(Panel& panel, const app::Units& units, std::pair<int, int> cell);
/// Moves the view until the chosen cell is in it.
void look_at_cell(Panel& panel);
/// Shows a part of the map, which has so many rows and columns.
void show_part(Panel& panel, const figure::Viewport& part, num::Index rows, num::Index cols);

} // namespace heed::ui
