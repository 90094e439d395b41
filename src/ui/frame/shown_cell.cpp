#include "ui/frame/shown_cell.hpp"

#include "app/views/view_figure.hpp"

#include <algorithm>

namespace heed::ui {

const app::TokenWords* units_shown(const Panel& p, bool links) {
    const app::Snapshot& s = p.snapshot();
    return links ? s.units.get() : app::view_kind(p.state.view.view).units(s);
}

std::optional<app::MapPlace> selected_in_map(const Panel& p) {
    return app::place_in_map(p.snapshot(), p.state.view);
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
    const auto place = selected_in_map(p);
    if (!p.state.view.viewport || !map || !place) return;
    figure::Viewport v = figure::inside(*p.state.view.viewport, map->rows(), map->cols());
    const auto move_into = [](float& from, float count, int at) {
        const auto first = static_cast<float>(at);
        from = std::clamp(from, first + 1 - count, first);
    };
    move_into(v.row, v.rows, place->row);
    if (place->col) move_into(v.col, v.cols, *place->col);
    show_part(p, figure::inside(v, map->rows(), map->cols()), map->rows(), map->cols());
}

} // namespace heed::ui
