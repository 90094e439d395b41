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

/// What wheel, drag and double click do on the large map. True while the pointer moves the view, so
/// that it does nothing else.
bool look_around(Panel& panel, const figure::Figure& picture, const Box& box, const Press& press);
void look_closer(Panel& panel);
void look_wider(Panel& panel);
/// Which part of the map is seen, along its sides.
void draw_scroll_hints(Panel& panel, const figure::Figure& picture, const Box& box);

} // namespace heed::ui
