// Three quiet cues at the first start, where hands go. Each goes for ever when it is followed, or
// clicked away.
#pragma once

#include "ui/frame/panel.hpp"

#include <optional>

namespace heed::ui {

/// Draws those that are left near the widgets that they speak of, where they cover no words; where
/// nothing is free, an outline around the widget. None is under `over`, a panel that lies over the
/// picture. After everything but cards.
void show_cues(Panel& panel, const std::optional<Box>& over);
/// Drops the cue of a command that a person has done: it is not told any more.
void follow_cues(app::Cues& cues, const Panel& panel, const Command& command);

} // namespace heed::ui
