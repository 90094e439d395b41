#include "figure/base/round_ticks.hpp"

#include "figure/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>

namespace heed::figure {

namespace {

/// The number of steps from the multiple below `low` to the one above `high`.
long steps_over(float low, float high, float step) {
    const float first = std::floor(low / step + 1e-4f), last = std::ceil(high / step - 1e-4f);
    return std::lround(last - first);
}

/// The least step with at most `most` ticks.
float step_over(float low, float high, int most) {
    constexpr int kDecades = 9; // more than a float tells apart
    const float first = std::floor(std::log10((high - low) / 10));
    for (int decade = 0; decade < kDecades; ++decade) {
        for (const float factor : {1.f, 2.f, 5.f}) {
            const float step = factor * std::pow(10.f, first + static_cast<float>(decade));
            if (steps_over(low, high, step) < most) return step;
        }
    }
    return high - low;
}

std::string power_of_ten_text(float value) {
    return value >= 0.9e-3f && value < 0.9e4f ? shortest_text(value, 3) : scientific_text(value);
}

} // namespace

std::vector<ValueTick> round_ticks(float low, float high, int most) {
    if (!std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
    if (!(high > low)) high = low + 1;
    most = std::max(most, low < 0 && high > 0 ? 3 : 2);
    const float step = step_over(low, high, most);
    int decimals = 0; // as many as the step has
    for (float rest = step; decimals < 6 && std::abs(rest - std::round(rest)) > 1e-3f * step;
         rest *= 10) {
        ++decimals;
    }
    const float first = std::floor(low / step + 1e-4f);
    // All are written alike, as the largest has to be.
    const bool powers = step < 1e-5f || std::max(std::abs(low), std::abs(high)) >= 1e5f;
    std::vector<ValueTick> ticks;
    for (long i = 0; i <= std::max(steps_over(low, high, step), 1L); ++i) {
        const float value = (first + static_cast<float>(i)) * step;
        ticks.push_back({value, value == 0 ? "0"
                                : powers   ? scientific_text(value)
                                           : number_text(value, decimals)});
    }
    return ticks;
}

std::vector<ValueTick> power_ticks(float low, float high, int most) {
    constexpr float kBeyond = 0.1f; // of exponents: a quarter
    const int first = static_cast<int>(std::floor(low + kBeyond));
    const int last = std::max(static_cast<int>(std::ceil(high - kBeyond)), first + 1);
    const int step = std::max(1, (last - first + std::max(most, 2) - 2) / (std::max(most, 2) - 1));
    std::vector<ValueTick> ticks;
    for (int exponent = first; exponent < last + step; exponent += step) {
        const auto place = static_cast<float>(exponent);
        ticks.push_back({place, power_of_ten_text(std::pow(10.f, place))});
    }
    return ticks;
}

std::vector<ValueTick> log_ticks(float low, float high, int most) {
    constexpr float kHair = 1e-3f; // of an end, which may itself be a tick
    const auto from = static_cast<int>(std::floor(std::log10(low) + kHair));
    const auto to = static_cast<int>(std::ceil(std::log10(high) - kHair));
    const auto inside = [&](std::initializer_list<float> digits, int step) {
        std::vector<ValueTick> ticks;
        for (int exponent = from; exponent <= to; ++exponent) {
            if (exponent % step != 0) continue;
            for (const float digit : digits) {
                const float value = digit * std::pow(10.f, static_cast<float>(exponent));
                if (value < low * (1 - kHair) || value > high * (1 + kHair)) continue;
                ticks.push_back({value, power_of_ten_text(value)});
            }
        }
        return ticks;
    };
    most = std::max(most, 1);
    std::vector<ValueTick> ticks = inside({1, 2, 5}, 1);
    for (int step = 1; static_cast<int>(ticks.size()) > most; ++step) ticks = inside({1}, step);
    return ticks;
}

} // namespace heed::figure
