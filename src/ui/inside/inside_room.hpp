// The room Inside: its pictures are a view's; at the right stands what is asked.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::app {
struct Following;
} // namespace heed::app

namespace heed::ui {

class Form;

/// Right side of the room: what may be said at the chosen token, which words are held against each
/// other, and the other sentence.
void inside_right(Panel& panel, const Box& box);
/// Part of it: norms of the stream behind each layer, and of what the layer wrote into it.
void norms_section(Panel& panel, Form& form, const app::InsidePicture& now);
/// Part of it: the text that follows, as it is now and without the head that is looked at.
void following_rows(Panel& panel, Form& form, const app::Following& following);
/// Part of it: which heads have most of each score.
void heads_section(Panel& panel, Form& form);
/// The card that chooses a text file to measure them over.
void corpus_dialog(Panel& panel);

} // namespace heed::ui
