// The words of a notice, and its link: the way out that they tell, one click away.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>
#include <string_view>

namespace heed::ui {

/// Points that the notice's link takes behind words of one line; 0 where it has none.
float link_width(const Panel& panel);
/// Points that it takes below words of several lines.
float link_height(const Panel& panel);
/// Draws it at the end of the notice's box, and does what is clicked. What it leaves of the box.
Box draw_link(Panel& panel, const Box& notice, bool one_line);

/// Words without the folders of their one path: "Saved …/map.png"; others as they are.
std::string without_folders(const std::string& words);
/// Height of words line after line, each broken where it is too long; drawn or not.
float notice_lines(Canvas& canvas, const Box& at, Color ink, std::string_view words, bool draw);

} // namespace heed::ui
