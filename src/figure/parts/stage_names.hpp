// Names beside a matrix in a card: of its rows at the left and, of a map, of its columns above it.
#pragma once

#include "figure/base/axis_labels.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// The name of a stage or, where that has no room, its short one, rather than half of a name.
std::string stage_label(const Sheet& sheet, const std::string& label, const TextStyle& style,
                        float room);

struct StageNames {
    LabelPlan before;               // of the rows
    std::optional<LabelPlan> above; // of the columns, of all or of some
    Box cells;                      // what they leave of the room
};

/// The row and the column that are chosen, whose names stand among those that are left of all.
struct StageChoice {
    std::optional<int> row{}, col{};
    float easy = 8; // type from which on a name is read with ease
    std::vector<int> unknown_rows{}, unknown_cols{}; // words that the model does not know
};

/// The names of a matrix of so many rows in a room; nothing where not each row's can be read. Of no
/// columns there are no names.
std::optional<StageNames> plan_stage_names(const Sheet& sheet, const std::vector<std::string>& rows,
                                           const std::vector<std::string>& cols, const Box& room,
                                           const StageChoice& choice = {});

/// The number of names that are seen; one that is hard to read is not counted whole, and fewer are
/// where no column has one.
float names_seen(const StageNames& names, const std::vector<std::string>& rows,
                 const std::vector<std::string>& cols, const StageChoice& choice = {});

/// The height from which on names have room above columns in a room so wide, with rows of this
/// height.
float stage_height(const Sheet& sheet, const std::vector<std::string>& rows,
                   const std::vector<std::string>& cols, float width, float row, float easy);

/// Draws them without targets: a card is picked as one.
void draw_stage_names(Sheet& sheet, const StageNames& names, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols, const StageChoice& choice = {});

/// Draws an outline about the cell of the row and the column that are chosen, where both are, and
/// outside of it, so that a small cell keeps its colour: two lines, one of which stands out from
/// any colour.
void outline_choice(Sheet& sheet, const Box& cells, Index rows, Index cols,
                    const StageChoice& choice);

} // namespace heed::figure
