// The chosen cell, as models and texts change under it.
#include "app/engine/merging.hpp"
#include "app/views/filter.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/view_figure.hpp"
#include "ui/window/shell.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace heed::ui {

namespace {

/// The words of a cell, with the one that is read next: its row may say that.
std::vector<std::string> words_of(const models::Run& run, const trace::HeadId& head,
                                  std::pair<int, int> cell) {
    const auto& queries =
        head.kind == trace::AttentionKind::encoder_self ? run.trace.source : run.trace.target;
    return {token_text(queries, cell.first), token_text(queries, cell.first + 1),
            token_text(run.trace.keys(head.kind), cell.second)};
}

} // namespace

namespace {

/// In another model the chosen word stays chosen where it is read, at a key that it may look at.
void keep_word(const app::Snapshot& now, const models::Run& before, trace::AttentionKind kind,
               std::optional<std::pair<int, int>>& chosen) {
    const std::string word = token_text(before.trace.queries(kind), chosen->first);
    const auto& queries = now.run->trace.queries(now.focus.head.kind);
    if (token_text(queries, chosen->first) != word) {
        const auto at = std::ranges::find(queries, word, &text::Token::text);
        if (at == queries.end()) return chosen.reset();
        chosen->first = static_cast<int>(at - queries.begin());
    }
    const auto map = now.run->trace.map(now.focus.head);
    if (!map || map->head().stored || chosen->first >= map->rows(trace::Stage::weights)) return;
    const bool there = chosen->second < map->cols(trace::Stage::weights);
    if (there && map->cell(chosen->first, chosen->second).allowed) return;
    chosen->second = app::strongest_key(now, chosen->first);
}

/// The word of a row: what its step says, in the decoder's own attention what it reads.
std::string word_of_row(const models::Run& run, trace::AttentionKind kind, int row) {
    const bool says_next =
        kind == trace::AttentionKind::cross && !run.model->traits().is_stepwise();
    return token_text(run.trace.queries(kind), row + (says_next ? 1 : 0));
}

} // namespace

void Shell::remember_word() {
    const app::Snapshot& now = work.snapshot();
    const auto& chosen = state.view.selected;
    const trace::AttentionKind kind = now.focus.head.kind;
    if (!chosen || !now.run) return chosen_word_.reset();
    if (chosen_word_ && chosen_word_->kind == kind && chosen_word_->now == chosen) return;
    chosen_word_ = {kind, word_of_row(*now.run, kind, chosen->first), *chosen, *chosen};
}

/// A control, or its undo, may move what the model says: the row goes with its word, to the one
/// nearest to where it was chosen; where there is none the place stays.
void Shell::follow_word(const models::Run& run) {
    auto& chosen = state.view.selected;
    const trace::AttentionKind kind = work.snapshot().focus.head.kind;
    if (kind == trace::AttentionKind::encoder_self || !chosen_word_) return;
    ChosenWord& of = *chosen_word_;
    if (of.kind != kind || of.now != chosen) return;
    const auto rows = static_cast<int>(run.trace.queries(kind).size());
    int row = of.cell.first, away = rows;
    for (int i = 0; i < rows; ++i) {
        const int steps = std::abs(i - of.cell.first);
        if (steps < away && word_of_row(run, kind, i) == of.word)
            std::tie(row, away) = std::pair(i, steps);
    }
    const bool keys_stay = kind == trace::AttentionKind::cross || row == of.cell.first;
    const std::pair to{row, keys_stay ? of.cell.second : app::strongest_key(work.snapshot(), row)};
    if (pins_before_ && pins_before_->left.selected == chosen) pins_before_->left.selected = to;
    of.now = to;
    chosen = selected_before_ = to;
}

/// Another model may have nothing for the view; one that comes with its model waits for it.
void Shell::fit_view() {
    const auto& run = work.snapshot().run;
    if (!run) return;
    app::View& view = state.view.view;
    if (view_to_come_ && view != view_to_come_->meanwhile) view_to_come_.reset(); // chosen since
    if (view_to_come_ && work.up_to_date())
        view = std::exchange(view_to_come_, std::nullopt)->wanted;
    const app::View fit = app::fitting(view, run->model->config());
    if (fit != view && !work.up_to_date()) view_to_come_ = {view, fit};
    view = fit;
}

/// A cell that is of other words than it was when it was chosen: its row goes to where it looks.
void Shell::follow_selection() {
    const app::Snapshot& now = work.snapshot();
    auto& chosen = state.view.selected;
    const auto former = std::exchange(selected_before_, chosen);
    if (former != chosen) state.view.beam_sight.reset();
    const bool to_come = !selected_in_ && !work.up_to_date(); // the run that it was put for
    if (!now.run || now.error || selected_in_ == now.run || to_come) {
        selected_kind_ = now.focus.head.kind;
        return;
    }
    const auto before = std::exchange(selected_in_, now.run);
    const trace::AttentionKind kind = std::exchange(selected_kind_, now.focus.head.kind);
    if (before && before->model != now.run->model && former && chosen == former)
        keep_word(now, *before, kind, chosen);
    const auto of = std::exchange(selected_of_, now.document);
    const bool same = of && app::same_text(*of, now.document);
    if (same && before && before->model == now.run->model && chosen == former) {
        follow_word(*now.run);
    } else {
        chosen_word_.reset();
    }
    const bool typed = pins_before_ && pins_before_->to == work.history().id() && of && !same;
    if (!typed || !before || !former || !now.map) return;
    const trace::HeadId& head = now.focus.head;
    const auto map = now.run->trace.map(head);
    if (!chosen || !map || map->rows(trace::Stage::weights) == 0) return;
    const bool inside = app::selected_cell(now, state.view).has_value();
    const auto last = static_cast<int>(map->rows(trace::Stage::weights)) - 1;
    // A row of a text that is undone has the last one in its place; one that is typed may come
    // back.
    const bool undone = pins_before_->to < pins_before_->from;
    if (chosen->first > last && !undone) return;
    chosen->first = std::min(chosen->first, last);
    if (inside && words_of(*before, head, *former) == words_of(*now.run, head, *chosen)) return;
    const app::Units units(now, app::map_units(now));
    const int row = units.of_query(chosen->first);
    if (!app::shows_pairs(now)) { // whose columns are features
        const int query = units.first_query(row);
        chosen = {query, app::strongest_key(now, query)};
    } else {
        figure::Index col = 0;
        if (row >= now.map->rows()) return;
        now.map->row(row).maxCoeff(&col);
        chosen = app::strongest_token_cell(now, units, {row, static_cast<int>(col)});
    }
    selected_before_ = chosen;
    if (pins_before_) pins_before_->left.selected = chosen;
}

void Shell::offer_selection() {
    // The first picture explains itself: a cell is chosen, once.
    if (selection_offered_ || !work.snapshot().run) return;
    selection_offered_ = true;
    if (!state.view.selected) state.view.selected = app::first_cell(work.snapshot(), state.view);
}

} // namespace heed::ui
