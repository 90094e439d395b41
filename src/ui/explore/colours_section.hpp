// The colours of a map: which palette, and what it spans.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void colours_section(Panel& panel, Form& form);
void colours_dialog(Panel& panel);

} // namespace heed::ui
