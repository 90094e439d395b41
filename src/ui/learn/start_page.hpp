// The page of cards that the Learn room opens with for somebody who has never been there.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

inline constexpr const char* kStartWords =
    "Each card says a few sentences and asks for one thing to do in the live window. Heed sees "
    "when it is done and says what came of it. What you changed for a card is put back when you "
    "leave it.";

/// The list of cards, in the place of a page; returns the y below it.
float start_page(Panel& panel, const Box& box);
/// The meaning of the marks in that list, in the place of what a page measures.
void start_signs(Panel& panel, const Box& box);

} // namespace heed::ui
