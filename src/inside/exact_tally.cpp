#include "inside/exact_tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace heed::inside {

namespace {

constexpr double kStep = 0x1p-32, kLargest = 4096;

/// Each half is rounded, and their sum: the same on every machine.
double as_double(Wide x) {
    return static_cast<double>(static_cast<std::uint64_t>(x >> 64)) * 0x1p64 +
           static_cast<double>(static_cast<std::uint64_t>(x));
}

std::string hex_of(Wide x) {
    const auto high = static_cast<std::uint64_t>(x >> 64), low = static_cast<std::uint64_t>(x);
    return high > 0 ? fmt::format("{:x}{:016x}", high, low) : fmt::format("{:x}", low);
}

std::optional<Wide> wide_of(std::string_view hex) {
    if (hex.empty() || hex.size() > 32) return std::nullopt;
    Wide x = 0;
    for (const char c : hex) {
        unsigned digit = 16;
        std::from_chars(&c, &c + 1, digit, 16);
        if (digit > 15) return std::nullopt;
        x = x << 4 | digit;
    }
    return x;
}

} // namespace

void ExactTally::add(float value) {
    if (std::isnan(value)) return;
    const double bounded = std::clamp(static_cast<double>(value), 0.0, kLargest);
    const Wide steps = static_cast<std::uint64_t>(std::llround(bounded / kStep));
    ++count_;
    sum_ += steps;
    squares_ += steps * steps;
}

void ExactTally::add(const ExactTally& other) {
    count_ += other.count_;
    sum_ += other.sum_;
    squares_ += other.squares_;
}

double ExactTally::mean() const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return as_double(sum_) / static_cast<double>(count_) * kStep;
}

double ExactTally::spread() const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    if (count_ == 1) return 0;
    // Σ(x − q)² with q the mean's whole steps: what is left of the mean is below one step.
    const Wide n = count_, q = sum_ / n, rest = sum_ % n;
    const Wide about_q = squares_ - 2 * q * sum_ + n * q * q;
    const double off = as_double(rest);
    const double squares = as_double(about_q) - off * off / static_cast<double>(count_);
    return std::sqrt(std::max(squares, 0.0) / static_cast<double>(count_ - 1)) * kStep;
}

std::string ExactTally::text() const {
    return fmt::format("{}:{}:{}", count_, hex_of(sum_), hex_of(squares_));
}

base::Result<ExactTally> ExactTally::read(std::string_view text, const std::string& subject) {
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    ExactTally tally;
    const char* end = text.data() + std::min(first, text.size());
    const auto [stop, error] = std::from_chars(text.data(), end, tally.count_);
    const bool parts = first != text.npos && second != text.npos;
    const auto sum = parts ? wide_of(text.substr(first + 1, second - first - 1)) : std::nullopt;
    const auto squares = parts ? wide_of(text.substr(second + 1)) : std::nullopt;
    if (!sum || !squares || error != std::errc() || stop != end) {
        return base::fail(base::ErrorKind::malformed, subject,
                          fmt::format("has '{:.40}' where sums are expected (12:1f0:3b7)", text));
    }
    tally.sum_ = *sum;
    tally.squares_ = *squares;
    return tally;
}

} // namespace heed::inside
