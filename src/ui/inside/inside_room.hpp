// The room Inside: its pictures are a view's; at the right stands what is asked.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

class Form;

/// Right side of the room: what may be said at the chosen token, which words are held against each
/// other, and the other sentence.
void inside_right(Panel& panel, const Box& box);
/// Row of the entropy of what may be said, in bits.
void entropy_row(Panel& panel, Form& form, float bits);
/// Part of it: which heads have most of each score.
void heads_section(Panel& panel, Form& form);
/// The card that chooses a text file to measure them over.
void corpus_dialog(Panel& panel);

} // namespace heed::ui
