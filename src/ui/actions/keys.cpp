#include "ui/actions/keys.hpp"

#include "ui/actions/actions.hpp"
#include "ui/actions/context_menu.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

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

/// True where Escape, which leaves a field too, stops what goes on by itself.
bool stops(const Panel& p, const Action& action) {
    const bool goes_on = p.state.player.playing || p.work.reading().has_value();
    return action.id == ActionId::let_go && goes_on && !p.ui.any_popup();
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

bool is_bare_letter(const Chord& chord) {
    return chord.character == 0 && chord.key >= Key::a && chord.key <= Key::z && !chord.command &&
           !chord.alt;
}

/// Whoever types where no field has the keys is told what a letter did, and how it is taken back.
/// `from`: the first of its commands.
void tell_letter(Panel& p, const Action& action, const Chord& chord, std::size_t from) {
    const ChangeDocument* changed = nullptr;
    for (std::size_t i = from; i < p.commands.size(); ++i) {
        if (std::holds_alternative<Say>(p.commands[i])) return; // it says so itself
        const auto* change = std::get_if<ChangeDocument>(&p.commands[i]);
        if (change != nullptr) changed = change;
    }
    const std::string letter = words_of(chord);
    if (changed != nullptr) {
        p.commands.push_back(Say{{.text = fmt::format("{}: {}. {} takes it back", letter,
                                                      changed->words, keys_of(ActionId::undo)),
                                  .way = WayOut::undo}});
    } else if (action.id == ActionId::dark_theme) {
        p.commands.push_back(Say{{fmt::format("{}: {} theme. {} again takes it back", letter,
                                              action.holds(p) ? "dark" : "light", letter),
                                  false}});
    }
}

} // namespace

void window_keys(Panel& p) {
    play_on(p);
    keep_going_on(p);
    for (const Action& action : actions()) {
        int times = 0;
        const Chord* letter = nullptr;
        for (const Chord& chord : action.keys) {
            const bool answered = chord.key == Key::escape && p.ui.escape_taken();
            const bool given = chord.key == Key::space && p.ui.gives_space();
            const int pressed = answered ? 0 : given ? 1 : presses(chord, action.repeats);
            if (pressed > 0 && is_bare_letter(chord)) letter = &chord;
            times += pressed;
        }
        if (times == 0 || !action.can(p)) continue;
        // The card of models changes the model behind it, and says that Undo brings it back.
        const bool takes_back = action.id == ActionId::undo || action.id == ActionId::redo;
        const bool in_card = takes_back && p.ui.popup_open(CardId::model);
        if (!hears(p.ui, action.scope) && !stops(p, action) && !in_card) continue;
        if (!app::of_snapshot(p.state.view.view) && !heard_beside_explore(action)) continue;
        const std::size_t from = p.commands.size();
        for (; times > 0; --times) action.run(p);
        if (letter != nullptr) tell_letter(p, action, *letter, from);
    }
    context_menu(p);
}

} // namespace heed::ui
