#include "models/checkpoint/rotary_divisors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace heed::models {

namespace {

constexpr double kTolerance = 1e-4; // divisors are floats

/// Turns of each pair within `length` tokens: what LLaMA 3's bounds are compared with.
std::vector<double> turns_of(std::size_t pairs, const AttentionSpec& a) {
    std::vector<double> turns(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        const double frequency =
            std::pow(a.rotary_base, -static_cast<double>(i) / static_cast<double>(pairs));
        turns[i] = a.rotary_length * frequency / (2 * std::numbers::pi);
    }
    return turns;
}

bool fits(std::span<const float> divisors, const AttentionSpec& a) {
    if (!(a.rotary_low >= 0 && a.rotary_high > a.rotary_low)) return false;
    const auto turns = turns_of(divisors.size(), a);
    for (std::size_t i = 0; i < divisors.size(); ++i) {
        const double kept =
            std::clamp((turns[i] - a.rotary_low) / (a.rotary_high - a.rotary_low), 0.0, 1.0);
        const double wanted = kept + (1 - kept) / a.rotary_factor;
        if (!(std::abs(divisors[i] * wanted - 1) < kTolerance)) return false;
    }
    return true;
}

/// The bounds below which all of a frequency is divided and above which none is: on the line
/// through the shares that are kept between them.
void fit_bounds(std::span<const float> divisors, AttentionSpec& a) {
    const auto turns = turns_of(divisors.size(), a);
    double none = 0, all = turns.front() * 2; // the nearest pairs that keep nothing, and all
    std::vector<std::pair<double, double>> between;
    for (std::size_t i = 0; i < divisors.size(); ++i) {
        const double kept = (1 / static_cast<double>(divisors[i]) - 1 / a.rotary_factor) /
                            (1 - 1 / a.rotary_factor);
        if (kept < kTolerance)
            none = std::max(none, turns[i]);
        else if (kept > 1 - kTolerance)
            all = std::min(all, turns[i]);
        else
            between.emplace_back(turns[i], kept);
    }
    a.rotary_low = none;
    a.rotary_high = all;
    if (between.size() == 1) { // the ratio of the bounds that all published models have
        const auto [at, kept] = between.front();
        a.rotary_low = at / (1 + 3 * kept);
        a.rotary_high = 4 * a.rotary_low;
    } else if (between.size() > 1) {
        const auto [at, kept] = between.front();
        const auto [last, less] = between.back();
        const double slope = (kept - less) / (at - last);
        a.rotary_low = at - kept / slope;
        a.rotary_high = a.rotary_low + 1 / slope;
    }
}

} // namespace

bool fit_rotary_scaling(std::span<const float> divisors, AttentionSpec& attention) {
    if (divisors.empty()) return false;
    attention.rotary_factor =
        static_cast<double>(*std::max_element(divisors.begin(), divisors.end()));
    attention.rotary_low = 1;
    attention.rotary_high = 4;
    attention.rotary_length = 8192; // LLaMA 3.1 to 3.3
    if (fits(divisors, attention)) return true;
    fit_bounds(divisors, attention);
    return fits(divisors, attention);
}

} // namespace heed::models
