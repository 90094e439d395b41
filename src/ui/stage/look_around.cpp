#include "ui/stage/look_around.hpp"

#include "figure/base/viewport.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/stage_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::ui {

using figure::Target;
using figure::Viewport;

namespace {

constexpr float kStep = 1.25f;   // of a key, or a step of the wheel
constexpr float kDragBegins = 4; // pixels; a hand that clicks is not quite still

const Target* cells_at(const figure::Figure& picture, Point at) {
    for (const Target& target : picture.targets) {
        if (target.as<figure::tag::Cells>() && target.box.contains(at)) return &target;
    }
    return nullptr;
}

/// Requires a target of cells.
figure::tag::Cells cells_of(const Target& target) {
    return std::get<figure::tag::Cells>(target.tag);
}

Viewport shown_by(const Target& target) {
    const auto [rows, cols, part] = cells_of(target);
    return target.shown.value_or(figure::whole(rows, cols));
}

/// Place of a point in the box of a target, 0 to 1 each way.
Point share_of(const Target& target, Point at) {
    return {(at.x - target.box.x) / target.box.w, (at.y - target.box.y) / target.box.h};
}

void zoom_by(Panel& p, float factor) {
    const auto& map = p.snapshot().map;
    if (!map || map->size() == 0) return;
    const Viewport now =
        figure::inside(p.state.view.viewport.value_or(figure::whole(map->rows(), map->cols())),
                       map->rows(), map->cols());
    Point at{0.5f, 0.5f};
    if (const auto place = selected_in_map(p)) {
        at.y = (static_cast<float>(place->row) + 0.5f - now.row) / now.rows;
        if (place->col) at.x = (static_cast<float>(*place->col) + 0.5f - now.col) / now.cols;
        if (at.x < 0 || at.x > 1 || at.y < 0 || at.y > 1) at = {0.5f, 0.5f};
    }
    show_part(p, figure::zoomed(now, factor, at, map->rows(), map->cols()), map->rows(),
              map->cols());
}

} // namespace

bool look_around(Panel& p, const figure::Figure& picture, const Box& box, const Press& press) {
    const Point mouse = p.ui.mouse();
    const Point at{mouse.x - box.x, mouse.y - box.y};
    const Target* cells = cells_at(picture, at);
    if (cells != nullptr && press.hovered) {
        if (const float wheel = p.ui.mouse_wheel_over(box); wheel != 0) {
            const auto [rows, cols, part] = cells_of(*cells);
            show_part(p,
                      figure::zoomed(shown_by(*cells), std::pow(kStep, wheel), share_of(*cells, at),
                                     rows, cols),
                      rows, cols);
        }
    }
    // The brush has the pointer, or the weight of a cell.
    if (p.state.choices.painting || ImGui::GetIO().KeyAlt) return false;
    Looking& looking = p.state.stage->looking;
    if (press.double_clicked && p.state.view.viewport) {
        p.state.view.viewport.reset();
        looking.fitted = true;
    }
    const ImGuiIO& io = ImGui::GetIO();
    const bool drags = press.held && p.state.view.viewport && !looking.fitted &&
                       io.MouseDragMaxDistanceSqr[0] > kDragBegins * kDragBegins;
    if (drags && !looking.held) {
        const Point began{at.x - ImGui::GetMouseDragDelta(0, 0).x / p.ui.canvas.scale(),
                          at.y - ImGui::GetMouseDragDelta(0, 0).y / p.ui.canvas.scale()};
        if (const Target* under = cells_at(picture, began)) {
            looking.held = true;
            looking.target = *under;
            looking.from = shown_by(*under);
            looking.began = began;
        }
    }
    if (looking.held) { // from where the drag began: no rounding adds up
        const Target& t = looking.target;
        const float rows = (looking.began.y - at.y) / t.box.h * looking.from.rows;
        const float cols = (looking.began.x - at.x) / t.box.w * looking.from.cols;
        const figure::tag::Cells all = cells_of(t);
        show_part(p, figure::moved(looking.from, rows, cols, all.rows, all.cols), all.rows,
                  all.cols);
    }
    const bool moved = looking.held || looking.fitted;
    if (!press.held) looking = {};
    return moved;
}

void let_go_of_zoom(Panel& p) {
    const auto& run = p.snapshot().run;
    if (!run || !p.work.up_to_date()) return;
    const std::pair tokens{run->trace.source.size(), run->trace.target.size()};
    const auto before = std::exchange(p.state.stage->zoomed_text, tokens);
    if (!before || *before == tokens) return;
    p.state.view.viewport.reset();
    p.state.view.beam_sight.reset();
}

void look_closer(Panel& p) { zoom_by(p, kStep * kStep); }
void look_wider(Panel& p) { zoom_by(p, 1 / (kStep * kStep)); }

void draw_scroll_hints(Panel& p, const figure::Figure& picture, const Box& box) {
    constexpr float kThick = 3, kGap = 3, kShortest = 8;
    const Color track = faded(p.ui.theme().text, 0.07f), thumb = faded(p.ui.theme().text, 0.4f);
    for (const Target& t : picture.targets) {
        const auto* cells = t.as<figure::tag::Cells>();
        if (!cells || !t.shown) continue;
        const Box across{box.x + t.box.x, box.y + t.box.y + t.box.h + kGap, t.box.w, kThick};
        const Box down{box.x + t.box.x + t.box.w + kGap, box.y + t.box.y, kThick, t.box.h};
        const auto rows = static_cast<float>(cells->rows), cols = static_cast<float>(cells->cols);
        p.ui.canvas.fill(across, track, 1.5f);
        p.ui.canvas.fill(down, track, 1.5f);
        const float w = std::max(kShortest, across.w * t.shown->cols / cols);
        const float h = std::max(kShortest, down.h * t.shown->rows / rows);
        const auto along = [](float from, float count, float all, float room) {
            return count < all ? room * from / (all - count) : 0.0f;
        };
        p.ui.canvas.fill({across.x + along(t.shown->col, t.shown->cols, cols, across.w - w),
                          across.y, w, kThick},
                         thumb, 1.5f);
        p.ui.canvas.fill(
            {down.x, down.y + along(t.shown->row, t.shown->rows, rows, down.h - h), kThick, h},
            thumb, 1.5f);
    }
}

} // namespace heed::ui
