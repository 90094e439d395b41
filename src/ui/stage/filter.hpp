// The four-way filter under the hand: clicks on strips, and what pointing at them says.
#pragma once

#include "app/engine/merging.hpp"
#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// Words for the place of a strip that is pointed at; empty outside of it.
std::string strip_words(const Panel& panel, const figure::Figure& picture, const figure::Hit& hit);
/// Covers what strips of a picture that is painted at `corner` have nothing to tell: handles of a
/// filter, which are seen where it is `near` the pointer. `seen`: how far they are, from frame to
/// frame; `ground`: what lies below the picture.
void fade_handles(Panel& panel, const figure::Figure& picture, Point corner, Color ground,
                  bool near, float& seen);
/// Chooses a query or key, as a picture counts them, alone or, with Shift, beside those chosen;
/// chosen alone already, it goes.
void choose_token(Panel& panel, const app::Units& units, bool of_keys, int cell);
/// Selects the largest weight of the filter, unless the selected cell is among its own.
void select_in_filter(Panel& panel);
/// True where the filter is of this query or key alone.
bool is_alone(const Panel& panel, const app::Units& units, bool of_keys, int cell);
/// Chooses what the strip's cell is of, alone or, with Shift, beside what is chosen.
void click_strip(Panel& panel, const figure::Hit& hit);
bool filters(const Panel& panel); // whether anything is chosen
/// True where Esc clears the filter: not of the layer that a switch has chosen.
bool strips_filter(const Panel& panel);
void clear_filter(Panel& panel);

} // namespace heed::ui
