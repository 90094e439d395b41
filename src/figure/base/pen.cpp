#include "figure/base/pen.hpp"

#include "figure/base/palette.hpp"
#include "figure/base/viewport.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace heed::figure {

Dashes dashes(float width) {
    const float unit = std::max(width, 1.0f);
    return {4 * unit, 3 * unit};
}

Hatching hatching(const Heat& heat, Index row) {
    const float height = heat.box.h / shown(heat).rows;
    const Color ground = colour_of(heat.palette, (*heat.values)(row, 0), heat.low, heat.high);
    return {std::clamp(height / 2, 2.0f, 6.0f), std::clamp(height / 16, 0.5f, 1.0f),
            mixed(ground, ink_on(ground), 0.4f)};
}

namespace {

bool is_veiled(const std::vector<Veils::Run>& runs, Index i) {
    const auto next = std::ranges::upper_bound(runs, i, {}, &Veils::Run::first);
    return next != runs.begin() && i < std::prev(next)->last;
}

/// A run of rows or columns across the whole grid, as far as it can be seen.
Box run_box(const Heat& heat, const Veils::Run& run, bool of_rows) {
    const Box first =
        cell_box(heat.box, shown(heat), of_rows ? run.first : 0, of_rows ? 0 : run.first);
    const auto count = static_cast<float>(run.last - run.first);
    Box box = heat.box;
    (of_rows ? box.y : box.x) = of_rows ? first.y : first.x;
    (of_rows ? box.h : box.w) = count * (of_rows ? first.h : first.w);
    return common(box, heat.box);
}

/// Cuts boxes where veils begin and end, those below them in colours of their own.
std::vector<HatchedBox> below_veils(std::vector<HatchedBox> boxes, const Heat& heat) {
    for (const Box& veil : veil_boxes(heat)) {
        std::vector<HatchedBox> cut;
        for (const HatchedBox& it : boxes) {
            const Box& b = it.box;
            const Box under = common(b, veil);
            if (!(under.w > 0 && under.h > 0)) {
                cut.push_back(it);
                continue;
            }
            // Above and below, or at the left and right: a veil reaches across the grid.
            for (const Box& rest :
                 {Box{b.x, b.y, b.w, under.y - b.y},
                  Box{b.x, under.y + under.h, b.w, b.y + b.h - under.y - under.h},
                  Box{b.x, under.y, under.x - b.x, under.h},
                  Box{under.x + under.w, under.y, b.x + b.w - under.x - under.w, under.h}}) {
                constexpr float kHair = 0.01f;
                if (rest.w <= kHair || rest.h <= kHair) continue;
                cut.push_back(it);
                cut.back().box = rest;
            }
            cut.push_back(it);
            cut.back().box = under;
            cut.back().pen.color = veiled(it.pen.color, heat.veils, 1);
            if (it.ground) cut.back().ground = veiled(*it.ground, heat.veils, 1);
        }
        boxes = std::move(cut);
    }
    return boxes;
}

} // namespace

int veils_over(const Heat& heat, Index row, Index col) {
    return static_cast<int>(is_veiled(heat.veils.rows, row)) +
           static_cast<int>(is_veiled(heat.veils.cols, col));
}

Color veiled(Color color, const Veils& veils, int count) {
    Color over = veils.color;
    over.a = color.a;
    for (int i = 0; i < count; ++i)
        color = mixed(color, over, static_cast<float>(veils.color.a) / 255);
    return color;
}

std::vector<Box> veil_boxes(const Heat& heat) {
    std::vector<Box> boxes;
    for (const bool of_rows : {true, false}) {
        for (const Veils::Run& run : of_rows ? heat.veils.rows : heat.veils.cols) {
            const Box box = run_box(heat, run, of_rows);
            if (box.w > 0 && box.h > 0) boxes.push_back(box);
        }
    }
    return boxes;
}

bool hatches_masked(float cell_w, float cell_h) {
    constexpr float kSmallest = 5; // points of a side
    return std::min(cell_w, cell_h) >= kSmallest;
}

namespace {

constexpr float kThin = 1; // points

/// Runs of the rows from `first` on that are nearer to each other than a point: what is masked in
/// all of them.
std::vector<CellRun> common_runs(std::span<const CellRun> runs, Index first, Index last) {
    std::vector<CellRun> common;
    std::size_t at = 0;
    for (Index row = first; row < last; ++row) {
        std::vector<CellRun> kept;
        for (; at < runs.size() && runs[at].row == row; ++at) {
            if (row == first) {
                kept.push_back(runs[at]);
                continue;
            }
            for (const CellRun& other : common) {
                const CellRun both{first, std::max(other.first, runs[at].first),
                                   std::min(other.last, runs[at].last)};
                if (both.first < both.last) kept.push_back(both);
            }
        }
        common = std::move(kept);
    }
    return common;
}

void add_masked(std::vector<HatchedBox>& boxes, const Heat& heat) {
    const Viewport view = shown(heat);
    const float w = heat.box.w / view.cols, h = heat.box.h / view.rows;
    const Color ground = not_finite(heat.palette);
    const Hatching pen{6, 1, mixed(ground, ink_on(ground), 0.22f)};
    const CellRange seen = cells_seen(heat);
    const auto rows = std::max<Index>(1, static_cast<Index>(kThin / std::max(h, 1e-4f)));
    const auto before = [](const CellRun& run, Index row) { return run.row < row; };
    const std::span<const CellRun> all(heat.masked);
    auto at = std::lower_bound(all.begin(), all.end(), seen.row, before);
    while (at != all.end() && at->row < seen.row_end) {
        const Index first = at->row;
        const Index last = std::min(first + rows, heat.values->rows());
        const auto end = std::lower_bound(at, all.end(), last, before);
        for (const CellRun& run : common_runs({at, end}, first, last)) {
            Box box = cell_box(heat.box, view, first, run.first);
            box.w = w * static_cast<float>(run.last - run.first);
            box.h = h * static_cast<float>(last - first);
            box = common(box, heat.box);
            if (!(box.w > 0 && box.h > 0)) continue;
            Box* above = boxes.empty() ? nullptr : &boxes.back().box;
            if (above && boxes.back().ground && above->x == box.x && above->w == box.w &&
                std::abs(above->y + above->h - box.y) < 0.01f) {
                above->h = box.y + box.h - above->y;
            } else {
                boxes.push_back({box, pen, ground, hatches_masked(w, h)});
            }
        }
        at = end;
    }
}

} // namespace

std::vector<HatchedBox> hatched_boxes(const Heat& heat) {
    std::vector<HatchedBox> boxes;
    Index last = -2;
    for (const Index row : heat.hatched_rows) {
        if (!heat.values || row < 0 || row >= heat.values->rows()) continue;
        const Box box = row_box(heat, row);
        if (!(box.w > 0 && box.h > 0)) continue;
        if (row == last + 1 && !boxes.empty() && boxes.back().box.h < kThin) {
            boxes.back().box.h += box.h;
        } else {
            boxes.push_back({box, hatching(heat, row)});
        }
        last = row;
    }
    if (heat.values && heat.values->size() > 0) add_masked(boxes, heat);
    return below_veils(std::move(boxes), heat);
}

} // namespace heed::figure
