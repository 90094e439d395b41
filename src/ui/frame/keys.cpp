// Shortcuts of the window itself: keys that are pressed find their actions.
#include "ui/frame/actions.hpp"

#include <algorithm>

namespace heed::ui {

using shim::Key;

namespace {

#ifdef __APPLE__
constexpr const char* kCommand = "Cmd+";
#else
constexpr const char* kCommand = "Ctrl+";
#endif

const char* key_words(Key key) {
    switch (key) {
    case Key::left: return "\u2190";
    case Key::right: return "\u2192";
    case Key::space: return "Space";
    case Key::up: return "\u2191";
    case Key::down: return "\u2193";
    case Key::page_up: return "PgUp";
    case Key::page_down: return "PgDn";
    case Key::home: return "Home";
    case Key::end: return "End";
    case Key::escape: return "Esc";
    case Key::left_bracket: return "[";
    case Key::right_bracket: return "]";
    case Key::minus: return "\u2212";
    case Key::equal: return "=";
    case Key::c: return "C";
    case Key::e: return "E";
    case Key::k: return "K";
    case Key::m: return "M";
    case Key::o: return "O";
    case Key::p: return "P";
    case Key::q: return "Q";
    case Key::s: return "S";
    case Key::t: return "T";
    case Key::v: return "V";
    case Key::y: return "Y";
    case Key::z: return "Z";
    case Key::one: return "1";
    case Key::two: return "2";
    case Key::three: return "3";
    case Key::four: return "4";
    case Key::five: return "5";
    case Key::six: return "6";
    case Key::seven: return "7";
    case Key::eight: return "8";
    case Key::nine: return "9";
    case Key::zero: return "0";
    case Key::f11: return "F11";
    default: return "?";
    }
}

/// A slider that has the keyboard moves by arrows, and 0 resets it.
bool on_slider(const Ui& ui) {
    const auto& widgets = ui.widgets();
    const auto at = std::find_if(widgets.begin(), widgets.end(),
                                 [&](const Widget& w) { return w.id == ui.keyboard_at(); });
    return ui.keyboard_visible() && at != widgets.end() && at->kind == Widget::Kind::slider;
}

bool hears(const Ui& ui, Heard where) {
    switch (where) {
    case Heard::everywhere: return true;
    case Heard::in_window: return !ui.any_popup();
    case Heard::at_rest: return !ui.any_popup() && !ui.typing();
    case Heard::off_sliders: return !ui.any_popup() && !ui.typing() && !on_slider(ui);
    }
    return false;
}

/// In a room of its own Explore is out of sight: what would change it, or write it down, waits.
bool heard_beside_explore(const Action& action) {
    return action.in_training || action.group == ActionGroup::room ||
           action.group == ActionGroup::window || action.group == ActionGroup::colours;
}

/// How often it was pressed in this frame.
int presses(const Chord& chord, bool repeats) {
    if (chord.command != shim::command_down()) return 0;
    if (chord.character != 0) {
        const ImVector<ImWchar>& queue = ImGui::GetIO().InputQueueCharacters;
        return static_cast<int>(
            std::count(queue.begin(), queue.end(), static_cast<ImWchar>(chord.character)));
    }
    const bool exact = chord.shift == shim::shift_down() && chord.alt == shim::alt_down();
    return exact && shim::key_pressed(chord.key, repeats) ? 1 : 0;
}

} // namespace

std::string words_of(const Chord& chord) {
    std::string words;
    if (chord.command) words += kCommand;
    if (chord.shift) words += "Shift+";
    if (chord.alt) words += "Alt+";
    if (chord.character == '-') return words + "\u2212";
    if (chord.character != 0) return words + chord.character;
    return words + key_words(chord.key);
}

void window_keys(Panel& p) {
    for (const Action& action : actions()) {
        int times = 0;
        for (const Chord& chord : action.keys) times += presses(chord, action.repeats);
        if (times == 0 || !hears(p.ui, action.heard) || !action.can(p)) continue;
        if (!app::of_snapshot(p.state.view.view) && !heard_beside_explore(action)) continue;
        for (; times > 0; --times) action.run(p);
    }
}

} // namespace heed::ui
