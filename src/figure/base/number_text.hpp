// Numbers as figures write them: in every locale the same, with a true minus sign.
#pragma once

#include <string>

namespace heed::figure {

inline constexpr float kLeastBar = 0.0005f; // a smaller weight is 0.000, and draws no bar

/// Rounded to `decimals` places, 0 to 6; "1e+09" from a million up; empty if not finite. Never
/// "−0".
std::string number_text(float value, int decimals);

/// Places after the point that suit numbers up to `largest` in a cell: 0.023, 1.20, 13.5, 240.
int decimals_for(float largest);

/// As number_text, without the zeros at the end: "0.125", "2", "64".
std::string shortest_text(float value, int decimals);

/// Of numbers too large or too small to be written out: "1.3·10⁶", "10⁻⁴"; "0".
std::string scientific_text(float value);

/// For the ends of a scale: about three digits, no needless zeros beyond one ("1.0", "0.25", "48").
std::string scale_text(float value);

} // namespace heed::figure
