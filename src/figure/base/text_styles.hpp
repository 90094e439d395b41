// Styles of text that several plots share.
#pragma once

#include "figure/base/sheet.hpp"

namespace heed::figure {

inline constexpr TextStyle kNote{type_size::kNote}, kMonoNote{type_size::kNote, Font::mono};
inline constexpr TextStyle kWord{14}; // of a sentence
inline constexpr TextStyle kSymbol{13, Font::sans, Weight::bold}, kFormula{12};
inline constexpr float kNoteHeight = 22; // of a line of notes below a picture

} // namespace heed::figure
