// The Unrolled view: a recurrent model with every step of it laid out, cells as live stripes.
#pragma once

#include "figure/base/frame.hpp"
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
    bool both_read = true; // what reads the highest layer reads both directions of every step
    std::optional<int> chosen{};

    bool has_words() const { return !side.said.empty(); }
    float x(int step) const { return left + (static_cast<float>(step - first) + 0.5f) * pitch; }
    float width() const { return std::min(0.56f * pitch, 46.f); }
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

struct UnrolledData {
    std::string title{}, subtitle{};
    std::optional<UnrolledSide> encoder{}, decoder{};
    std::string seed{}; // the word whose vector the decoder starts from, where there is no encoder
    /// The weights with which the chosen step reads the encoder's states; empty: it reads none.
    num::RowVector<float> weights{};
    /// The encoder's step whose forward state every step reads, in place of weights; backwards it
    /// reads that of the first.
    std::optional<int> last_read{};
};

struct UnrolledOptions {
    std::optional<int> step{}, word{}; // of the decoder, of the encoder: they stand out
};

/// The offset of the decoder's rows in `which` of a stripe's tag, which is the row of `rows`.
inline constexpr int kDecoderRows = 1000;

/// The encoder below, the decoder above, each from left to right; between them what the chosen
/// step reads, as wide as its weights. Of more steps than have room those around the chosen ones
/// are shown. Targets: stripes (of a step of their side; `which`: see kDecoderRows), labels of
/// columns (the encoder's steps) and of rows (the decoder's).
Figure unrolled(const UnrolledData& data, const UnrolledOptions& options, const Frame& frame);

} // namespace heed::figure
