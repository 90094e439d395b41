// Draws that are the same on every machine: a counter goes in, a number comes out, in any order.
#pragma once

#include "base/hash.hpp"

#include <cstdint>
#include <string_view>

namespace heed::num {

/// A stream of draws of its own for each name under one seed.
class Rng {
  public:
    Rng(std::uint64_t seed, std::string_view name)
        : key_(base::mix(seed ^ base::hash_bytes(name))) {}

    /// 64 bits for a counter.
    std::uint64_t bits(std::uint64_t i) const { return base::mix(key_ ^ base::mix(i)); }
    /// Uniform in [0, 1), 24 bits.
    float uniform(std::uint64_t i) const { return static_cast<float>(bits(i) >> 40) * 0x1p-24f; }
    /// Uniform in [−bound, bound).
    float symmetric(std::uint64_t i, float bound) const { return (2 * uniform(i) - 1) * bound; }

  private:
    std::uint64_t key_;
};

} // namespace heed::num
