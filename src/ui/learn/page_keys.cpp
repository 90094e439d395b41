// Keys of the Learn room: its pages and cards are turned.
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"

#include <algorithm>

namespace heed::ui {

void page_keys(Panel& p) {
    LearnState& state = learn_state(p);
    if (!state.starts) state.marked.reset();
    const bool at_rest = !p.ui.any_popup() && !p.ui.typing() && !p.ui.keyboard_visible();
    if (!at_rest || shim::command_down() || shim::alt_down()) return;
    if (state.marked && shim::key_pressed(shim::Key::enter, false)) {
        begin_lesson(p.state, *state.marked);
        return p.ui.wake_in(0);
    }
    if (shim::key_pressed(shim::Key::right, true)) turn_page(p, 1);
    if (shim::key_pressed(shim::Key::left, true)) turn_page(p, -1);
}

void turn_page(Panel& p, int by) {
    LearnState& state = learn_state(p);
    const auto last = std::ssize(lab::pages()) - 1, cards = std::ssize(state.lessons);
    if (state.starts) {
        const auto card = state.marked ? static_cast<std::ptrdiff_t>(*state.marked) + by
                          : by > 0     ? 0
                                       : -1;
        if (card >= cards) return show_page(p.state, lab::pages().front().name);
        state.marked.reset();
        if (card >= 0) state.marked = static_cast<std::size_t>(card);
        state.moved = true;
        return;
    }
    if (by < 0 && state.page == 0) { // as the list has them: the cards, then the pages
        state.starts = true;
        if (cards > 0) state.marked = state.lessons.size() - 1;
        state.moved = true;
        return;
    }
    const auto at =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(state.page) + by, 0, last);
    state.page = static_cast<std::size_t>(at);
    state.stage.offset = 0;
}

} // namespace heed::ui
