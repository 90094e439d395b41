// Parts of the Step view: its equations and what its colours are; and the lower half, a decoder's
// cell with its gates, and the words that follow.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/views/decoder_step.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// "eᵢⱼ = …   αᵢⱼ = …   cᵢ = …" in so many lines at the most. What is done to a head's scores, its
/// own has.
std::vector<std::string> equations_of(const Sheet& sheet, const DecoderStepData& data,
                                      std::size_t most);
inline constexpr float kEquation = 22; // height of the first line, with the air around it
float equations_height(const std::vector<std::string>& equations);
void draw_equations(Sheet& sheet, const std::vector<std::string>& lines, float y);

/// The ranges of a step's colours, in words.
std::vector<ColourKey> keys_of_step(const Theme& theme, const DecoderStepData& data);

/// Points: the least, with few of the words and one layer alone; with all words; and with air.
struct UpdateHeights {
    float least = 0, whole = 0, wanted = 0;
};
UpdateHeights update_heights(const DecoderStepData& data);
/// The height of an update whose words stand below its cell.
float column_update_height(const DecoderStepData& data);

/// The places, in the attention above the update, of what flows between them.
struct AttentionPlaces {
    Box context;    // c_i
    Point compared; // what s_i is compared through: the left end of its stripe
};

/// `ordinal`: what the update is among the parts of a step. `above`: unset in a decoder without
/// attention. Of several layers the last alone has its gates where there is no room, and the
/// least probable words are among the others.
void draw_update(Sheet& sheet, const DecoderStepData& data, int ordinal,
                 const std::optional<AttentionPlaces>& above, const Box& place);
/// Update as draw_update() has it, with the words below the cell: as high as
/// column_update_height().
void draw_update_in_column(Sheet& sheet, const DecoderStepData& data, int ordinal,
                           const std::optional<AttentionPlaces>& above, const Box& place);

} // namespace heed::figure
