// Words at the side of a picture, or where it is narrow below it.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/parts/card.hpp"

#include <string>
#include <vector>

namespace heed::figure {

struct InsideFact {
    std::string name, value;
    std::string brief{}; // where a name of its list has no room; empty: as it is
};
/// A verdict, and numbers with their names below it.
struct InsideBeside {
    std::string verdict{};
    std::vector<InsideFact> facts{};
};

/// Points that words take at the right of a picture; 0 where it is too narrow.
float words_beside(float width);
/// Points that all of them need in that width.
float beside_height(const Sheet& sheet, const InsideBeside& beside, float width);
/// Points that the numbers take in a narrow place.
float facts_height(const InsideBeside& beside);
/// The place for the picture that they leave.
Box place_beside(const Sheet& sheet, const InsideBeside& beside, const Box& box);
/// Draws them, and returns that place: at their left or, in a narrow place, above them; the facts
/// are left out there unless it is high. None are drawn in a low one.
Box beside_words(Sheet& sheet, const InsideBeside& beside, const Box& box);

/// The words of two cards, one below the other.
struct WordsOfTwo {
    const InsideBeside &above, &below;
};
/// The height that is left in a narrow place for the upper picture, where all words of both stand
/// below theirs; 0 in a wide one.
float room_above_words(const Sheet& sheet, const WordsOfTwo& words, const Box& whole);
/// Rows of both cards in a place: the upper one as high as its words or its text, which is `text`
/// high, below it the other.
std::vector<CardRow> rows_with_words(const Sheet& sheet, const WordsOfTwo& words, float text,
                                     const Box& whole);
/// Points that they need for all of their words on such a sheet; 0 where none stand at the side.
float height_with_words(const Sheet& sheet, const WordsOfTwo& words);

} // namespace heed::figure
