// Strokes of the pressed mouse over the map's cells: they paint the mask, or drag a weight.
#pragma once

#include "ui/frame/panel.hpp"

#include <optional>
#include <utility>

namespace heed::ui {

/// A stroke of the pressed mouse over cells of the map, until it is let go.
struct Stroke {
    enum class Kind { none, paint, weight } kind = Kind::none;
    bool pressed = false;
    std::pair<int, int> cell; // painted last, or whose weight is dragged
    bool forbids = true;      // paint: or it allows
    bool moved = false;       // weight
    float from_weight = 0, from_y = 0;
};

/// The brush, and Alt on a cell of the weights. True while the mouse is theirs.
bool stroke_on_map(Panel& panel, const figure::Figure& figure, const Box& box, const Press& press);
/// Sets a cell's weight of the focused head by hand, 0 to 1.
void set_weight(Panel& panel, std::pair<int, int> cell, float weight);
/// Resets weights to what is computed: a cell, a row without a key, the head without a query, too.
void reset_weights(Panel& panel, std::optional<int> query, std::optional<int> key);
void nudge_weight(Panel& panel, float by); // of the chosen cell

} // namespace heed::ui
