// Scores of heads in the view Heads: colours, filter, scatter.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void scores_rows(Panel& panel, Form& form);

} // namespace heed::ui
