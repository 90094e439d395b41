// The left panel of a recurrent model: the scores, what the decoder reads, how it finds its words,
// and its steps one by one.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

void decoding_section(Panel& panel, Form& form);
void step_section(Panel& panel, Form& form);
void speaker_panel(Panel& panel, Form& form);

} // namespace heed::ui
