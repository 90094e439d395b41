// Choices of what is looked at: a kind of attention, a head or several, a stage, a cell.
#include "app/views/head_views.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/shown_cell.hpp"

#include <algorithm>
#include <iterator>

namespace heed::ui {

using trace::AttentionKind;

void change_focus(Panel& p, const std::function<void(app::Focus&)>& edit) {
    app::Focus focus = p.focus();
    edit(focus);
    p.commands.push_back(ChangeFocus{focus});
}

namespace {

/// The token at this place of one side, in another: the same of one side, of two the one of the
/// same word.
std::optional<int> same_query(const trace::Trace& trace, AttentionKind from, AttentionKind to,
                              int query) {
    const auto& before = trace.queries(from);
    const auto& now = trace.queries(to);
    if (query < 0 || query >= std::ssize(before)) return std::nullopt;
    const bool encodes = from == AttentionKind::encoder_self;
    if (encodes == (to == AttentionKind::encoder_self))
        return query < std::ssize(now) ? std::optional(query) : std::nullopt;
    const std::string& word = before[static_cast<std::size_t>(query)].text;
    const auto at = std::ranges::find(now, word, &text::Token::text);
    return at == now.end() ? std::nullopt : std::optional(static_cast<int>(at - now.begin()));
}

/// The chosen word's cell in another kind of attention: where its row looks most.
std::optional<std::pair<int, int>> chosen_in(const Panel& p, AttentionKind kind) {
    const auto& run = p.snapshot().run;
    const auto& chosen = p.state.view.selected;
    if (!run || !chosen) return std::nullopt;
    const auto query = same_query(run->trace, p.focus().head.kind, kind, chosen->first);
    if (!query) return std::nullopt;
    trace::HeadId head = p.focus().head;
    head.kind = kind;
    auto map = run->trace.map(head);
    if (!map) map = run->trace.map({kind, 0, 0});
    if (!map || *query >= map->rows(trace::Stage::weights)) return std::nullopt;
    const num::Rect row{*query, 0, 1, map->cols(trace::Stage::weights)};
    if (row.cols == 0) return std::nullopt;
    num::Index key = 0;
    map->rectangle(trace::Stage::weights, row).row(0).maxCoeff(&key);
    return std::pair(*query, static_cast<int>(key));
}

} // namespace

void choose_kind(Panel& p, trace::AttentionKind kind) {
    const trace::AttentionKind left = p.focus().head.kind;
    if (kind == left) return;
    const auto kept = chosen_in(p, kind);
    change_focus(p, [&](app::Focus& f) { f.head.kind = kind; });
    SelectedByKind& known = p.state.choices.selected_by_kind;
    const app::Document& document = p.document();
    if (known.source != document.source || known.target != document.target) {
        known = {document.source, document.target, {}};
    }
    auto& selected = p.state.view.selected;
    known.cells.erase(left);
    if (selected) known.cells.emplace(left, *selected);
    const auto then = known.cells.find(kind);
    // The word stays that is looked at; what was chosen of it there then holds again.
    const bool again = then != known.cells.end() && (!kept || then->second.first == kept->first);
    selected = again ? std::optional(then->second) : kept;
    p.state.view.pinned_queries.clear();
    p.state.view.pinned_keys.clear();
}

void clear_head_filter(Panel& p, app::Focus& focus) {
    FilteredHeads& memory = p.state.choices.filtered_heads;
    if (!memory.on) return;
    focus.layers.clear();
    focus.heads.clear();
    if (memory.combined) focus.combine.reset();
    memory = {};
}

void go_to_head(Panel& p, const trace::HeadId& head) {
    if (head.kind != p.focus().head.kind) p.state.view.selected = chosen_in(p, head.kind);
    choose_head(p, head);
}

bool has_several_heads(const Panel& p) {
    const models::Traits traits = traits_now(p);
    return traits.n_heads * traits.layers(p.focus().head.kind) > 1;
}

void choose_combined(Panel& p, std::optional<trace::Combine> how) {
    change_focus(p, [&](app::Focus& f) {
        f.combine = how;
        if (how) f.stage = trace::Stage::weights;
    });
}

void choose_head(Panel& p, const trace::HeadId& head) {
    change_focus(p, [&](app::Focus& f) {
        clear_head_filter(p, f);
        f.combine.reset();
        f.head = head;
    });
}

void choose_combined_of_all_layers(Panel& p, bool all) {
    change_focus(p, [&](app::Focus& f) {
        f.layers.clear();
        if (!all) f.layers.push_back(f.head.layer);
    });
}

void move_head(Panel& p, int layers, int heads) {
    if (!p.snapshot().run) return;
    const auto& trace = p.snapshot().run->trace;
    const trace::HeadId& head = p.focus().head;
    const int n_layers = trace.n_layers(head.kind), n_heads = trace.n_heads(head.kind);
    if (n_layers == 0 || n_heads == 0) return;
    const int at =
        std::clamp((head.layer + layers) * n_heads + head.head + heads, 0, n_layers * n_heads - 1);
    change_focus(p, [&](app::Focus& f) {
        f.head.layer = at / n_heads;
        f.head.head = at % n_heads;
    });
}

void walk_heads(Panel& p, int rows, int heads) {
    const auto& s = p.snapshot();
    const trace::HeadId& head = p.focus().head;
    if (!s.run || head.kind != s.focus.head.kind) return;
    const int n_heads = s.run->trace.n_heads(head.kind);
    const auto order = app::heads_in_order(s, p.state.view.head_order);
    const auto now = std::find(order.begin(), order.end(), head.layer * n_heads + head.head);
    if (now == order.end()) return;
    const int in_row = p.state.picture.heads_in_row > 0 ? p.state.picture.heads_in_row : n_heads;
    const int at = std::clamp(static_cast<int>(now - order.begin()) + rows * in_row + heads, 0,
                              static_cast<int>(order.size()) - 1);
    const int place = order[static_cast<std::size_t>(at)];
    change_focus(p, [&](app::Focus& f) {
        f.head.layer = place / n_heads;
        f.head.head = place % n_heads;
    });
}

void move_stage(Panel& p, int by) {
    const auto* const now = std::find(std::begin(trace::kStagesAsMade),
                                      std::end(trace::kStagesAsMade), p.focus().stage);
    const auto last = static_cast<int>(std::size(trace::kStagesAsMade)) - 1;
    const int at = static_cast<int>(now - std::begin(trace::kStagesAsMade)) + by;
    choose_stage(p, trace::kStagesAsMade[std::clamp(at, 0, last)]);
}

void move_cell(Panel& p, int down, int right) {
    const auto& snapshot = p.snapshot();
    const auto map = snapshot.run ? snapshot.run->trace.map(snapshot.focus.head) : std::nullopt;
    if (!map && snapshot.run && is_stepwise(p)) { // its steps stand in one line
        const int to = step_now(p).value_or(-1) + down + right;
        go_to_step(p, std::clamp(to, 0, std::max(n_steps(p) - 1, 0)));
    }
    if (!map) return;
    // Where a picture counts tokens, those that are hidden are stepped over.
    const app::TokenWords* shown = units_shown(p);
    const app::Units units(snapshot, shown ? shown : app::token_units(snapshot));
    const auto last_query = static_cast<int>(units.queries().size()) - 1;
    const auto last_key = static_cast<int>(units.keys().size()) - 1;
    if (last_query < 0 || last_key < 0) return;
    const auto from = app::shown_cell(snapshot, p.state.view, units);
    if (shown_in(p) == app::Shows::map && !app::shows_pairs(snapshot) &&
        app::has_key_rows(snapshot.focus.stage)) {
        std::swap(down, right); // its rows are keys
    }
    choose_cell(p, units,
                from ? std::pair(std::clamp(from->first + down, 0, last_query),
                                 std::clamp(from->second + right, 0, last_key))
                     : std::pair(0, 0));
    look_at_cell(p);
}

} // namespace heed::ui
