// Reads the members of a JSON object that may all be missing, each with its place in messages.
#pragma once

#include "app/document/names.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace heed::app {

/// The first error stays; reads after it do nothing.
class JsonReader {
  public:
    /// Members that no `take` asks for are left alone: a newer Heed may have written them.
    JsonReader(const tensors::Json& object, std::string path)
        : object_(object), path_(std::move(path)) {
        if (!object.is_object()) refuse(base::ErrorKind::malformed, "expected an object in braces");
    }
    /// Members that are none of `keys` are an error.
    JsonReader(const tensors::Json& object, std::string path,
               std::initializer_list<std::string_view> keys)
        : JsonReader(object, std::move(path)) {
        if (error_) return;
        const auto known = tensors::only_keys(object, path_, keys);
        if (!known) error_ = known.error();
    }

    /// Hands the member, when there is one, to read(value, path) → Result<T>, and stores the value.
    template <class T, class Read> void take(const char* key, T& into, Read&& read) {
        if (error_) return;
        const auto found = object_.find(key);
        if (found == object_.end()) return;
        auto value = read(*found, path_.empty() ? key : path_ + "." + key);
        if (value) {
            into = *std::move(value);
        } else {
            error_ = value.error();
        }
    }
    /// A word of names<E>().
    template <class E> void take_name(const char* key, E& into) { take(key, into, read_name<E>); }
    template <class E> void take_name(const char* key, std::optional<E>& into) {
        take(key, into, read_name<E>);
    }

    void refuse(base::ErrorKind kind, std::string message) {
        if (!error_) error_ = base::Error{kind, path_, std::move(message)};
    }
    base::Result<void> done() const {
        if (error_) return tl::make_unexpected(*error_);
        return {};
    }

  private:
    template <class E>
    static base::Result<E> read_name(const tensors::Json& value, const std::string& path) {
        const auto word = tensors::string(value, path);
        if (!word) return tl::make_unexpected(word.error());
        return parse_name<E>(*word, path);
    }

    const tensors::Json& object_;
    std::string path_;
    std::optional<base::Error> error_;
};

/// Readers of numbers from `low` to `high`, the ends included.
inline auto int_from(long long low, long long high) {
    return [low, high](const tensors::Json& value, const std::string& path) -> base::Result<int> {
        const auto number = tensors::integer(value, path);
        if (!number) return tl::make_unexpected(number.error());
        if (*number < low || *number > high) {
            return base::fail(base::ErrorKind::out_of_range, path,
                              fmt::format("{} is not from {} to {}", *number, low, high));
        }
        return static_cast<int>(*number);
    };
}
inline auto float_from(Range range) {
    return [range](const tensors::Json& value, const std::string& path) -> base::Result<float> {
        const auto number = tensors::number(value, path);
        if (!number) return tl::make_unexpected(number.error());
        if (!(*number >= range.low && *number <= range.high)) {
            return base::fail(
                base::ErrorKind::out_of_range, path,
                fmt::format("{} is not from {:g} to {:g}", *number, range.low, range.high));
        }
        return static_cast<float>(*number);
    };
}

} // namespace heed::app
