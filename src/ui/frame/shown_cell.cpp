#include "ui/frame/shown_cell.hpp"

#include "app/views/view_figure.hpp"

#include <algorithm>

namespace heed::ui {

bool between_words(const Panel& p, bool links) {
    const app::Snapshot& s = p.snapshot();
    return links ? app::merges(s) : app::view_kind(p.state.view.view).between_words(s);
}

void choose_cell(Panel& p, const app::Units& units, std::pair<int, int> cell) {
    p.state.view.selected = app::strongest_token_cell(p.snapshot(), units, cell);
}

void show_part(Panel& p, const figure::Viewport& part, num::Index rows, num::Index cols) {
    auto& now = p.state.view.viewport;
    now = part;
    if (*now == figure::whole(rows, cols)) now.reset();
}

void look_at_cell(Panel& p) {
    const auto& map = p.snapshot().map;
    const auto cell = p.selected_in_map();
    if (!p.state.view.viewport || !map || !cell) return;
    figure::Viewport v = figure::inside(*p.state.view.viewport, map->rows(), map->cols());
    const auto move_into = [](float& from, float count, int at) {
        const auto place = static_cast<float>(at);
        from = std::clamp(from, place + 1 - count, place);
    };
    move_into(v.row, v.rows, cell->first);
    move_into(v.col, v.cols, cell->second);
    show_part(p, figure::inside(v, map->rows(), map->cols()), map->rows(), map->cols());
}

} // namespace heed::ui
