// A language model goes on with its text, token after token.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Whether the model that is shown can go on with what is typed: it reads tokens, and says what
/// comes next.
bool can_go_on(const Panel& panel);
/// Writes a token of the vocabulary behind the text. The end of the text is said, and not written.
void go_on_with(Panel& panel, num::Index row);
/// With the likeliest token, and again when its picture is there, until it is stopped.
void toggle_going_on(Panel& panel);
/// Once a frame.
void keep_going_on(Panel& panel);

} // namespace heed::ui
