// Keys of the Learn room: its pages and cards are turned, and what was set on a page is taken back.
#include "ui/frame/chords.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"

#include <algorithm>
#include <utility>

namespace heed::ui {

namespace {

bool pressed(ActionId id) {
    return std::ranges::any_of(chords_of(id), [](const Chord& chord) {
        const bool held = chord.command == shim::command_down() &&
                          chord.shift == shim::shift_down() && chord.alt == shim::alt_down();
        return held && shim::key_pressed(chord.key, true);
    });
}

/// Takes back the last turn of a page's settings or, not `back`, makes it again, on its page.
void take_turn(LearnState& state, bool back) {
    auto &from = back ? state.turned : state.taken_back,
         &to = back ? state.taken_back : state.turned;
    if (from.empty()) return;
    const Turned turn = std::move(from.back());
    from.pop_back();
    if (state.page != turn.page) state.stage.offset = 0;
    state.page = turn.page; // nothing happens out of sight
    state.starts = false;
    state.turning.clear();
    to.push_back({turn.page, std::exchange(state.settings_now(), turn.settings)});
}

} // namespace

void page_keys(Panel& p) {
    LearnState& state = learn_state(p);
    if (!state.starts) state.marked.reset();
    const bool undoes = pressed(ActionId::undo), redoes = pressed(ActionId::redo);
    if ((undoes || redoes) && !p.ui.any_popup()) return take_turn(state, undoes);
    const bool at_rest = !p.ui.any_popup() && !p.ui.typing() && !p.ui.keyboard_visible();
    if (!at_rest || shim::command_down() || shim::alt_down()) return;
    if (state.marked && shim::key_pressed(shim::Key::enter, false)) {
        begin_lesson(p.state, *state.marked);
        return p.ui.wake_in(0);
    }
    if (shim::key_pressed(shim::Key::right, true)) turn_page(p, 1);
    if (shim::key_pressed(shim::Key::left, true)) turn_page(p, -1);
    if (!state.starts) return; // the cards are a list
    if (shim::key_pressed(shim::Key::down, true)) turn_page(p, 1);
    if (shim::key_pressed(shim::Key::up, true)) turn_page(p, -1);
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
