#include "figure/base/round_ticks.hpp"

#include "figure/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace heed::figure {

namespace {

/// How many steps reach from the multiple below `low` to the one above `high`.
long steps_over(float low, float high, float step) {
    const float first = std::floor(low / step + 1e-4f), last = std::ceil(high / step - 1e-4f);
    return std::lround(last - first);
}

} // namespace

std::vector<ValueTick> round_ticks(float low, float high, int most) {
    if (!(high > low)) high = low + 1;
    most = std::max(most, 2);
    const float power = std::pow(10.f, std::floor(std::log10((high - low) / 10)));
    float step = 0;
    for (const float factor : {1.f, 2.f, 2.5f, 5.f, 10.f, 20.f, 25.f, 50.f, 100.f, 200.f}) {
        step = factor * power;
        if (steps_over(low, high, step) < most) break;
    }
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
        const float value = std::pow(10.f, static_cast<float>(exponent));
        ticks.push_back({static_cast<float>(exponent), std::abs(exponent) <= 3
                                                           ? shortest_text(value, 3)
                                                           : scientific_text(value)});
    }
    return ticks;
}

} // namespace heed::figure
