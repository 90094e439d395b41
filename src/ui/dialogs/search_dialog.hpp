// The search over commands: everything that the window can do, by its name.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// The search, while it is open.
struct CommandSearch {
    std::string query;
    int at = 0; // the line that Enter takes
    Scroll scroll;
};

void search_dialog(Panel& panel);

} // namespace heed::ui
