#include "figure/parts/strip.hpp"

#include "figure/base/value_range.hpp"
#include "figure/base/viewport.hpp"

#include <algorithm>

namespace heed::figure {

namespace {

/// The cells of a run, as far as they can be seen.
Box run_box(const Box& box, const Viewport& shown, const ChoiceRun& run, bool upright) {
    const Box first = cell_box(box, shown, upright ? run.first : 0, upright ? 0 : run.first);
    const auto cells = static_cast<float>(run.last - run.first);
    Box all = first;
    (upright ? all.h : all.w) *= cells;
    return common(all, box);
}

} // namespace

std::vector<ChoiceRun> choice_runs(const std::vector<int>& chosen, int count) {
    if (chosen.empty()) return {{0, count, true}};
    std::vector<ChoiceRun> runs;
    for (int i = 0; i < count; ++i) {
        const bool is = std::binary_search(chosen.begin(), chosen.end(), i);
        if (runs.empty() || runs.back().chosen != is) runs.push_back({i, i, is});
        runs.back().last = i + 1;
    }
    return runs;
}

Color veil(const Theme& theme) { return faded(theme.panel, theme.dark ? 0.72f : 0.74f); }

Veils veils_of(const Theme& theme, const std::vector<int>& rows, int n_rows,
               const std::vector<int>& cols, int n_cols) {
    const auto passed_over = [](const std::vector<int>& chosen, int count) {
        std::vector<Veils::Run> passed;
        for (const ChoiceRun& run : choice_runs(chosen, count))
            if (!run.chosen) passed.push_back({run.first, run.last});
        return passed;
    };
    return {passed_over(rows, n_rows), passed_over(cols, n_cols), veil(theme)};
}

void draw_strip(Sheet& sheet, const Box& box, const Strip& strip, StripOf of,
                const std::vector<int>& chosen, const Viewport& shown) {
    if (!strip.shares || strip.shares->size() == 0) return;
    const Theme& theme = sheet.theme();
    const auto rows = static_cast<int>(strip.shares->rows()),
               cols = static_cast<int>(strip.shares->cols());
    const bool upright = of == StripOf::queries || of == StripOf::layers;
    if (strip.tinted) {
        const float high = largest_size(*strip.shares);
        Heat heat{under_frame(box), strip.shares, theme.weights, 0, high > 0 ? high : 1, {}};
        if (shown != whole(rows, cols)) heat.shown = shown;
        const std::vector<int> all;
        heat.veils = veils_of(theme, upright ? chosen : all, rows, upright ? all : chosen, cols);
        sheet.figure.items.emplace_back(std::move(heat));
    } else {
        sheet.fill(box, theme.raised);
    }
    sheet.stroke(box, theme.border);
    if (!chosen.empty()) {
        for (const ChoiceRun& run : choice_runs(chosen, upright ? rows : cols)) {
            const Box seen = run_box(box, shown, run, upright);
            if (seen.w <= 0 || seen.h <= 0) continue;
            if (run.chosen) {
                sheet.stroke(seen, theme.accent, 1.5f);
            } else if (!strip.tinted) {
                sheet.fill(seen, veil(theme));
            }
        }
    }
    Box around = box;
    (upright ? around.x : around.y) -= kStripGap;
    (upright ? around.w : around.h) += 2 * kStripGap;
    sheet.target(around, tag::Strip{rows, cols, of});
    if (shown != whole(rows, cols)) sheet.figure.targets.back().shown = shown;
}

} // namespace heed::figure
