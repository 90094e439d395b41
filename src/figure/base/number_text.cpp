#include "figure/base/number_text.hpp"

#include "lab/number_words.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

namespace heed::figure {

namespace {

/// True of a number that is written as a power of ten.
bool is_power(double value) {
    const double size = std::abs(value);
    return std::isfinite(size) && (size >= 1e6 || (size > 0 && size < 1e-3));
}

/// Places after the point of about three digits.
int scale_decimals(float value) {
    const float size = std::abs(value);
    if (size >= 100) return 0;
    if (size >= 10) return 1;
    return size > 0 && size < 0.1f ? 4 : 2;
}

} // namespace

std::string number_text(float value, int decimals) {
    if (!std::isfinite(value)) return {};
    char buffer[64];
    const bool large = std::abs(value) >= 1e6f;
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value),
                                   large ? std::chars_format::scientific : std::chars_format::fixed,
                                   large ? 0 : std::clamp(decimals, 0, 6));
    const std::string digits(buffer, end.ptr);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !zero ? "−" + digits : digits;
}

int decimals_for(float largest) {
    const float size = std::abs(largest);
    if (size < 0.1f) return 3;
    if (size < 10) return 2;
    return size < 100 ? 1 : 0;
}

std::string shortest_text(float value, int decimals) {
    std::string text = number_text(value, decimals);
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

bool has_raised_digits(std::string_view text) {
    constexpr std::string_view kRaised[] = {"⁻", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (auto ten = text.find("10"); ten != text.npos; ten = text.find("10", ten + 1)) {
        const std::string_view behind = text.substr(ten + 2);
        if (std::ranges::any_of(kRaised, [&](auto digit) { return behind.starts_with(digit); }))
            return true;
    }
    return false;
}

std::string scientific_text(double value, int decimals) {
    if (!std::isfinite(value)) return {};
    if (value == 0) return "0";
    const double size = std::abs(value), places = std::pow(10.0, decimals);
    int exponent = static_cast<int>(std::floor(std::log10(size)));
    // Of the least doubles the power alone would be 0.
    const double power = exponent < -300 ? 1e-300 : std::pow(10.0, exponent);
    double digits = size / power * (exponent < -300 ? std::pow(10.0, -300 - exponent) : 1);
    digits = std::round(digits * places) / places;
    if (digits >= 10) {
        digits /= 10;
        ++exponent;
    }
    constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string raised = exponent < 0 ? "⁻" : "";
    for (const char c : std::to_string(std::abs(exponent))) raised += kRaised[c - '0'];
    const std::string factor =
        digits == 1 ? "" : shortest_text(static_cast<float>(digits), decimals) + "·";
    return (value < 0 ? "−" : "") + factor + "10" + raised;
}

std::string significant_text(double value, int digits) {
    if (!std::isfinite(value)) return {};
    if (is_power(value)) return scientific_text(value);
    return (value < 0 ? "−" : "") + lab::digits_of(std::abs(value), digits);
}

std::string percent_text(double share) {
    if (!std::isfinite(share)) return {};
    if (share == 0) return "0 %";
    const double percent = 100 * share, size = std::abs(percent);
    if (size < 0.01) return share < 0 ? "> −0.01 %" : "< 0.01 %";
    if (size >= 99.95 && size < 100) return share < 0 ? "< −99.9 %" : "> 99.9 %";
    const bool all = size >= 100 && size < 100.05; // or a sum's hair above
    const int decimals = size < 0.995 ? 2 : all || size >= 999.95 ? 0 : 1;
    return number_text(static_cast<float>(percent), decimals) + " %";
}

std::string weight_text(float weight, int decimals) {
    const float step = std::pow(10.f, static_cast<float>(-decimals));
    const std::string words = number_text(weight, decimals);
    if (weight > 0 && weight < step && words == number_text(0, decimals)) {
        return "< " + number_text(step, decimals);
    }
    if (weight < 1 && weight > 1 - step && words == number_text(1, decimals)) {
        return "> " + number_text(1 - step, decimals);
    }
    return words;
}

float told_weight(float weight, std::span<const float> row) {
    constexpr float kRounding = 1e-5f;    // of a sum of weights, such as those of a word
    constexpr double kMostOfSum = 1.0001; // a row that is larger is of no softmax
    if (!(weight >= 1) || weight > 1 + kRounding) return weight;
    const auto others = std::ranges::count_if(row, [](float other) { return other > 0; });
    if (others < 2 || std::accumulate(row.begin(), row.end(), 0.0) > kMostOfSum) return weight;
    return std::nextafter(1.0f, 0.0f);
}

std::string row_weight_text(float weight, std::span<const float> row, int decimals) {
    return weight_text(told_weight(weight, row), decimals);
}

std::string weight_digits(float weight, int digits) {
    const std::string words = lab::digits_text(static_cast<double>(weight), digits);
    if (!(weight < 1) || words != "1") return words;
    return "> 0." + std::string(static_cast<std::size_t>(std::max(digits, 1)), '9');
}

std::string log_probability_text(float value) {
    constexpr int kLeast = 2, kMost = 4;
    for (int digits = kLeast; digits <= kMost; ++digits) {
        const std::string words = number_text(value, digits);
        if (!(value < 0) || words.find_first_of("123456789") != words.npos) return words;
    }
    return number_text(0, kLeast);
}

std::string probability_text(double probability) {
    return percent_text(std::min(probability, 1 - 1e-9));
}

namespace {

/// Without the zeros at the end where no digit behind them is left out: "71" of 71, "71.0"
/// of 71.04.
std::string exact_or_whole(float value, int decimals) {
    constexpr double kRounding = 1e-5;
    const double places = std::pow(10.0, decimals), size = std::abs(static_cast<double>(value));
    const bool exact = std::abs(std::round(size * places) / places - size) <= kRounding * size;
    return exact ? shortest_text(value, decimals) : number_text(value, decimals);
}

} // namespace

std::string scale_text(float value) {
    return is_power(static_cast<double>(value)) ? scientific_text(static_cast<double>(value))
                                                : exact_or_whole(value, scale_decimals(value));
}

std::array<std::string, 3> scale_texts(float low, float high) {
    constexpr int kMost = 6;
    const float half = (high - low) / 2, largest = std::max(std::abs(low), std::abs(high));
    const std::array<float, 3> values{low, low + half, high};
    const bool powers = is_power(static_cast<double>(largest));
    const bool spans = std::isfinite(half) && half > 0;
    int decimals = powers ? 1 : 0;
    for (const float value : values) {
        if (powers) break;
        const std::string text = exact_or_whole(value, scale_decimals(largest));
        const auto point = text.find('.');
        if (point == std::string::npos) continue;
        decimals = std::max(decimals, static_cast<int>(text.size() - point - 1));
    }
    // As many as tell the three apart.
    if (spans && !powers) {
        const auto apart = static_cast<int>(std::ceil(-std::log10(half) - 1e-4f));
        decimals = std::max(decimals, std::min(apart, kMost));
    }
    std::array<std::string, 3> texts;
    for (;; ++decimals) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            texts[i] = powers ? scientific_text(static_cast<double>(values[i]), decimals)
                              : number_text(values[i], decimals);
            const bool zero = texts[i].find_first_not_of("0.") == std::string::npos;
            if (zero && !texts[i].empty()) texts[i] = "0";
        }
        const bool differ = texts[0] != texts[1] && texts[1] != texts[2];
        if (differ || !spans || decimals >= kMost) return texts;
    }
}

bool count_evenly(std::span<const std::string> labels) {
    constexpr std::size_t kFewestCounts = 3;
    if (labels.size() < kFewestCounts) return false;
    std::optional<int> before, step;
    for (const std::string& label : labels) {
        int number = 0;
        const char* end = label.data() + label.size();
        const auto read = std::from_chars(label.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end) return false;
        if (before && (number <= *before || step.value_or(number - *before) != number - *before)) {
            return false;
        }
        if (before) step = number - *before;
        before = number;
    }
    return true;
}

} // namespace heed::figure
