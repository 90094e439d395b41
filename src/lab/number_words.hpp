// Measured numbers as sentences have them: with their spread over the seeds.
#pragma once

#include "lab/page.hpp"

#include <optional>
#include <string>

namespace heed::lab {

/// "0.45 (± 0.30)"; "0.45" of a number without a spread, or with one that these decimals hide.
std::string in_words(const Number& number, int decimals = 2);
/// Number by digits that count: "0.013", "68"; beside a spread by shared_decimals(): "0.0126 (±
/// 0.0047)", "68 (± 20)".
std::string in_digits(const Number& number, int digits = 2);
/// The places after the point of a mean and of its spread alike: as many as tell two digits of the
/// spread, of a small one but one. Nothing where one of them is written as a power of ten.
std::optional<int> shared_decimals(const Number& number);
/// A share: "76 % (± 10)", "2.6 % (± 4.5)" with one decimal.
std::string percent_of(const Number& share, int decimals = 0);
/// A share by digits that count: "43 %", "0.0013 %", "42.6 % (± 1.2)".
std::string percent_in_digits(const Number& share, int digits = 2);
/// A difference of shares: "+13 points (± 5)".
std::string points_of(const Number& difference);

/// True where a difference is larger than `least` and than its spread, as points_of() and
/// in_words() show both: +2 points (± 2) is none.
bool beyond_spread(const Number& difference, double least);

/// A number by digits that count, as it is printed: "0.013", "68", "-1200", "3e-05".
std::string digits_of(double value, int digits);
/// A number so, as plain text: "−1.2346", "1.2·10⁻⁵", "−∞"; "–" of NaN.
std::string digits_text(double value, int digits);

/// A number from 0 up with these places after the point; what is not nothing is never 0: "0.033",
/// "< 0.001".
std::string fixed_text(double value, int decimals);

/// Bounds: a value above 0 by digits that count, rounded away from what it bounds. "5e-17" is what
/// 4.4e-17 stays within, and 0.53 what 0.538 is at least.
std::string rounded_up(double value, int digits);
std::string rounded_down(double value, int digits);

/// Whole numbers of so many digits and more in groups: "12,960", "9000"; other words as they are.
std::string grouped(std::string digits, std::size_t least = 5);

/// Words as sentences are shown: numbers with a true minus sign and powers of ten raised ("3e-12"
/// becomes "3·10⁻¹²"), and no space behind the last word.
std::string tidy(const std::string& words);

} // namespace heed::lab
