// What one panel points at is lit in the others, upon pictures that are already there.
#include "figure/viewport.hpp"
#include "ui/panel.hpp"

namespace heed::ui {

using figure::Tag;
using figure::Target;

namespace {

Box placed(const Box& box, const Box& place) {
    return {box.x + place.x, box.y + place.y, box.w, box.h};
}

/// Which of query and key the rows and the columns of the large map are.
struct Axes {
    std::optional<int> row, col;
};

Axes axes_of(const Panel& p) {
    const auto& s = p.snapshot();
    const Pointed& at = p.state.pointed;
    const trace::Stage stage = s.focus.combine ? trace::Stage::weights : s.focus.stage;
    if (trace::is_map(stage)) return {at.query, at.key};
    const bool of_keys = stage == trace::Stage::k || stage == trace::Stage::v;
    return {of_keys ? at.key : at.query, std::nullopt};
}

void light_cells(Panel& p, const Target& t, const Box& place, const Axes& axes) {
    const Color band = faded(p.ui.theme().text, p.ui.theme().dark ? 0.1f : 0.06f);
    const bool has_row = axes.row && *axes.row < t.tag.a, has_col = axes.col && *axes.col < t.tag.b;
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

} // namespace

void point_out(Panel& p, std::optional<int> query, std::optional<int> key) {
    p.state.pointing = {query, key};
}

void point_out(Panel& p, const figure::Hit& hit, bool links) {
    const auto& s = p.snapshot();
    const trace::Stage stage = s.focus.combine ? trace::Stage::weights : s.focus.stage;
    const bool map = links || trace::is_map(stage);
    const bool of_keys = !map && (stage == trace::Stage::k || stage == trace::Stage::v);
    const auto row = [&](int i) {
        of_keys ? point_out(p, std::nullopt, i) : point_out(p, i, std::nullopt);
    };
    switch (hit.tag.kind) {
    case Tag::Kind::cells:
        if (hit.row < 0) return;
        if (map) {
            point_out(p, hit.row, hit.col);
        } else {
            row(hit.row);
        }
        return;
    case Tag::Kind::link: point_out(p, hit.tag.a, hit.tag.b); return;
    case Tag::Kind::row_label: row(hit.tag.a); return;
    case Tag::Kind::col_label:
        if (map) point_out(p, std::nullopt, hit.tag.a);
        return;
    default: return;
    }
}

void draw_pointed(Panel& p, const figure::Figure& picture, const Box& place, bool links) {
    const Pointed& at = p.state.pointed;
    if (at == Pointed{}) return;
    const Axes axes = links ? Axes{at.query, at.key} : axes_of(p);
    // Arcs have one line of tokens, each a query and a key.
    const auto& s = p.snapshot();
    const bool one_line = links && s.focus.head.kind != trace::AttentionKind::cross;
    const Color mark = faded(p.ui.theme().accent, 0.16f);
    for (const Target& t : picture.targets) {
        bool lit = false;
        switch (t.tag.kind) {
        case Tag::Kind::cells:
            if (!links) light_cells(p, t, place, axes);
            break;
        case Tag::Kind::row_label:
            lit = axes.row == t.tag.a || (one_line && axes.col == t.tag.a);
            break;
        case Tag::Kind::col_label:
            lit = axes.col == t.tag.a || (one_line && axes.row == t.tag.a);
            break;
        case Tag::Kind::bar: lit = links && axes.col == t.tag.a; break;
        case Tag::Kind::link:
            if (at.query == t.tag.a && at.key == t.tag.b) {
                const Box box = placed(t.box, place);
                p.ui.canvas.disc({box.x + box.w / 2, box.y + box.h / 2}, 5, p.ui.theme().accent);
            }
            break;
        default: break;
        }
        if (lit) p.ui.canvas.fill(placed(t.box, place), mark, 4);
    }
}

} // namespace heed::ui
