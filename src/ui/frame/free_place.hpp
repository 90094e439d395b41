// What is drawn already in a part of the window, for what looks for a place that covers none of it.
#pragma once

#include "ui/widgets/widgets.hpp"

#include <vector>

namespace heed::ui {

/// Words, cells and controls alone, or the curves of pictures too.
enum class Taken { words, curves };

bool meet(const Box& a, const Box& b);
/// Boxes of everything within `around` that is read or pressed and was drawn since the frame began.
/// Of figures only where the canvas keeps what is drawn.
std::vector<Box> taken_in(const Ui& ui, const Box& around, Taken what);
/// True where a box lies within the other and meets none of these.
bool is_free(const Box& box, const Box& within, const std::vector<Box>& taken);

} // namespace heed::ui
