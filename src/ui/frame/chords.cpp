#include "ui/frame/chords.hpp"

#include "base/check.hpp"

#include <iterator>

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
    case Key::f1: return "F1";
    case Key::f11: return "F11";
    default: return "?";
    }
}

/// Keys in the order of the tabs: digits, and V as in vision, since 0 fits the map.
constexpr Key kTabKeys[] = {Key::one, Key::two,   Key::three, Key::four, Key::five,
                            Key::six, Key::seven, Key::eight, Key::nine, Key::v};
static_assert(std::size(kTabKeys) >= std::size(app::kExploreViews));

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

std::vector<Chord> chords_of(ActionId id) {
    switch (id) {
    case ActionId::heatmap: return {chord_of_tab(app::View::heatmap)};
    case ActionId::keep_head: return {key(Key::c)};
    case ActionId::mute: return {key(Key::m)};
    case ActionId::solo: return {key(Key::o)};
    case ActionId::raise_weight: return {alt(Key::up)};
    case ActionId::lower_weight: return {alt(Key::down)};
    case ActionId::pin: return {key(Key::p)};
    case ActionId::dark_theme: return {key(Key::t)};
    case ActionId::undo: return {ctrl(Key::z)};
    case ActionId::redo: return {ctrl_shift(Key::z), ctrl(Key::y)};
    case ActionId::keep_state: return {ctrl(Key::k)};
    case ActionId::export_picture: return {ctrl(Key::e)};
    case ActionId::copy_numbers: return {ctrl_shift(Key::c)};
    case ActionId::palette: return {ctrl_shift(Key::p)};
    case ActionId::present: return {key(Key::f11)};
    case ActionId::left_panel: return {ctrl(Key::left_bracket)};
    case ActionId::right_panel: return {ctrl(Key::right_bracket)};
    case ActionId::let_go: return {key(Key::escape)};
    case ActionId::open: return {ctrl(Key::o)};
    case ActionId::model: return {ctrl(Key::m)};
    case ActionId::other: break;
    }
    HEED_CHECK(false, "no keys for action {}", static_cast<int>(id));
    return {};
}

std::string keys_of(ActionId id) { return words_of(chords_of(id).front()); }

Chord chord_of_tab(app::View view) {
    return key(kTabKeys[static_cast<std::size_t>(app::info(view).tab - 1)]);
}

std::string key_of_tab(app::View view) { return words_of(chord_of_tab(view)); }

} // namespace heed::ui
