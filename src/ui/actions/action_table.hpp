// The table of actions, written down part by part.
#pragma once

#include "ui/actions/actions.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/tips.hpp"

#include <string>
#include <utility>
#include <vector>

namespace heed::ui {

using ActionTable = std::vector<Action>;

void add_look_actions(ActionTable& table);  // what is looked at, and how
void add_model_actions(ActionTable& table); // what is computed
void add_word_actions(ActionTable& table);  // what words mean

inline bool has_run(const Panel& p) { return p.snapshot().run != nullptr; }
inline bool has_cell(const Panel& p) { return has_run(p) && p.selected().has_value(); }
/// True where a head can be seen to be muted: rooms beside Explore show none of recurrent models.
inline bool shows_heads(const Panel& p) {
    return has_run(p) && (app::in_explore(p.state.view.view) || !traits_now(p).is_stepwise());
}
inline bool on_heatmap(const Panel& p) { return shown_in(p) == app::Shows::map; }
/// True where a map can be looked at closer: the large one, or those of heads that are kept.
inline bool on_map(const Panel& p) {
    const bool slots = shown_in(p) == app::Shows::heads && !p.snapshot().slots.empty();
    return has_run(p) && (on_heatmap(p) || slots);
}

/// Words where nothing has run; of another reason these.
inline std::string unless_not_run(const Panel& p, std::string words) {
    return has_run(p) ? std::move(words) : kNotRunYet;
}

/// One choice among several: `now` reads what holds, `choose` sets it.
template <class E, class Now, class Choose>
Action choice(ActionGroup group, std::string name, E value, Now now, Choose choose) {
    return {.group = group,
            .name = std::move(name),
            .run = [=](Panel& p) { choose(p, value); },
            .on = [=](const Panel& p) { return now(p) == value; }};
}

} // namespace heed::ui
