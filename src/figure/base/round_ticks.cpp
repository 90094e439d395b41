#include "figure/base/round_ticks.hpp"

#include "base/check.hpp"
#include "figure/base/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>

namespace heed::figure {

namespace {

/// The number of steps from the multiple below `low` to the one above `high`.
long steps_over(double low, double high, double step) {
    const double first = std::floor(low / step + 1e-4), last = std::ceil(high / step - 1e-4);
    return std::lround(last - first);
}

/// The least step with at most `most` ticks.
double step_over(double low, double high, int most) {
    constexpr int kDecades = 9; // more than a float tells apart
    const double first = std::floor(std::log10((high - low) / 10));
    for (int decade = 0; decade < kDecades; ++decade) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double step = factor * std::pow(10.0, first + decade);
            if (steps_over(low, high, step) < most) return step;
        }
    }
    return high - low;
}

/// Names ticks at powers of ten: all of them as powers where one has to be.
void name_powers(std::vector<ValueTick>& ticks, bool exponents) {
    const auto size = [&](const ValueTick& t) {
        return exponents ? std::pow(10.f, t.value) : t.value;
    };
    const bool plain = std::all_of(ticks.begin(), ticks.end(), [&](const ValueTick& tick) {
        return size(tick) >= 0.9e-3f && size(tick) < 0.9e4f;
    });
    for (ValueTick& tick : ticks) {
        tick.text =
            plain ? shortest_text(size(tick), 3) : scientific_text(static_cast<double>(size(tick)));
    }
}

} // namespace

std::vector<ValueTick> round_ticks(float low_end, float high_end, int most) {
    // In double, where no span of floats is without end, and none of their steps is 0.
    double low = static_cast<double>(low_end), high = static_cast<double>(high_end);
    if (!std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
    if (!(high > low)) high = low + std::max(1.0, std::abs(low) * 1e-3);
    most = std::max(most, low < 0 && high > 0 ? 3 : 2);
    const double step = step_over(low, high, most);
    int decimals = 0; // as many as the step has
    for (double rest = step; decimals < 6 && std::abs(rest - std::round(rest)) > 1e-3 * step;
         rest *= 10) {
        ++decimals;
    }
    const double first = std::floor(low / step + 1e-4);
    // All are written alike, as the largest has to be.
    const double largest = std::max(std::abs(low), std::abs(high));
    const bool powers = step < 1e-5 || largest >= 1e5;
    if (powers) {
        const double digits = std::floor(std::log10(largest)) - std::floor(std::log10(step) + 1e-4);
        decimals = static_cast<int>(std::clamp(digits, 1.0, 6.0)); // so that neighbours differ
    }
    constexpr double kLargest = std::numeric_limits<float>::max();
    std::vector<ValueTick> ticks;
    for (long i = 0; i <= std::max(steps_over(low, high, step), 1L); ++i) {
        const double value =
            std::clamp((first + static_cast<double>(i)) * step, -kLargest, kLargest);
        const auto place = static_cast<float>(value);
        ticks.push_back({place, value == 0 ? "0"
                                : powers   ? scientific_text(value, decimals)
                                           : number_text(place, decimals)});
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
        ticks.push_back({static_cast<float>(exponent)});
    }
    name_powers(ticks, true);
    return ticks;
}

ValueAxis value_axis(float low, float high, int most, float most_empty) {
    constexpr float kBeyond = 0.05f; // of what values span
    most = std::max(most, low < 0 && high > 0 ? 3 : 2);
    const std::vector<ValueTick> ticks = round_ticks(low, high, most);
    const ValueAxis round{ticks.front().value, ticks.back().value, ticks};
    const float empty = most_empty * (round.high - round.low), beyond = kBeyond * (high - low);
    ValueAxis near = round;
    if (low - round.low > empty) near.low = low - beyond;
    if (round.high - high > empty) near.high = high + beyond;
    for (int finer = most; finer <= most + 2; ++finer) { // of finer steps as many lie inside
        near.ticks = round_ticks(low, high, finer);
        std::erase_if(near.ticks, [&](const ValueTick& tick) {
            return tick.value < near.low || tick.value > near.high;
        });
        if (near.ticks.size() >= 2 && std::ssize(near.ticks) <= most) return near;
    }
    return round;
}

std::vector<ValueTick> log_ticks(float low, float high, int most) {
    HEED_CHECK(low > 0 && std::isfinite(low) && std::isfinite(high) && low <= high,
               "a logarithmic axis from {} to {}", low, high);
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
                ticks.push_back({value});
            }
        }
        return ticks;
    };
    most = std::max(most, 1);
    std::vector<ValueTick> ticks = inside({1, 2, 5}, 1);
    for (int step = 1; static_cast<int>(ticks.size()) > most; ++step) ticks = inside({1}, step);
    if (ticks.empty()) {
        ticks.push_back({low});
        if (high > low) ticks.push_back({high});
    }
    name_powers(ticks, false);
    return ticks;
}

int thinning(float pitch, float needed) {
    for (int decade = 1; decade < 100'000'000; decade *= 10) {
        for (const int digit : {1, 2, 5}) {
            if (static_cast<float>(digit * decade) * pitch >= needed) return digit * decade;
        }
    }
    return 500'000'000;
}

} // namespace heed::figure
