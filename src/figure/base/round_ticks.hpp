// Round numbers along an axis of values.
#pragma once

#include <string>
#include <vector>

namespace heed::figure {

struct ValueTick {
    float value = 0;
    std::string text{};
};

/// Ticks 1, 2 or 5 times a power of ten apart, at most `most` (two at the least, three on either
/// side of 0); the first is at or below `low` and the last at or above `high`. All have as many
/// decimals as the step needs, but for "0".
std::vector<ValueTick> round_ticks(float low, float high, int most = 5);
/// An axis, and the round numbers along it.
struct ValueAxis {
    float low = 0, high = 1;
    std::vector<ValueTick> ticks{};
};
/// An axis of values with as many ticks as round_ticks() has. It ends at round numbers or, where
/// more than a share of it would be empty there, just beyond the values.
ValueAxis value_axis(float low, float high, int most = 5, float most_empty = 0.25f);
/// Ticks at powers of ten whose exponents are given: "0.01", "0.1", "1", or all as powers where one
/// is too large or too small to be written out: "10⁰", "10⁵". An end that lies but a quarter beyond
/// a power ends there.
std::vector<ValueTick> power_ticks(float low, float high, int most = 5);
/// Ticks of a logarithmic axis from `low` to `high` (above 0, finite), none of them outside: 1, 2
/// and 5 times powers of ten where at most `most` of them lie there, else powers of ten alone; the
/// two ends where there is none. Written as power_ticks() are.
std::vector<ValueTick> log_ticks(float low, float high, int most = 5);

/// The smallest of 1, 2, 5, 10, 20, … with step · pitch ≥ needed.
int thinning(float pitch, float needed);

} // namespace heed::figure
