#include "lab/number_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::lab {

namespace {

std::string spread_of(const Number& number, double factor, int decimals) {
    // A spread of nothing but zeros would say that there is none.
    if (!(factor * number.spread * std::pow(10.0, decimals) >= 0.5)) return "";
    return fmt::format(" (± {:.{}f})", factor * number.spread, decimals);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "e-12" behind a digit, as printing has it: where it ends; `at` where there is none.
std::size_t end_of_power(const std::string& words, std::size_t at) {
    if (at == 0 || words[at] != 'e' || !is_digit(words[at - 1]) || at + 2 >= words.size()) {
        return at;
    }
    if ((words[at + 1] != '-' && words[at + 1] != '+') || !is_digit(words[at + 2])) return at;
    std::size_t end = at + 2;
    while (end < words.size() && is_digit(words[end])) ++end;
    return end;
}

/// "·10⁻¹²"; a lone 1 before it is left out.
void write_power(std::string& result, const std::string& power) {
    const std::size_t n = result.size();
    const char before = n > 1 ? result[n - 2] : ' ';
    const bool alone = n > 0 && result.back() == '1' && !is_digit(before) && before != '.';
    if (alone) result.pop_back();
    result += (alone ? "" : "·") + plain(fmt::format("10^{{{}}}", std::stoi(power)));
}

} // namespace

std::string digits_of(double value, int digits) {
    if (value == 0) return "0"; // never "-0"
    const double size = std::abs(value);
    const bool whole = size >= std::pow(10.0, digits) - 0.5 && size < 1e6; // 99.6 is 100
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits);
}

namespace {

/// A value above 0 in units of its last digit that counts, rounded by `round`.
template <class Round> std::string rounded(double value, int digits, Round&& round) {
    if (!(value > 0) || std::isinf(value)) return digits_of(value, digits);
    constexpr double kNoise = 1e-9; // of dividing: 0.3 is 3 units of 0.1, and no more
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
    return digits_of(round(value / unit, kNoise) * unit, digits);
}

} // namespace

std::string rounded_up(double value, int digits) {
    return rounded(value, digits, [](double n, double noise) { return std::ceil(n - noise); });
}

std::string rounded_down(double value, int digits) {
    return rounded(value, digits, [](double n, double noise) { return std::floor(n + noise); });
}

std::string in_words(const Number& number, int decimals) {
    return fmt::format("{:.{}f}", number.value, decimals) + spread_of(number, 1, decimals);
}

std::optional<int> shared_decimals(const Number& number) {
    constexpr int kMost = 5, kMostOfTwoDigits = 4;
    const double size = std::max(std::abs(number.value), number.spread);
    if (!(number.spread > 0) || !(size < 1e6) || size < 1e-3) return std::nullopt;
    int decimals = 1 - static_cast<int>(std::floor(std::log10(number.spread)));
    if (decimals > kMostOfTwoDigits) --decimals;
    if (decimals > kMost) return std::nullopt;
    return std::max(decimals, 0);
}

std::string in_digits(const Number& number, int digits) {
    if (const auto decimals = shared_decimals(number)) return in_words(number, *decimals);
    std::string value = digits_of(number.value, digits);
    if (!(number.spread > 0)) return value;
    return fmt::format("{} (± {})", value, digits_of(number.spread, digits));
}

std::string percent_of(const Number& share, int decimals) {
    return fmt::format("{:.{}f} %", 100 * share.value, decimals) + spread_of(share, 100, decimals);
}

std::string percent_in_digits(const Number& share, int digits) {
    Number percent = share;
    percent.value *= 100;
    percent.spread *= 100;
    const std::string words = in_digits(percent, digits);
    const std::size_t behind = words.find(" (");
    return words.substr(0, behind) + " %" + (behind < words.size() ? words.substr(behind) : "");
}

std::string points_of(const Number& difference) {
    const double points = std::round(100 * difference.value);
    return (points == 0 ? "0 points" : fmt::format("{:+.0f} points", points)) +
           spread_of(difference, 100, 0);
}

bool beyond_spread(const Number& difference, double least) {
    const double size = std::abs(difference.value);
    return size > least && std::round(100 * size) > std::round(100 * difference.spread);
}

std::string digits_text(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
    return tidy(digits_of(value, digits));
}

std::string fixed_text(double value, int decimals) {
    const double unit = std::pow(10.0, -decimals);
    if (value > 0 && value < unit / 2) return fmt::format("< {:.{}f}", unit, decimals);
    return fmt::format("{:.{}f}", value, decimals);
}

std::string grouped(std::string digits, std::size_t least) {
    if (digits.size() < least || !std::all_of(digits.begin(), digits.end(), is_digit)) {
        return digits;
    }
    for (std::size_t at = digits.size() - 3; at < digits.size(); at -= 3) {
        if (at > 0) digits.insert(at, ",");
    }
    return digits;
}

std::string tidy(const std::string& words) {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (const std::size_t end = end_of_power(words, i); end > i) {
            write_power(result, words.substr(i + 1, end - i - 1));
            i = end - 1;
            continue;
        }
        const bool begins = i == 0 || words[i - 1] == ' ' || words[i - 1] == '(';
        if (words[i] == '-' && begins && i + 1 < words.size() && is_digit(words[i + 1])) {
            result += "−";
        } else {
            result += words[i];
        }
    }
    while (!result.empty() && result.back() == ' ') result.pop_back();
    return result;
}

} // namespace heed::lab
