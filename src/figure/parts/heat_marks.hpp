// Numbers and marks upon the cells of a heat map.
#pragma once

#include "figure/base/heat_grid.hpp"
#include "figure/base/value_range.hpp"

#include <optional>
#include <string>

namespace heed::figure {

/// Numbers of cells: how they are written.
struct CellNumbers {
    TextStyle style{12, Font::mono};
    int decimals = 2;
    bool narrow = false;  // bounds are written without their blank and their 0: "<.01"
    bool pointed = false; // weights, too: ".62", "1"
    std::string small{};  // what is not 0 and rounds to it; empty: as any other
};

/// Numbers that have room in the cells of a grid, no smaller than `smallest_digits`; nothing where
/// none has.
std::optional<CellNumbers> plan_numbers(const Sheet& sheet, const HeatGrid& grid,
                                        const MapData& map, const HeatmapOptions& options,
                                        float smallest_digits);

/// Draws marks, the lowest first: the bands of the selected cell's row and column, numbers, but of
/// what neither side chooses, the reasons of hatched rows, frames about the hovered and the
/// selected cell; struck cells below their numbers. `range`: what colours the cells.
void draw_cell_marks(Sheet& sheet, const HeatGrid& grid, const MapData& map,
                     const ValueRange& range, const HeatmapOptions& options,
                     const std::optional<CellNumbers>& numbers);
/// The edge of the cells, and the line that parts their rows and columns, where asked for.
void draw_edges(Sheet& sheet, const HeatGrid& grid, const HeatmapOptions& options);

/// Lights what a filter chooses of an axis alone: the selected one is drawn as others are.
void light_filter_alone(AxisMarks& marks);

/// True where cells are large enough to be struck, as a difference's are that one side alone masks.
bool strikes_cells(const HeatGrid& grid);
/// Strokes over two corners of a cell, as if below so many veils; its colour and number are seen.
void strike(Sheet& sheet, const Box& cell, int veils = 0);

/// Weight of a softmax in a narrow place, as wide as "0.60": ">.99" and "<.01" of what only rounds
/// to 1 or 0.
std::string short_weight_text(float weight, int decimals);

/// Marks of a small map. Something is wrong with its numbers: a frame, and a corner that is seen in
/// small ones too.
void mark_faulty(Sheet& sheet, const Box& box);
/// The veil over a head whose output goes nowhere: its map is still told below it.
void strike_through(Sheet& sheet, const Box& box);
/// The chosen cell of a map with room for it: framed, upon a line that parts it from any colour.
void mark_cell(Sheet& sheet, const Box& map, const Matrix<float>& values,
               const std::pair<int, int>& at);
/// A head that is kept beside others.
void mark_kept(Sheet& sheet, const Box& box);

} // namespace heed::figure
