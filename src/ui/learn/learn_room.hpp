// The Learn room: lessons and pages at the left, the page in the middle, what is turned and what
// was measured at the right; and the card of a lesson that is followed, in whatever room.
#pragma once

#include "ui/frame/panel.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::ui {

/// The page in the middle. Before the other parts of the room.
void learn_stage(Panel& panel, const Box& box);
void learn_left(Panel& panel, const Box& box);
void learn_right(Panel& panel, const Box& box);
/// The card that exports a picture of the room, while it is open.
void learn_export_dialog(Panel& panel);
/// Turns to the next page or card, or the one before, in the order of the list.
void turn_page(Panel& panel, int by);
/// Answers the keys of the room.
void page_keys(Panel& panel);

/// Above the pictures of any room, while a lesson is followed: its card. Returns what is left of
/// the box.
Box lesson_card(Panel& panel, const Box& box);
/// After all panels: while the pointer rests where it began a card, nothing that took the place of
/// the list is pressed, for as long as a second click would come.
void hold_pointer(Panel& panel);
/// Draws where the lesson points to, over everything that is drawn.
void point_for_lesson(Panel& panel);
void begin_lesson(WindowState& window, std::size_t lesson);
/// Begins a lesson by its name; nothing where there is none.
void follow_lesson(WindowState& window, std::string_view name);
/// Begins the lesson of a file, or says what is wrong in it. False of a text that is none: it has
/// nothing to do.
bool take_lesson(WindowState& window, Notice& notice, const std::string& path);
void close_lesson(Panel& panel);
bool follows_lesson(const WindowState& state);

/// Goes to a page of the room: that of this name, where there is one.
void show_page(WindowState& window, std::string_view name);
/// True while something is computed that the window has to look after.
bool learn_is_busy(const WindowState& state);
/// One line a fact, as Shell::status() has them; empty before the room was entered.
std::string learn_status(const WindowState& state);
/// Waits until nothing is, for screenshots.
void wait_for_learning(WindowState& state);

} // namespace heed::ui
