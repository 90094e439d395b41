// One side of an unrolled recurrent model: its steps, and the places of its cells and words.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

/// A layer in one direction over all steps.
struct UnrolledCells {
    std::string name{};                            // "layer 2 ←"
    bool reversed = false;                         // reads the last step first
    std::shared_ptr<const Matrix<float>> states{}; // steps × features
    num::RowVector<float> start{};                 // before the first step; empty: all 0
};

struct UnrolledSide {
    std::string name{};                // "encoder"
    std::vector<std::string> read{};   // the word that each step reads
    std::vector<std::string> said{};   // one a step; or one alone, after the last; or none
    std::vector<UnrolledCells> rows{}; // the lowest first; all of as many steps
    std::shared_ptr<const Matrix<float>> contexts{}; // steps × features, read at every step
    /// A step makes its state before its context, which its word and the next state read (Luong et
    /// al. 2015, section 3.3); else the state reads the context (Bahdanau et al. 2015).
    bool updates_first = false;

    int steps() const { return rows.empty() ? 0 : static_cast<int>(rows[0].states->rows()); }
    /// True where every step says a word of its own.
    bool says_each() const { return said.size() > 1 || (said.size() == 1 && steps() == 1); }
};

/// Places of one side on the paper: of its steps, its rows of cells and its words.
struct UnrolledBand {
    static constexpr float kWords = 24, kFlowUp = 20; // heights: a line of words, an arrow
    static constexpr float kContext = 14;
    static constexpr float kNames = 74; // of rows, on the left: at most
    static constexpr float kBetweenWords = 10;

    const UnrolledSide& side;
    bool decoder;
    int first = 0, last = 0; // steps that are shown
    float left = 0, pitch = 1, top = 0, cell = 1;
    float names = kNames, word = kWord.size; // widths of the names of rows, type of words
    float between = kBetweenWords;
    bool moves = false;    // words, from the middle of their step, where long ones need the room
    bool both_read = true; // what reads the highest layer reads both directions of every step
    std::optional<int> chosen{};

    bool has_words() const { return !side.said.empty(); }
    float x(int step) const { return left + (static_cast<float>(step - first) + 0.5f) * pitch; }
    float width() const { return std::min(0.56f * pitch, 46.f); }
    float context_width() const { return std::min(0.8f * pitch, 64.f); }
    /// The top of a row of cells; the lowest row is the first one.
    float y(std::size_t row) const {
        const auto above = static_cast<float>(side.rows.size() - 1 - row);
        return top + (has_words() ? kWords + kFlowUp : 0) + above * (cell + kFlowUp);
    }
    float bottom() const { return y(0) + cell + kFlowUp + kWords + below(); }
    float below() const { return side.contexts ? kContext + 8 : 0; }
    static float height(const UnrolledSide& side, float cell) {
        const auto rows = static_cast<float>(side.rows.size());
        return (side.said.empty() ? 0 : kWords + kFlowUp) + rows * (cell + kFlowUp) + kWords +
               (side.contexts ? kContext + 8 : 0);
    }
};

/// Points that a step takes at least: those whose words are read, or of all steps, where none has
/// to be left out for it.
inline constexpr float kNarrowestPitch = 34, kTightestPitch = 29;

/// "α₇ⱼ": the name of the weights of a step, which counts from 0.
std::string weights_name(int step);

/// Places steps, as many as have room, the chosen one among them. `starts`: a state before the
/// first step takes the place of one.
void place_unrolled(UnrolledBand& band, float left, float right, bool starts);
/// The width of the names of rows, which are as wide as has to be: what they leave is the words'.
float names_width(const Sheet& sheet, const std::vector<const UnrolledSide*>& sides, float room);
/// Gives all bands of a picture the largest type in which every word is whole, else the smallest.
void size_words(const Sheet& sheet, std::vector<UnrolledBand>& bands);
/// The type of the names of rows: no larger than the words.
inline TextStyle name_style(const UnrolledBand& band) { return {std::min(kNote.size, band.word)}; }
inline TextStyle strong_word(const UnrolledBand& band) {
    return {band.word, Font::sans, Weight::bold};
}
/// The numbers of the links of a step, one a word: with fewer digits where words are close, and
/// none with a 0 before the point where one has no room for it; empty where there is no link.
std::vector<std::string> link_numbers(const Sheet& sheet, const UnrolledBand& encoder,
                                      const num::RowVector<float>& weights);

/// The words below or above the steps that are shown, each as wide as it is where it is chosen.
struct StepWords {
    std::vector<float> widths;               // at the band's type
    float pitch = 1, before = 0, behind = 0; // how far the first and the last may reach
    float between = UnrolledBand::kBetweenWords;
    std::vector<float> moved{}; // to the right; empty where each is in the middle of its step

    /// The width that a word of its own may take: a long one may reach into the places of short
    /// neighbours.
    float room(std::size_t i) const;
    /// The edges of a word, from the middle of its step.
    float left(std::size_t i) const { return middle(i) - half(i); }
    float right(std::size_t i) const { return middle(i) + half(i); }
    float middle(std::size_t i) const { return moved.empty() ? 0 : moved[i]; }
    float half(std::size_t i) const { return std::min(widths[i], room(i)) / 2; }
};
StepWords words_at(const Sheet& sheet, const UnrolledBand& band,
                   const std::vector<std::string>& texts, bool below, float size);

/// Draws the words that the steps read and say, and of a decoder the names of both rows.
void draw_words(Sheet& sheet, const UnrolledBand& band);
/// Draws the word that is said once, from the last states alone, where it is.
void draw_one_word(Sheet& sheet, const UnrolledBand& band);

} // namespace heed::figure
