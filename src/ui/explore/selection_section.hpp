// The chosen cell: its formula with live numbers, the products behind its score, its row as bars.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void selection_section(Panel& panel, Form& form);

} // namespace heed::ui
