// Everything that a person changed on the model: a line each, ticked off and on, or taken away.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void changes_section(Panel& panel, Form& form);
void clear_changes(Panel& panel);

} // namespace heed::ui
