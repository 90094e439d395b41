// What the colours of a map mean: which palette, and what it spans.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void colours_section(Panel& panel, Form& form);
void colours_dialog(Panel& panel);

} // namespace heed::ui
