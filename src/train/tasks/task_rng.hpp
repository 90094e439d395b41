// Draws one after another, for whoever writes sentences: the same on every machine.
#pragma once

#include "base/check.hpp"
#include "num/random.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::train {

class TaskRng {
  public:
    /// A sequence of its own for each name and each number under one seed.
    TaskRng(std::uint64_t seed, std::string_view name, std::uint64_t number = 0)
        : draws_(base::mix(seed) ^ base::mix(~number), name) {}

    /// Uniform in [0, n). Requires 0 < n < 2³².
    std::size_t below(std::size_t n) {
        HEED_CHECK(n > 0 && n >> 32 == 0, "one of {} is drawn", n);
        return static_cast<std::size_t>((draws_.bits(next_++) >> 32) * n >> 32);
    }
    /// Uniform in [least, most].
    int between(int least, int most) {
        return least + static_cast<int>(below(static_cast<std::size_t>(most - least) + 1));
    }
    bool percent(int chance) { return below(100) < static_cast<std::size_t>(chance); }
    template <class List> const auto& one_of(const List& list) { return list[below(list.size())]; }

    template <class T> void shuffle(std::vector<T>& list) {
        for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
    }

  private:
    num::Rng draws_;
    std::uint64_t next_ = 0;
};

} // namespace heed::train
