#include "figure/base/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heed::figure {

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

std::string scale_text(float value) {
    const float size = std::abs(value);
    int decimals = 2;
    if (size >= 100)
        decimals = 0;
    else if (size >= 10)
        decimals = 1;
    else if (size > 0 && size < 0.1f)
        decimals = 4;
    std::string text = number_text(value, decimals);
    if (size >= 1e6f) return text;
    const auto point = text.find('.');
    while (point != std::string::npos && text.size() > point + 2 && text.back() == '0') {
        text.pop_back();
    }
    return text;
}

} // namespace heed::figure
