#include "ui/stage/strokes.hpp"

#include "app/document/weight_edits.hpp"
#include "app/engine/merging.hpp"
#include "ui/frame/choices.hpp"
#include "ui/stage/cell_words.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace heed::ui {

namespace {

using Cell = std::pair<int, int>; // query, key

/// The cell of the present map: what it is held against is not changed.
std::optional<Cell> cell_at(const Panel& p, const figure::Figure& figure, const Box& box,
                            Point mouse) {
    const auto hit = figure::pick(figure, {mouse.x - box.x, mouse.y - box.y});
    const auto& map = p.snapshot().map;
    if (!hit || !map || !hit->as<figure::tag::Cells>()) return {};
    if (is_at_reference(p, figure, *hit)) return {};
    if (hit->row < 0 || hit->col < 0 || hit->row >= map->rows() || hit->col >= map->cols()) {
        return {};
    }
    return Cell{hit->row, hit->col};
}

/// The cells on the straight way, both ends among them.
std::vector<Cell> way(Cell from, Cell to) {
    const int rows = to.first - from.first, cols = to.second - from.second;
    const int steps = std::max({std::abs(rows), std::abs(cols), 1});
    std::vector<Cell> cells;
    for (int i = 0; i <= steps; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(steps);
        cells.emplace_back(from.first + static_cast<int>(std::lround(t * static_cast<float>(rows))),
                           from.second +
                               static_cast<int>(std::lround(t * static_cast<float>(cols))));
    }
    return cells;
}

void paint(Panel& p, const std::vector<Cell>& cells, bool forbid) {
    const models::Scope scope = scope_of(p.state.choices.apply_to, p.focus().head);
    p.change({app::UndoTag::Of::painted_mask, scope},
             "painted mask, " + scope_name(p, p.state.choices.apply_to, p.focus().head), false,
             [&](app::Document& d) {
                 nn::Mask mask = mask_in(config_now(p), d.controls, scope, p.focus().head.kind);
                 for (const auto& [query, key] : cells) {
                     const std::pair<num::Index, num::Index> cell{query, key};
                     const auto at =
                         std::lower_bound(mask.painted.begin(), mask.painted.end(), cell);
                     const bool there = at != mask.painted.end() && *at == cell;
                     if (forbid && !there) mask.painted.insert(at, cell);
                     if (!forbid && there) mask.painted.erase(at);
                 }
                 models::HeadControls controls = d.controls.at(scope);
                 controls.mask = std::move(mask);
                 d.controls.set(scope, std::move(controls));
             });
}

/// The tokens of cells of a map between words.
std::vector<Cell> tokens_of(const Panel& p, const std::vector<Cell>& cells) {
    const app::Units units(p.snapshot(), app::map_units(p.snapshot()));
    if (!units.merged()) return cells;
    std::vector<Cell> tokens;
    for (const auto& [row, col] : cells) {
        const num::Rect block = units.tokens(row, col);
        for (num::Index i = 0; i < block.rows * block.cols; ++i) {
            tokens.emplace_back(static_cast<int>(block.row + i / block.cols),
                                static_cast<int>(block.col + i % block.cols));
        }
    }
    return tokens;
}

bool painted(const Panel& p, const Cell& cell) {
    const models::Scope scope = scope_of(p.state.choices.apply_to, p.focus().head);
    const nn::Mask mask = mask_in(config_now(p), p.document().controls, scope, p.focus().head.kind);
    return std::binary_search(mask.painted.begin(), mask.painted.end(),
                              std::pair<num::Index, num::Index>(cell));
}

/// Begins with the press; what the first cell becomes, all others of the stroke become.
void begin(Panel& p, const Cell& cell, float from_y) {
    Stroke& stroke = p.state.stage->stroke;
    const app::Focus& focus = p.snapshot().focus;
    if (focus.combine || !trace::is_map(focus.stage)) return;
    const app::TokenWords* shown = app::map_units(p.snapshot());
    const bool merged = shown != nullptr && shown->merged;
    const bool drags = shim::command_down() || shim::alt_down(); // some desktops take Alt
    if (drags && focus.stage == trace::Stage::weights && !merged) {
        stroke.kind = Stroke::Kind::weight;
        stroke.from_weight = std::clamp((*p.snapshot().map)(cell.first, cell.second), 0.0f, 1.0f);
        stroke.from_y = from_y;
        const app::Units units(p.snapshot(), app::map_units(p.snapshot()));
        stroke.cell = {units.first_query(cell.first), units.first_key(cell.second)};
        p.state.view.selected = stroke.cell;
        return;
    } else if (p.state.choices.painting) {
        stroke.kind = Stroke::Kind::paint;
        const std::vector<Cell> tokens = tokens_of(p, {cell});
        stroke.forbids = !painted(p, tokens.front());
        paint(p, tokens, stroke.forbids);
    }
    stroke.cell = cell;
}

void drag_weight(Panel& p) {
    constexpr float kWhole = 160; // points from 0 to 1
    const Stroke& stroke = p.state.stage->stroke;
    const float moved = (stroke.from_y - p.ui.mouse().y) / kWhole;
    if (moved == 0 && !stroke.moved) return;
    p.state.stage->stroke.moved = true;
    set_weight(p, stroke.cell, stroke.from_weight + moved);
}

} // namespace

void set_weight(Panel& p, std::pair<int, int> cell, float weight) {
    weight = std::clamp(std::round(weight * 1000) / 1000, 0.0f, 1.0f);
    const trace::HeadId head = p.focus().head;
    p.change({app::UndoTag::Of::weight, scope_of(ApplyTo::head, head), cell.first, cell.second},
             fmt::format("weight {}:{}, {}", cell.first + 1, cell.second + 1,
                         scope_name(p, ApplyTo::head, head)),
             false, [&](app::Document& d) {
                 d = app::with_weight(std::move(d), head, {cell.first, cell.second, weight});
             });
}

void reset_weights(Panel& p, std::optional<int> query, std::optional<int> key) {
    const trace::HeadId head = p.focus().head;
    p.change("weights as computed, " + scope_name(p, ApplyTo::head, head), [&](app::Document& d) {
        const auto edits = app::edits_of(d.controls, head);
        d = app::without_edits(std::move(d), head, query);
        for (const nn::WeightEdit& e : edits) { // but those of the row's other keys
            const bool stays = key && e.query == query && e.key != *key;
            if (stays) d = app::with_weight(std::move(d), head, e);
        }
    });
}

void nudge_weight(Panel& p, float by) {
    if (!p.snapshot().run) return;
    const auto cell = p.selected();
    const app::Focus& focus = p.snapshot().focus;
    const auto map = p.snapshot().run->trace.map(focus.head);
    if (!cell || !map) return;
    // On top of what was asked for: a held key is quicker than a run.
    float now = map->cell(cell->first, cell->second).weight;
    for (const nn::WeightEdit& e : app::edits_of(p.document().controls, focus.head)) {
        if (e.query == cell->first && e.key == cell->second) now = e.weight;
    }
    set_weight(p, *cell, now + by);
}

bool stroke_on_map(Panel& p, const figure::Figure& figure, const Box& box, const Press& press) {
    Stroke& stroke = p.state.stage->stroke;
    if (!press.held && !press.clicked) { // let go, maybe outside
        if (stroke.kind != Stroke::Kind::none) p.seal();
        stroke = {};
        return false;
    }
    const auto cell = cell_at(p, figure, box, p.ui.mouse());
    if (press.held && !stroke.pressed) {
        stroke.pressed = true;
        // A quick hand has moved on in the very frame of the press.
        const Point from = p.ui.pressed_at();
        if (const auto first = cell_at(p, figure, box, from)) begin(p, *first, from.y);
    } else if (press.held && stroke.kind == Stroke::Kind::paint && cell && *cell != stroke.cell) {
        paint(p, tokens_of(p, way(stroke.cell, *cell)), stroke.forbids);
        stroke.cell = *cell;
    }
    if (press.held && stroke.kind == Stroke::Kind::weight) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeNS);
        drag_weight(p);
    }
    return stroke.kind != Stroke::Kind::none;
}

} // namespace heed::ui
