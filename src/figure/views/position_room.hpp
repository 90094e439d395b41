// The Positions room: how a model knows the order of its tokens, in three pictures. Positions and
// dimensions are written from 1, as tokens are, and are from 0 here.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/parts/series_chart.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct PositionRoomData {
    std::string title{};    // "Sinusoidal positions"
    std::string subtitle{}; // "d_model 512 · 128 positions · base 10 000"
    /// Positions × dimensions; null where positions are no table.
    std::shared_ptr<const Matrix<float>> table{};
    std::string table_subtitle{}; // what its numbers are, where that is no matter of course
    std::string no_table = "No positions are added to the embedding"; // said in its place
    std::vector<Index> dimensions{}; // whose curves are drawn; others than the table's are left out
    /// The table between positions, too, where there is something: position i is the row i ·
    /// between.
    std::shared_ptr<const Matrix<float>> waves{};
    int between = 1;
    std::string dimension_word = "dimension"; // "pair" where a column is one of rotary's pairs

    /// One number for each offset first_offset, first_offset + 1, …: p(t) · p(t + Δ) of a table,
    /// the rotary sum of cosines, or what a head adds to its scores (ALiBi, relative).
    int first_offset = 0;
    std::vector<Series> offsets{};
    std::string offsets_title = "Products by offset"; // "p(t) · p(t + Δ)"
    std::string offsets_subtitle{};
    std::string no_offsets = "Scores do not depend on places"; // said where there are none
};

struct PositionRoomOptions {
    std::optional<int> position{};  // marked in the picture and in the curves, with their values
    std::optional<int> dimension{}; // marked in the picture
    std::optional<int> offset{};    // marked among the products
};

/// The part that a target belongs to: `part` of its tag.
enum class PositionPart { picture, curves, offsets };

/// All three as cards. Targets: cells; of the picture positions × dimensions, of the curves
/// 1 × positions, of the offsets 1 × offsets.
Figure position_room(const PositionRoomData& data, const PositionRoomOptions& options,
                     const Frame& frame);
/// One of them alone.
Figure position_part(const PositionRoomData& data, PositionPart part,
                     const PositionRoomOptions& options, const Frame& frame);

/// Four neighbouring dimensions, two waves each by its sine and cosine, that turn a few times in a
/// sentence: a fifth of the way, so numbers 4 to 7 of 20 (Rush 2018, The Annotated Transformer).
std::vector<Index> telling_dimensions(Index count);

} // namespace heed::figure
