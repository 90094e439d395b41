#include "ui/actions/keys.hpp"

#include "ui/actions/actions.hpp"

#include <algorithm>

namespace heed::ui {

using shim::Key;

namespace {

/// A slider that has the keyboard moves by arrows, and 0 resets it.
bool on_slider(const Ui& ui) {
    const auto& widgets = ui.widgets();
    const auto at = std::find_if(widgets.begin(), widgets.end(),
                                 [&](const Widget& w) { return w.id == ui.keyboard_at(); });
    return ui.keyboard_visible() && at != widgets.end() && at->kind == Widget::Kind::slider;
}

bool hears(const Ui& ui, ShortcutScope where) {
    switch (where) {
    case ShortcutScope::everywhere: return true;
    case ShortcutScope::in_window: return !ui.any_popup();
    case ShortcutScope::at_rest: return !ui.any_popup() && !ui.typing();
    case ShortcutScope::off_sliders: return !ui.any_popup() && !ui.typing() && !on_slider(ui);
    }
    return false;
}

/// True of keys heard beside Explore, which is out of sight: what would change or save it waits.
bool heard_beside_explore(const Action& action) {
    return action.in_training || action.group == ActionGroup::room ||
           action.group == ActionGroup::window || action.group == ActionGroup::colours;
}

/// Count of presses in this frame.
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

void window_keys(Panel& p) {
    for (const Action& action : actions()) {
        int times = 0;
        for (const Chord& chord : action.keys) {
            const bool answered = chord.key == Key::escape && p.ui.escape_taken();
            if (!answered) times += presses(chord, action.repeats);
        }
        if (times == 0 || !hears(p.ui, action.scope) || !action.can(p)) continue;
        if (!app::of_snapshot(p.state.view.view) && !heard_beside_explore(action)) continue;
        for (; times > 0; --times) action.run(p);
    }
}

} // namespace heed::ui
