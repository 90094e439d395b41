// The chosen head, and its place on the mixing desk: fader, mute, solo.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void head_section(Panel& panel, Form& form);
void toggle_mute(Panel& panel); // of the focused head
void toggle_solo(Panel& panel);

} // namespace heed::ui
