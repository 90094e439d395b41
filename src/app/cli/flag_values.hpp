// Values of flags that were given; a flag that was not leaves the value as it is. All errors are
// usage or out_of_range, with the flag as the subject and the allowed values in the message.
#pragma once

#include "app/cli/command.hpp"
#include "app/document/names.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <string>

namespace heed::app {

/// A word of names<E>(); T is E or optional<E>.
template <class E, class T>
base::Result<void> read_word(const Given& given, const std::string& flag, T& value) {
    const auto word = given.find(flag);
    if (!word) return {};
    const auto parsed = parse_name<E>(*word, flag);
    if (!parsed) return tl::make_unexpected(parsed.error());
    value = *parsed;
    return {};
}

base::Result<void> read_integer(const Given& given, const std::string& flag, long long low,
                                long long high, int& value);
base::Result<void> read_seed(const Given& given, const std::string& flag, std::uint64_t& value);
base::Result<void> read_real(const Given& given, const std::string& flag, Range range,
                             float& value);

/// Runs readers in order; the first error ends it.
template <class... Readers> base::Result<void> in_turn(Readers&&... readers) {
    base::Result<void> result;
    ((result = readers(), result.has_value()) && ...);
    return result;
}

} // namespace heed::app
