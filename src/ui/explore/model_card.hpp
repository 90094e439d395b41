// The model that runs: its name in the top bar, and the card to choose another.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// The model's name, and the card behind it. `bar`: where it begins, as high as a button and as
/// wide as the window. Returns its place.
Box model_picker(Panel& p, const Box& bar);

} // namespace heed::ui
