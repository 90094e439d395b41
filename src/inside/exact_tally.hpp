// Sums that come out the same in whatever order, and on however many machines, they are made.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace heed::inside {

/// 128 bits without a sign; sums and products are modulo 2¹²⁸.
__extension__ using Wide = unsigned __int128;

/// Count of the numbers added, their sum and the sum of their squares. A number is rounded once,
/// to a whole number of steps of 2⁻³²; from there on all is arithmetic of integers, which has no
/// order: exact for 2³⁹ numbers.
class ExactTally {
  public:
    /// Adds a number in 0 … 4096: more counts as that, less as 0. NaN is left out.
    void add(float value);
    void add(const ExactTally& other);

    std::uint64_t count() const { return count_; }
    double mean() const;   // NaN of nothing
    double spread() const; // standard deviation of the sample, count − 1 below; 0 of one number
    bool operator==(const ExactTally&) const = default;

    /// "12:1f0…:3b7…": the count, then sum and squares in hexadecimal steps.
    std::string text() const;
    /// Errors: malformed, with `subject`.
    static base::Result<ExactTally> read(std::string_view text, const std::string& subject);

  private:
    std::uint64_t count_ = 0;
    Wide sum_ = 0, squares_ = 0;
};

} // namespace heed::inside
