// Pointing at the pictures of the room Inside: what the pointer says, and what a click does.
#pragma once

#include "ui/frame/panel.hpp"

#include <functional>
#include <string>

namespace heed::ui {

struct Pointing;

bool point_at_inside(Panel& panel, const Pointing& pointing);
/// Asks something else of the run, as an act of its own that can be undone; `words` name it.
void ask(Panel& panel, const std::string& words,
         const std::function<void(app::InsideFocus&)>& edit);
/// Asks about the most probable word at a token.
void ask_at(Panel& panel, int token);

} // namespace heed::ui
