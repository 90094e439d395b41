// Everything that a person can do by a key or by its name, in one table: shortcuts, the list of
// keys and the search over commands all come from it.
#pragma once

#include "ui/frame/chords.hpp"
#include "ui/frame/panel.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::ui {

/// The scope in which keys are heard.
enum class ShortcutScope {
    everywhere, // above cards and in fields too
    in_window,  // in fields too, while no card is open
    at_rest,    // while no field is edited and no card is open
    off_sliders // at rest, and no slider has the keyboard: its own keys are the same ones
};

/// Groups in the order of the list of keys, in which whole ones fill three columns of about one
/// height.
enum class ActionGroup {
    view,
    room,
    attention,
    head,
    stage,
    map,
    compare,
    cell,
    colours,
    controls,
    model,
    changes,
    kept,
    file,
    recent,
    window,
    learn,
    word // of the field: what it means
};
std::string_view group_words(ActionGroup group);

struct Action {
    ActionId id = ActionId::other;
    ActionGroup group;
    std::string name; // unique in its group
    std::function<void(Panel&)> run;
    std::vector<Chord> keys{};
    ShortcutScope scope = ShortcutScope::at_rest;
    bool repeats = false;                       // while its key is held
    bool listed = true;                         // in the search
    bool in_training = false;                   // means something in the Train room, too
    std::string keywords{};                     // other words by which a person may search for it
    std::function<bool(const Panel&)> usable{}; // none: always
    std::function<bool(const Panel&)> on{};     // of what is chosen or switched: whether it holds
    std::string tip{};                          // what it does or means, in one sentence
    std::string leads_to{};                     // of a word: the place where it is seen
    std::function<std::string(const Panel&)> refusal{}; // where its key cannot act: why, and the
                                                        // way out; empty: that needs no words

    bool can(const Panel& panel) const { return !usable || usable(panel); }
    bool holds(const Panel& panel) const { return on && on(panel); }
};

/// Actions that the window can always do.
const std::vector<Action>& actions();
/// Actions by what there is now: kept states and recent files, by their names. They hold while the
/// panel's state is as it is.
std::vector<Action> named_actions(const Panel& panel);

} // namespace heed::ui
