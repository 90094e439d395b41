#include "app/cli/flag_values.hpp"

#include <fmt/format.h>

#include <charconv>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

Result<void> read_integer(const Given& given, const std::string& flag, long long low,
                          long long high, int& value) {
    const auto word = given.find(flag);
    if (!word) return {};
    const auto number = parse_integer(*word, flag, low, high);
    if (!number) return tl::make_unexpected(number.error());
    value = static_cast<int>(*number);
    return {};
}

Result<void> read_seed(const Given& given, const std::string& flag, std::uint64_t& value) {
    const auto word = given.find(flag);
    if (!word) return {};
    const char* end = word->data() + word->size();
    const auto [stop, error] = std::from_chars(word->data(), end, value);
    if (error != std::errc{} || stop != end) {
        return fail(
            ErrorKind::usage, flag,
            fmt::format("'{}' is not a whole number from 0 to 18446744073709551615", *word));
    }
    return {};
}

Result<void> read_real(const Given& given, const std::string& flag, Range range, float& value) {
    const auto word = given.find(flag);
    if (!word) return {};
    const auto number = parse_number(*word, flag);
    if (!number) return tl::make_unexpected(number.error());
    if (!(*number >= range.low && *number <= range.high)) {
        return fail(ErrorKind::out_of_range, flag,
                    fmt::format("{} is not from {:g} to {:g}", *word, range.low, range.high));
    }
    value = static_cast<float>(*number);
    return {};
}

} // namespace heed::app
