// Round numbers along an axis of values.
#pragma once

#include <string>
#include <vector>

namespace heed::figure {

struct ValueTick {
    float value = 0;
    std::string text{};
};

/// 1, 2, 2.5 or 5 times a power of ten apart, at most `most` (two at the least); the first is at or
/// below `low` and the last at or above `high`.
std::vector<ValueTick> round_ticks(float low, float high, int most = 5);
/// The same of powers of ten whose exponents are given: "0.01", "1", "10⁵". An end that lies but a
/// quarter beyond a power ends there.
std::vector<ValueTick> power_ticks(float low, float high, int most = 5);

} // namespace heed::figure
