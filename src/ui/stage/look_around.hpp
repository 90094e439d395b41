// Looking around on the large map: the wheel zooms on the pointer, a drag moves, a double click and
// the key 0 show all of it again.
#pragma once

#include "figure/base/viewport.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

/// A drag that moves the view of the large map, while it lasts.
struct Looking {
    bool held = false;
    bool fitted = false; // by a double click, whose end is no click
    figure::Target target{};
    figure::Viewport from;
    Point began; // in the picture
};

/// Moves the view of the large map by wheel, drag and double click. True while the pointer does so,
/// and then does nothing else.
bool look_around(Panel& panel, const figure::Figure& picture, const Box& box, const Press& press);
/// Shows all of the map of a text that has other numbers of tokens.
void let_go_of_zoom(Panel& panel);
void look_closer(Panel& panel);
void look_wider(Panel& panel);
/// Marks the part of the map that is seen, along its sides.
void draw_scroll_hints(Panel& panel, const figure::Figure& picture, const Box& box);

} // namespace heed::ui
