// What lies upon the map while a card asks for a guess that the map would tell.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Hides the map's rows but the chosen one, and the links below it, where the card that is followed
/// says so and its guess is not made. After the map was drawn.
void veil_answer(Panel& panel);

} // namespace heed::ui
