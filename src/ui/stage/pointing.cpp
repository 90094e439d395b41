#include "ui/stage/pointing.hpp"

#include "figure/base/viewport.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/stage_state.hpp"

#include <algorithm>

namespace heed::ui {

using figure::Target;

namespace {

/// The query and the key as rows and columns of the large map.
struct Axes {
    std::optional<int> row, col;
};

/// The query and key that are pointed at, as a picture counts them.
Axes in_units(const Panel& p, bool links) {
    const app::Units units(p.snapshot(), units_shown(p, links));
    const app::Units tokens(p.snapshot(), nullptr);
    Axes axes{p.state.stage->pointed.query, p.state.stage->pointed.key};
    // A sentence may have become shorter under the pointer.
    const auto there = [](std::optional<int> token, const std::vector<text::Token>& all) {
        return token && *token >= 0 && static_cast<std::size_t>(*token) < all.size();
    };
    if (there(axes.row, tokens.queries())) {
        axes.row =
            units.shows_query(*axes.row) ? std::optional(units.of_query(*axes.row)) : std::nullopt;
    }
    if (there(axes.col, tokens.keys())) {
        axes.col =
            units.shows_key(*axes.col) ? std::optional(units.of_key(*axes.col)) : std::nullopt;
    }
    return axes;
}

Axes axes_of(const Panel& p) {
    const auto& s = p.snapshot();
    const Axes axes = in_units(p, false);
    const trace::Stage stage = s.focus.combine ? trace::Stage::weights : s.focus.stage;
    if (trace::is_map(stage)) return axes;
    return {app::has_key_rows(stage) ? axes.col : axes.row, std::nullopt};
}

void light_cells(Panel& p, const Target& t, const figure::tag::Cells& cells, const Box& place,
                 const Axes& axes) {
    const Color band = faded(p.ui.theme().text, p.ui.theme().dark ? 0.1f : 0.06f);
    const bool has_row = axes.row && *axes.row < cells.rows;
    const bool has_col = axes.col && *axes.col < cells.cols;
    const auto fill = [&](Box box) {
        box = figure::common(box, t.box);
        if (box.w > 0 && box.h > 0) p.ui.canvas.fill(placed(box, place), band);
    };
    if (has_row) {
        Box row = figure::cell_box(t, *axes.row, 0);
        row.x = t.box.x;
        row.w = t.box.w;
        fill(row);
    }
    if (has_col) {
        Box col = figure::cell_box(t, 0, *axes.col);
        col.y = t.box.y;
        col.h = t.box.h;
        fill(col);
    }
    if (!has_row || !has_col) return;
    const Box cell = figure::common(figure::cell_box(t, *axes.row, *axes.col), t.box);
    if (cell.w <= 0 || cell.h <= 0) return;
    p.ui.canvas.outline(placed(cell, place), faded(p.ui.theme().text, 0.6f), 0, 1);
}

/// True of a kept map that is of the attention that is pointed at.
bool of_focused_kind(const Panel& p, const Target& t) {
    const auto& s = p.snapshot();
    int part = 0;
    if (const auto* cells = t.as<figure::tag::Cells>()) part = cells->part;
    if (const auto* row = t.as<figure::tag::RowLabel>()) part = row->part;
    if (const auto* col = t.as<figure::tag::ColLabel>()) part = col->part;
    const auto slot = static_cast<std::size_t>(part);
    return slot < s.slots.size() && s.slots[slot].head.kind == s.focus.head.kind;
}

void light_link(Panel& p, const Target& t, const Box& place) {
    // Where links have the hues of their heads, one of them is nearly the accent.
    const bool hues = p.snapshot().overlay.size() > 1;
    const Color ink = hues ? p.ui.theme().text : p.ui.theme().accent;
    if (!t.curve) {
        const Box box = placed(t.box, place);
        p.ui.canvas.disc({box.x + box.w / 2, box.y + box.h / 2}, 5, ink);
        return;
    }
    figure::Figure lit;
    figure::Curve curve = *t.curve;
    curve.color = ink;
    curve.width = std::max(curve.width + 1, 2.5f);
    lit.items.emplace_back(curve);
    p.ui.canvas.paint(lit, {place.x, place.y});
}

} // namespace

app::Hovered hovered_unit(const Panel& p) {
    const Pointed& at = p.state.stage->pointed;
    if (at.query.has_value() == at.key.has_value() || !p.snapshot().run) return {};
    const Axes axes = in_units(p, true);
    return {axes.row, axes.col};
}

void point_out(Panel& p, std::optional<int> query, std::optional<int> key) {
    p.state.stage->pointing = {query, key};
}

void point_out(Panel& p, const figure::Hit& hit, bool links) {
    const auto& s = p.snapshot();
    if (!s.run) return;
    const app::Units units(s, units_shown(p, links));
    const trace::Stage stage = s.focus.combine ? trace::Stage::weights : s.focus.stage;
    const bool map = links || trace::is_map(stage);
    const bool of_keys = !map && app::has_key_rows(stage);
    const auto row = [&](int i) {
        of_keys ? point_out(p, std::nullopt, units.first_key(i))
                : point_out(p, units.first_query(i), std::nullopt);
    };
    if (hit.as<figure::tag::Cells>() && hit.row >= 0) {
        if (map) {
            point_out(p, units.first_query(hit.row), units.first_key(hit.col));
        } else {
            row(hit.row);
        }
    } else if (const auto* link = hit.as<figure::tag::Link>()) {
        point_out(p, units.first_query(link->query), units.first_key(link->key));
    } else if (const auto* label = hit.as<figure::tag::RowLabel>()) {
        row(label->query);
    } else if (const auto* strip = hit.as<figure::tag::Strip>()) {
        if (strip->of == figure::StripOf::queries) row(hit.row);
        if (strip->of == figure::StripOf::keys) {
            point_out(p, std::nullopt, units.first_key(hit.col));
        }
    } else if (const auto* col = hit.as<figure::tag::ColLabel>()) {
        if (map) point_out(p, std::nullopt, units.first_key(col->key));
    }
}

void draw_pointed(Panel& p, const figure::Figure& picture, const Box& place, bool links) {
    const Pointed& at = p.state.stage->pointed;
    if (at == Pointed{} || !p.snapshot().run) return;
    const bool slots = !links && shown_in(p) == app::Shows::heads;
    const Axes axes = links || slots ? in_units(p, true) : axes_of(p);
    // Arcs have one line of tokens, each a query and a key.
    const auto& s = p.snapshot();
    const bool one_line = links && s.focus.head.kind != trace::AttentionKind::cross;
    const Color mark = faded(p.ui.theme().accent, 0.16f);
    for (const Target& t : picture.targets) {
        if (slots && !of_focused_kind(p, t)) continue;
        bool lit = false;
        if (const auto* cells = t.as<figure::tag::Cells>()) {
            if (!links) light_cells(p, t, *cells, place, axes);
        } else if (const auto* row = t.as<figure::tag::RowLabel>()) {
            lit = axes.row == row->query || (one_line && axes.col == row->query);
        } else if (const auto* col = t.as<figure::tag::ColLabel>()) {
            lit = axes.col == col->key || (one_line && axes.row == col->key);
        } else if (const auto* bar = t.as<figure::tag::Bar>()) {
            lit = links && axes.col == bar->place;
        } else if (const auto* link = t.as<figure::tag::Link>()) {
            if (axes.row == link->query && axes.col == link->key) light_link(p, t, place);
        }
        if (lit) p.ui.canvas.fill(placed(t.box, place), mark, 4);
    }
}

} // namespace heed::ui
