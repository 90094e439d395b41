// One sentence, several times below each other, its words on grounds that say how much of something
// each has.
#pragma once

#include "figure/base/sheet.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct TintedLine {
    std::string name;
    std::string note{};        // at the right of the name
    std::vector<float> shares; // one a word; NaN: it has no ground. Colours go to the largest size
    bool is_signed = false;
};

struct TintedText {
    std::vector<std::string> words;
    std::vector<TintedLine> lines;
    std::optional<int> second{}; // the word that begins the second sentence, on a row of its own
    std::optional<int> marked{}; // outlined
};

/// Words and lines that had no room.
struct TintedLeftOut {
    int words = 0;                    // of each line
    std::vector<std::string> lines{}; // their names
    bool is_nothing() const { return words == 0 && lines.empty(); }
};

/// The height at which all of it has its largest letters: of those with room in `most`, where some
/// that are read with ease have.
float tinted_text_height(const Sheet& sheet, const TintedText& text, float width, float most = 0);
/// True where all of it has room, its letters as small as they may be.
bool tinted_text_fits(const Sheet& sheet, const TintedText& text, const Box& box);
/// Draws it as large as fits. Where not even the smallest does, of the words those with the largest
/// shares are shown, an ellipsis for the others; where that were hardly any, the last lines are
/// left out. Targets: bars (place: word, series: line, part). Returns what is left out.
TintedLeftOut draw_tinted_text(Sheet& sheet, const TintedText& whole, const Box& box, int part);

} // namespace heed::figure
