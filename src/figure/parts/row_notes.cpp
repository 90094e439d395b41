#include "figure/base/heat_grid.hpp"

namespace heed::figure {

void draw_row_notes(Sheet& sheet, const HeatGrid& grid, const std::vector<RowNote>& notes,
                    float edge, float label_size) {
    constexpr TextStyle style{9.5f};
    constexpr float kFromGrid = 6, kThickness = 3; // of the mark
    const LabelRange seen = grid.rows_seen();
    for (const RowNote& note : notes) {
        if (note.row >= grid.rows) continue;
        Box row = grid.cell(static_cast<int>(note.row), 0);
        row.x = grid.box.x;
        row.w = grid.box.w;
        row = common(row, grid.box);
        if (row.h <= 0) continue;
        const Color ink = note.bad ? sheet.theme().bad : sheet.theme().accent;
        const float inset = std::min(row.h * 0.2f, 4.0f);
        sheet.fill({edge + kFromGrid, row.y + inset, kThickness, row.h - 2 * inset}, ink, 1);
        if (note.bad) sheet.stroke(row, ink, 1.5f);
        const float middle = row.y + row.h / 2 + label_size / 2;
        const bool fits = grid.cell_h >= label_size + 2 * (style.size + 4);
        if (!fits || !HeatGrid::within(seen, static_cast<int>(note.row))) continue;
        sheet.text(sheet.fitted(note.words, style, edge - sheet.margin() / 2),
                   {edge, middle + style.size}, style, ink, AlignX::right);
    }
}

/// One reason for each run of hatched rows, in its middle.
void draw_reasons(Sheet& sheet, const HeatGrid& grid, std::vector<Index> rows) {
    constexpr TextStyle style{11};
    std::sort(rows.begin(), rows.end());
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t last = first;
        while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1) ++last;
        Box run = grid.cell(static_cast<int>(rows[first]), 0);
        run.h *= static_cast<float>(last + 1 - first);
        run.x = grid.box.x;
        run = common(run, grid.box);
        const float top = run.y, height = run.h;
        first = last + 1;
        if (height < 14 || rows[last] >= grid.rows) continue;
        const std::string reason = sheet.fitted("no key: all are masked", style, grid.box.w - 16);
        if (reason.empty()) continue;
        const float width = sheet.width_of(reason, style) + 12;
        const Point centre{grid.box.x + grid.box.w / 2, top + height / 2};
        sheet.fill({centre.x - width / 2, centre.y - 9, width, 18}, sheet.theme().panel, 4);
        sheet.text(reason, centre, style, sheet.theme().muted, AlignX::centre, AlignY::middle);
    }
}

} // namespace heed::figure
