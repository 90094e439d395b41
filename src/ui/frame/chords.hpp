// Keys, and those of the actions that are told of elsewhere than in the list of keys.
#pragma once

#include "app/document/view_state.hpp"
#include "ui/paint/imgui_shim.hpp"

#include <string>
#include <vector>

namespace heed::ui {

/// One way to press something: a key with exactly these modifiers, or a character, whatever keys
/// type it (layouts differ in where "?" is).
struct Chord {
    shim::Key key = shim::Key::count; // count: the character
    char character = 0;
    bool command = false, shift = false, alt = false; // command: Ctrl, on a Mac Command
    bool primary = true;                              // false: a second way, which no list names
    bool operator==(const Chord&) const = default;
};
std::string words_of(const Chord& chord); // "Ctrl+Shift+P"

inline Chord key(shim::Key which) { return {.key = which}; }
inline Chord typed(char character) { return {.character = character}; }
inline Chord ctrl(shim::Key which) { return {.key = which, .command = true}; }
inline Chord ctrl_shift(shim::Key which) { return {.key = which, .command = true, .shift = true}; }
inline Chord alt(shim::Key which) { return {.key = which, .alt = true}; }
inline Chord alt_shift(shim::Key which) { return {.key = which, .shift = true, .alt = true}; }
inline Chord secondary(Chord chord) {
    chord.primary = false;
    return chord;
}

/// The actions whose keys are told elsewhere too.
enum class ActionId {
    other,
    heatmap,
    keep_head,
    mute,
    solo,
    raise_weight,
    lower_weight,
    pin,
    dark_theme,
    undo,
    redo,
    keep_state,
    export_picture,
    copy_numbers,
    palette,
    present,
    left_panel,
    right_panel,
    let_go,
    open,
    model
};
/// Requires an action with keys of its own: not `other`.
std::vector<Chord> chords_of(ActionId id);
/// The keys that an action is told by, the first of them: "Ctrl+E".
std::string keys_of(ActionId id);
Chord chord_of_tab(app::View view); // of Explore's views
std::string key_of_tab(app::View view);

} // namespace heed::ui
