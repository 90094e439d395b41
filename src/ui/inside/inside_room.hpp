// The room Inside: its pictures are a view's; at the right stands what is asked.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// What may be said at the chosen token, which words are held against each other, and the other
/// sentence.
void inside_right(Panel& panel, const Box& box);

} // namespace heed::ui
