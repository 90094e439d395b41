// The two sentences of the top bar: what is typed, and what the model says by itself.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// The field of the source or of the target. Behind a target the words stand that the model adds,
/// in grey; where none is typed, the model's answer.
void sentence_field(Panel& panel, const Box& box, bool is_source);

/// The source's share of the two fields' width. An answer that is longer cannot be scrolled: it
/// gets more, by steps, so that the fields do not move with every word.
float source_share(Panel& panel, float width);
/// True where what the model says is read whole, with the sentences this wide.
bool answer_fits(Panel& panel, float width);

} // namespace heed::ui
