// Snapshots: states saved under a name; a click goes back to one.
#pragma once

#include "ui/frame/panel.hpp"

#include <cstddef>
#include <string>

namespace heed::ui {

class Form;

/// A kept state whose name is edited.
struct Renaming {
    std::size_t index = 0;
    std::string name;
    bool typed = false;
    // When the name was opened: once one of them is another, something else was done.
    std::size_t entry = 0; // of the history
    app::ViewState view{};
};

void kept_section(Panel& panel, Form& form);
/// Takes an edited name as it is once its field has the keys no more, be it out of sight, or
/// something else was done. Once a frame.
void close_name(Panel& panel);
void keep_state(Panel& panel); // the present one, under a proposed name
void return_to(Panel& panel, const app::Bookmark& kept);
bool is_here(const Panel& panel, const app::Bookmark& kept); // whether that is the present state

} // namespace heed::ui
