// The filter: parts of the inspector, and the switch of the strips.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void filter_section(Panel& panel, Form& form);
void faults_section(Panel& panel, Form& form);
void strips_row(Panel& panel, Form& form);

} // namespace heed::ui
