#include "figure/base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heed::figure {

namespace {

/// True of a number that is written as a power of ten.
bool is_power(float value) {
    const float size = std::abs(value);
    return size >= 1e6f || (size > 0 && size < 1e-3f);
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

std::string scientific_text(float value) {
    if (value == 0 || !std::isfinite(value)) return number_text(value, 0);
    const float size = std::abs(value);
    int exponent = static_cast<int>(std::floor(std::log10(size)));
    float digits = std::round(size / std::pow(10.f, static_cast<float>(exponent)) * 10) / 10;
    if (digits >= 10) {
        digits /= 10;
        ++exponent;
    }
    constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string power = exponent < 0 ? "⁻" : "";
    for (const char c : std::to_string(std::abs(exponent))) power += kRaised[c - '0'];
    return (value < 0 ? "−" : "") + (digits == 1 ? "" : shortest_text(digits, 1) + "·") + "10" +
           power;
}

std::string significant_text(double value, int digits) {
    if (!std::isfinite(value)) return {};
    if (is_power(static_cast<float>(value))) return scientific_text(static_cast<float>(value));
    const double size = std::abs(value);
    const std::string text = size < std::pow(10.0, digits) ? fmt::format("{:.{}g}", size, digits)
                                                           : fmt::format("{:.0f}", size);
    return value < 0 ? "−" + text : text;
}

std::string percent_text(double share) {
    if (!std::isfinite(share)) return {};
    const double percent = 100 * share, size = std::abs(percent);
    if (size < 0.01) return percent > 0 ? "< 0.01 %" : "0 %";
    if (percent >= 99.95 && percent < 100) return "> 99.9 %";
    const int decimals = size >= 100 ? 0 : size < 0.995 ? 2 : 1;
    return number_text(static_cast<float>(percent), decimals) + " %";
}

std::string scale_text(float value) {
    return is_power(value) ? scientific_text(value) : shortest_text(value, scale_decimals(value));
}

std::array<std::string, 3> scale_texts(float low, float high) {
    const std::array<float, 3> values{low, low + (high - low) / 2, high};
    const float largest = std::max(std::abs(low), std::abs(high));
    std::size_t decimals = 0;
    for (const float value : values) {
        const std::string text = shortest_text(value, scale_decimals(largest));
        const auto point = text.find('.');
        if (point != std::string::npos) decimals = std::max(decimals, text.size() - point - 1);
    }
    std::array<std::string, 3> texts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        texts[i] = is_power(largest) ? scientific_text(values[i])
                                     : number_text(values[i], static_cast<int>(decimals));
        if (texts[i].find_first_not_of("0.") == std::string::npos) texts[i] = "0";
    }
    return texts;
}

} // namespace heed::figure
