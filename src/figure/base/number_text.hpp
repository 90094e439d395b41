// Numbers as figures write them: in every locale the same, with a true minus sign.
#pragma once

#include "num/matrix.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace heed::figure {

inline constexpr float kLeastBar = 0.0005f; // a smaller share is 0.000, and draws no bar or link

/// Rounded to `decimals` places, 0 to 6; "1e+09" from a million up; empty if not finite. Never
/// "−0".
std::string number_text(float value, int decimals);

/// Places after the point that suit numbers up to `largest` in a cell: 0.023, 1.20, 13.5, 240.
int decimals_for(float largest);

/// Text as by number_text, without the zeros at the end: "0.125", "2", "64".
std::string shortest_text(float value, int decimals);

/// A number too large or too small to be written out: "1.3·10⁶", "10⁻⁴"; "0". At most `decimals`
/// places after the point, 0 to 6.
std::string scientific_text(double value, int decimals = 1);

/// True of "10⁶": raised digits are too small to be told apart in the face of numbers.
bool has_raised_digits(std::string_view text);

/// A number with so many digits that count, without the zeros at the end: "63.71", "0.5", "−2";
/// scientific_text from a million up and below a thousandth.
std::string significant_text(double value, int digits);

/// A share, 0 to 1, or a change as a part of what it was: "15.2 %", "1.5 %", "0.12 %", "0 %",
/// "130.0 %". What is not nothing is never 0, and what is less than all never 100: "< 0.01 %",
/// "> 99.9 %"; of a fall "> −0.01 %", "< −99.9 %".
std::string percent_text(double share);
/// Weight of a softmax, 0 to 1: "0.597". What is less than all never reads 1, and what is not
/// nothing never 0: "> 0.999", "< 0.001"; "1.000" and "0.000" are exact.
std::string weight_text(float weight, int decimals = 3);
/// A row of weights, as these functions read it.
inline std::span<const float> span_of(const num::RowVector<float>& row) {
    return {row.data(), static_cast<std::size_t>(row.size())};
}
inline std::span<const float> row_of(const num::Matrix<float>& weights, num::Index row) {
    return {weights.row(row).data(), static_cast<std::size_t>(weights.cols())};
}

/// A weight of `row`, which softmax made: the next number below 1 where it is 1 and another weight
/// of the row is not 0. Of rows that sum to more than 1 (edited, or heads summed) the weight
/// itself.
float told_weight(float weight, std::span<const float> row);

/// weight_text() of that.
std::string row_weight_text(float weight, std::span<const float> row, int decimals = 3);

/// A weight by digits that count: "0.997", "3.5·10⁻¹⁹". What is less than 1 never reads 1:
/// "> 0.999999".
std::string weight_digits(float weight, int digits = 6);

/// Logarithm of a probability: "−2.87", of what is near 0 as many digits as show it, up to
/// "−0.0004"; what is nearer still is "0.00".
std::string log_probability_text(float value);
/// Probability of a softmax, in the same words: less than all also where it is rounded to 1.
std::string probability_text(double probability);

/// An end of a scale: about three digits, like the numbers beside it ("48.1", "71.0" of 71.04);
/// without the zeros at the end of what they are exactly ("1", "0.25"); scientific_text from a
/// million up and below a thousandth.
std::string scale_text(float value);
/// The low end, the middle and the high end of one scale, with equally many decimals: as many as
/// one of them needs, and as tell them apart (6 at most). 0 is "0"; what is not finite is empty.
std::array<std::string, 3> scale_texts(float low, float high);

/// True of three or more whole numbers that rise by the same from one to the next: what counts
/// columns.
bool count_evenly(std::span<const std::string> labels);

} // namespace heed::figure
