// The places of a beam search's nodes: which steps and words have room, and how large they are.
#pragma once

#include "figure/base/sheet.hpp"
#include "trace/beam.hpp"

#include <cstddef>
#include <vector>

namespace heed::figure {

/// The nodes that are shown, and their places.
struct BeamLayout {
    static constexpr float kMore = 22; // points at a side, for the way to steps that have no room
    static constexpr float kStub = 12; // points at a side, for the ways between bands of steps
    static constexpr float kNarrowest = 92, kLowest = 19; // of a step and of a node

    const trace::Beam& beam;
    std::vector<std::vector<int>> steps; // of each step its nodes, the most probable first
    std::vector<int> row;                // of each node, −1 where it has no place
    std::vector<bool> best, followed, lives;
    int first = 0, last = 0; // steps that are shown, up to and without last
    int end = 0; // of the followed hypothesis, which what is looked at does not leave by itself
    float top = 0, down = 1, between = 0;
    float word = 0;                     // type
    std::vector<float> lefts{}, wide{}; // of each step that is shown
    bool all_rows = true;

    explicit BeamLayout(const trace::Beam& of);
    std::size_t column(int step) const { return static_cast<std::size_t>(step - first); }
    Box box(int node) const;
    bool shows(int node) const;
    /// True where a node's score is below its word.
    bool has_two_lines() const;
    /// The rows that all nodes take, with those that stay empty behind what has ended.
    int widest() const;
    /// The rows that a step takes of its place; that the steps in sight take.
    int rows_of(int step) const;
    int rows_shown() const;
};

/// Heights of the sentences below the tree.
struct BeamSentences {
    static constexpr float kLine = 20, kAbove = 12; // at least; above the first
    static float height(std::size_t count) {
        return count == 0 ? 0 : 2 + kAbove + kLine * static_cast<float>(count);
    }
};

/// Type of the scores beside or under words of this type.
float beam_score_size(float word);

/// The rows of each step at the most, and their height.
struct BeamRows {
    int most = 1;
    float pitch = 46;  // of a picture of its own height
    bool lists = true; // there is room for one sentence below at the least
};

/// Rows that leave room for all of the sentences below, if need be without words that the search
/// dropped, or in one line each; else for as many as fit below rows that are as low as they get.
BeamRows beam_rows(const BeamLayout& tree, float high, int widest);

/// Gives the best of each step their rows, and the steps about `middle` their places, with a way to
/// the others at the sides. `high`: the height of rows and sentences, which rows in sight share
/// where they are fewer than others; 0 where they have their own height.
void place_beam(const Sheet& sheet, BeamLayout& tree, const BeamRows& rows, float high, int middle);

/// All steps in bands below each other, of which each is as long as the others or one step shorter,
/// with the way in and out at their sides: for a page, which nobody can move.
std::vector<BeamLayout> beam_bands(const Sheet& sheet, const BeamLayout& tree, int rows);

} // namespace heed::figure
