// The outcome of every change: the next word's probabilities beside their former values.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void outcome_section(Panel& panel, Form& form);

} // namespace heed::ui
