#include "ui/actions/keys.hpp"

#include "ui/actions/actions.hpp"
#include "ui/actions/context_menu.hpp"
#include "ui/frame/continuation.hpp"
#include "ui/frame/player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heed::ui {

using shim::Key;

namespace {

/// A slider that has the keyboard moves by arrows, and 0 resets it.
bool on_slider(const Ui& ui) {
    const auto& widgets = ui.widgets();
    const auto at = std::find_if(widgets.begin(), widgets.end(),
                                 [&](const Widget& w) { return w.id == ui.keyboard_at(); });
    return ui.keyboard_acts() && at != widgets.end() && at->kind == Widget::Kind::slider;
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
    // The card of models says itself what it changes.
    return action.in_training || action.id == ActionId::model ||
           action.group == ActionGroup::room || action.group == ActionGroup::window ||
           action.group == ActionGroup::colours;
}

/// True of keys that such a room has for its own: they play a film, or turn a page.
bool is_of_room(const Panel& p, const Action& action) {
    const bool takes_back = action.id == ActionId::undo || action.id == ActionId::redo;
    const bool trains = p.state.view.view == app::View::train; // which takes a step at a period
    const bool steps = trains && std::ranges::count(action.keys, '.', &Chord::character) > 0;
    return !action.listed || action.scope == ShortcutScope::off_sliders ||
           (takes_back && p.state.view.view == app::View::learn) || steps;
}

/// Says why a key does nothing, and the way out. What went wrong stays to be read.
void tell_refusal(Panel& p, std::string words) {
    const bool wrong = p.work.notice.bad && !p.work.notice.text.empty();
    if (words.empty() || p.ui.typing() || wrong) return;
    p.commands.push_back(Say{{std::move(words), false}});
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

/// Keys whose letters are commands, on whatever layout they are.
constexpr std::pair<Key, char> kLetterKeys[] = {
    {Key::a, 'a'}, {Key::c, 'c'}, {Key::e, 'e'}, {Key::k, 'k'}, {Key::m, 'm'},
    {Key::o, 'o'}, {Key::p, 'p'}, {Key::q, 'q'}, {Key::s, 's'}, {Key::t, 't'},
    {Key::v, 'v'}, {Key::x, 'x'}, {Key::y, 'y'}, {Key::z, 'z'}};

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

/// The letters and other characters that were pressed in this frame, letters as they are written
/// small.
std::vector<unsigned> typed_now() {
    std::vector<unsigned> typed;
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
        if (c >= ' ') typed.push_back(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    for (const auto& [key, letter] : kLetterKeys) {
        if (typed.empty() && shim::key_pressed(key)) typed.push_back(static_cast<unsigned>(letter));
    }
    return typed;
}

/// Keys that nobody presses within a word.
constexpr Key kNoLetters[] = {Key::escape, Key::enter, Key::tab,     Key::left,     Key::right,
                              Key::up,     Key::down,  Key::page_up, Key::page_down};

bool is_letter(unsigned c) { return (c >= 'a' && c <= 'z') || c > 0x7f; }

/// True of what stands behind the first letter of a word: no sign of a command, as +.
bool goes_on_a_word(unsigned c) {
    return is_letter(c) ||
           std::string_view(" ',.?!").find(static_cast<char>(c)) != std::string_view::npos;
}

/// What the first letters of a word did is taken back.
void take_letters_back(Panel& p, const LooseLetters& first) {
    if (first.at < 0) return;
    if (p.work.pinned() != first.pinned) p.commands.push_back(PinFormer{first.pinned});
    for (std::size_t made = p.work.history().made(); made > first.made; --made)
        p.commands.push_back(Undo{});
    p.state.view = first.view;
}

/// True where somebody types a word beside the fields: what is pressed in this frame is meant for
/// none of the window's keys.
bool types_word(Panel& p) {
    LooseLetters& before = p.state.letters;
    const bool elsewhere = p.ui.typing() || p.ui.any_popup() || p.ui.awaits_field();
    const bool other_act =
        std::ranges::any_of(kNoLetters, [](Key key) { return shim::key_pressed(key); }) ||
        ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (elsewhere || other_act || shim::command_down() || shim::alt_down()) {
        before = {};
        return false;
    }
    const std::vector<unsigned> typed = typed_now();
    if (typed.empty()) return false;
    const double now = ImGui::GetTime();
    const double since = before.at < 0 ? 1e9 : now - before.at;
    if (!before.going_on(now)) before = {};
    const auto letters = std::ranges::count_if(typed, is_letter);
    const bool goes_on = before.word && since < LooseLetters::kPause;
    const bool at_once = since < LooseLetters::kAtOnce && goes_on_a_word(typed[0]);
    if (!goes_on && !at_once && letters < 2) {
        before = {};
        if (letters == 1) {
            before = {now, typed[0], false, p.work.history().made(), p.work.pinned(), p.state.view};
        }
        return false;
    }
    const auto is_last = [&](unsigned c) { return c == before.last; };
    if (!goes_on && at_once && std::ranges::all_of(typed, is_last)) { // a switch, there and back
        before.at = now;
        return false;
    }
    if (!goes_on) {
        take_letters_back(p, before);
        if (!p.work.notice.refusal) p.commands.push_back(Say{}); // not of each
        if (app::of_snapshot(p.state.view.view) && !p.state.layout.presenting)
            p.commands.push_back(Say{{"Click a sentence to type in it", false}});
        if (!app::of_snapshot(p.state.view.view)) // of quick keys, too, each of which is told alone
            tell_refusal(p, "There is no sentence to type here; letter keys act in Explore");
    }
    before.at = now;
    before.last = typed.back();
    before.word = true;
    return true;
}

/// True of keys that are pressed to write something.
bool is_written(const Chord& chord) {
    if (chord.command || chord.alt) return false;
    if (chord.character != 0) return true;
    const bool sign = chord.key == Key::space || chord.key == Key::left_bracket ||
                      chord.key == Key::right_bracket;
    return sign || (chord.key >= Key::a && chord.key <= Key::zero);
}

} // namespace

void window_keys(Panel& p) {
    play_on(p);
    keep_going_on(p);
    const bool word = types_word(p);
    for (const Action& action : actions()) {
        int times = 0;
        const Chord* letter = nullptr;
        for (const Chord& chord : action.keys) {
            const bool for_field = p.ui.typing() && chord.character != 0;
            const bool answered = (chord.key == Key::escape && p.ui.escape_taken()) ||
                                  (word && is_written(chord)) || for_field;
            const bool given = chord.key == Key::space && p.ui.gives_space();
            const int pressed = answered ? 0 : given ? 1 : presses(chord, action.repeats);
            if (pressed > 0 && is_bare_letter(chord)) letter = &chord;
            times += pressed;
        }
        if (times == 0) continue;
        // The card of models changes the model behind it, and says that Undo brings it back.
        const bool takes_back = action.id == ActionId::undo || action.id == ActionId::redo;
        if (takes_back && p.ui.field_takes_back()) continue;
        const bool in_card = takes_back && p.ui.popup_open(CardId::model);
        if (!hears(p.ui, action.scope) && !stops(p, action) && !in_card) continue;
        if (!app::of_snapshot(p.state.view.view) && !heard_beside_explore(action)) {
            if (!is_of_room(p, action))
                tell_refusal(p, fmt::format("\u201c{}\u201d is for Explore", action.name));
            continue;
        }
        if (!action.can(p)) {
            if (action.refusal) tell_refusal(p, action.refusal(p));
            continue;
        }
        const std::size_t from = p.commands.size();
        for (; times > 0; --times) action.run(p);
        if (letter != nullptr) tell_letter(p, action, *letter, from);
    }
    context_menu(p);
}

} // namespace heed::ui
