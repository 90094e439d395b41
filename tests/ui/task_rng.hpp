// Choices at random, the same on every machine for one seed.
#pragma once

#include "num/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace heed::ui::test {

class TaskRng {
  public:
    explicit TaskRng(std::uint64_t seed) : draws_(seed, "dice") {}

    /// A whole number from 0 to sides − 1.
    int roll(int sides) {
        return static_cast<int>(draws_.bits(at_++) % static_cast<std::uint64_t>(sides));
    }
    bool one_in(int sides) { return roll(sides) == 0; }
    float between(float low, float high) { return low + (high - low) * draws_.uniform(at_++); }
    template <class List> const auto& of(const List& list) {
        return *(std::begin(list) + roll(static_cast<int>(std::size(list))));
    }

  private:
    num::Rng draws_;
    std::uint64_t at_ = 0;
};

/// Ordinary and odd sentences: several scripts, emoji, joiners, broken UTF-8, none, very long.
std::string some_text(TaskRng& rng);

} // namespace heed::ui::test
