#include "figure/base/viewport.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kFewest = 2; // cells that a zoomed view shows each way

/// A side of a viewport: `from` and `count`, inside of `all`.
void fit(float& from, float& count, Index all) {
    const auto most = static_cast<float>(all);
    if (!std::isfinite(count) || !std::isfinite(from)) from = 0, count = most;
    count = std::clamp(count, std::min(kFewest, most), most);
    from = std::clamp(from, 0.0f, most - count);
}

} // namespace

Viewport whole(Index rows, Index cols) {
    return {0, 0, static_cast<float>(rows), static_cast<float>(cols)};
}

Viewport inside(Viewport viewport, Index rows, Index cols) {
    fit(viewport.row, viewport.rows, rows);
    fit(viewport.col, viewport.cols, cols);
    return viewport;
}

Viewport zoomed(const Viewport& v, float factor, Point at, Index rows, Index cols) {
    const float few = std::min({kFewest, static_cast<float>(rows), static_cast<float>(cols)});
    // Both sides by the same factor, down to the fewest cells of either.
    const float least = few / std::max(std::min(v.rows, v.cols), few);
    const float share = std::max(1 / factor, least);
    Viewport next{0, 0, v.rows * share, v.cols * share};
    next.rows = std::min(next.rows, static_cast<float>(rows));
    next.cols = std::min(next.cols, static_cast<float>(cols));
    next.row = v.row + at.y * (v.rows - next.rows);
    next.col = v.col + at.x * (v.cols - next.cols);
    return inside(next, rows, cols);
}

Viewport moved(Viewport viewport, float rows, float cols, Index all_rows, Index all_cols) {
    viewport.row += rows;
    viewport.col += cols;
    return inside(viewport, all_rows, all_cols);
}

Viewport shown(const Heat& heat) {
    const Index rows = heat.values ? heat.values->rows() : 0;
    const Index cols = heat.values ? heat.values->cols() : 0;
    return heat.shown ? inside(*heat.shown, rows, cols) : whole(rows, cols);
}

Box cell_box(const Box& box, const Viewport& shown, Index row, Index col) {
    const float w = box.w / shown.cols, h = box.h / shown.rows;
    return {box.x + (static_cast<float>(col) - shown.col) * w,
            box.y + (static_cast<float>(row) - shown.row) * h, w, h};
}

Box cell_box(const Target& target, Index row, Index col) {
    const GridSize grid = grid_size(target.tag).value_or(GridSize{});
    return cell_box(target.box, target.shown.value_or(whole(grid.rows, grid.cols)), row, col);
}

Box common(const Box& a, const Box& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(0.0f, std::min(a.x + a.w, b.x + b.w) - x),
            std::max(0.0f, std::min(a.y + a.h, b.y + b.h) - y)};
}

Box row_box(const Heat& heat, Index row) {
    Box box = cell_box(heat.box, shown(heat), row, 0);
    box.x = heat.box.x;
    box.w = heat.box.w;
    return common(box, heat.box);
}

CellRange cells_seen(const Heat& heat) {
    const Viewport v = shown(heat);
    const auto first = [](float from) { return static_cast<Index>(std::floor(from)); };
    const auto end = [](float to, Index all) {
        return std::min(all, static_cast<Index>(std::ceil(to)));
    };
    return {first(v.row), end(v.row + v.rows, heat.values->rows()), first(v.col),
            end(v.col + v.cols, heat.values->cols())};
}

std::optional<HeatCell> heat_at(const Figure& figure, Point point) {
    for (auto it = figure.items.rbegin(); it != figure.items.rend(); ++it) {
        const auto* heat = std::get_if<Heat>(&*it);
        if (heat == nullptr || !heat->values || heat->values->size() == 0) continue;
        if (!heat->box.contains(point)) continue;
        const Viewport v = shown(*heat);
        const auto cell = [](float from, float count, float share, Index all) {
            return std::clamp(static_cast<Index>(std::floor(from + share * count)), Index{0},
                              all - 1);
        };
        const Index row =
            cell(v.row, v.rows, (point.y - heat->box.y) / heat->box.h, heat->values->rows());
        const Index col =
            cell(v.col, v.cols, (point.x - heat->box.x) / heat->box.w, heat->values->cols());
        return HeatCell{heat, row, col, (*heat->values)(row, col)};
    }
    return std::nullopt;
}

} // namespace heed::figure
