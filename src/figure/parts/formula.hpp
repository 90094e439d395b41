// Formulas and words with small markup, set as text and lines: _{…} lowers and ^{…} raises,
// \frac{above}{below} and \sqrt{…} are fractions and roots. Greek letters and signs are themselves.
// What is no markup is set as it stands.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/base/sheet.hpp"

#include <string_view>

namespace heed::figure {

/// The extent of a formula that is set, from its baseline.
struct FormulaExtent {
    float width = 0, above = 0, below = 0; // points
};

FormulaExtent formula_extent(const Sheet& sheet, std::string_view markup, const TextStyle& style);
/// `at`: the baseline's left end. Returns the width.
float draw_formula(Sheet& sheet, std::string_view markup, Point at, const TextStyle& style,
                   Color color);
/// Words broken at spaces into lines of `width`; `top`: the upper left corner. A paragraph ends at
/// "\n". Returns the y below the last line.
float draw_words(Sheet& sheet, std::string_view markup, Point top, float width,
                 const TextStyle& style, Color color);

/// True where every brace is closed and every \ begins a fraction or a root with its parts.
bool is_well_formed(std::string_view markup);

/// A formula alone, as large as it is or, `frame.width`, as small as has to be to fit. Its text
/// dump is of its primitives.
Figure formula_figure(std::string_view markup, const TextStyle& style, Color color,
                      const Frame& frame);
/// Words alone, `frame.width` wide and as high as they are.
Figure words_figure(std::string_view markup, const TextStyle& style, Color color,
                    const Frame& frame);

} // namespace heed::figure
