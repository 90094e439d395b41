// The baseline that the chosen map is compared with: the same state unaltered, or a pinned one.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void compare_section(Panel& panel, Form& form);

} // namespace heed::ui
