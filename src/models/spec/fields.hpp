// The fields of a configuration, each named once with its range: `fields(config, visitor)`, which
// every configuration has beside it, calls `visitor(Field, value&)` for each. Metadata, checks,
// sessions and flags are visitors. A value is an int, a std::uint64_t, a float, a bool, an enum
// with words_of<E>(), or a std::vector<int>.
#pragma once

#include "base/check.hpp"
#include "base/result.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace heed::models {

/// One field: its word in files, and the numbers that it allows, both ends included; of a float,
/// numbers above `low`. A file may lack a field that is not `required`: it keeps its default.
struct Field {
    const char* name;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool required = true;
};

/// The words of an enum in a file.
template <class E> using Words = std::vector<std::pair<std::string_view, E>>;
/// Words of this enum, in the order in which messages list them. Beside each enum's configuration.
template <class E> Words<E> words_of();
template <> inline Words<bool> words_of() { return {{"yes", true}, {"no", false}}; }

/// The word of a value; "?" where it has none.
template <class E> std::string_view word_of(E value) {
    for (const auto& [word, meaning] : words_of<E>()) {
        if (meaning == value) return word;
    }
    return "?";
}

/// Checks every field against its range. `result` is the first failure: out_of_range, with the
/// field's name as the subject.
struct RangeCheck {
    base::Result<void> result = {};

    template <class T> void operator()(const Field& field, const T& value) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isfinite(value) && value > field.low && value <= field.high) return;
            complain(field, fmt::format("is {}; allowed are numbers above {}, up to {}", value,
                                        field.low, field.high));
        } else if constexpr (std::is_same_v<T, std::vector<int>>) {
            for (const int number : value) (*this)(field, number);
        } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            const auto number = static_cast<double>(value);
            if (number >= field.low && number <= field.high) return;
            complain(field, fmt::format("is {}; allowed are {:.0f} to {:.0f}", value, field.low,
                                        field.high));
        }
    }

  private:
    void complain(const Field& field, std::string message) {
        if (result) result = base::fail(base::ErrorKind::out_of_range, field.name, std::move(message));
    }
};

template <class Config> base::Result<void> check_ranges(const Config& config) {
    RangeCheck check;
    fields(config, check);
    return check.result;
}

} // namespace heed::models
