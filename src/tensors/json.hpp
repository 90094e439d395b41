// JSON from outside, read strictly: the library alone takes duplicate keys silently and turns −1
// into 2^64 − 1.
#pragma once

#include "base/result.hpp"
#include "tensors/json_type.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tensors {

/// Errors: malformed, with line and column; duplicate keys are malformed too; out_of_range past
/// 64 levels of nesting.
base::Result<Json> parse_json(std::string_view bytes, const std::string& subject);

/// Taker of a member of an object, whose name stays.
using TakeMember = std::function<base::Result<void>(const std::string& name, Json value)>;
/// Each member of the object that a text is, as soon as it is read, so that no tree of all of them
/// stands in memory. Errors: as above; out_of_range for a member of more than `most_values` values;
/// malformed where the text is no object; the first one of `take`.
base::Result<void> parse_members(std::string_view bytes, const std::string& subject,
                                 std::size_t most_values, const TakeMember& take);
/// The texts of a list of nothing else; nothing of another text, and of more than `most`.
std::optional<std::vector<std::string>> parse_texts(std::string_view bytes, std::size_t most);

/// "not JSON: line 2, column 5: …" of a parser's position and its exception, for who reads events.
base::Error not_json(std::string_view bytes, std::size_t position, std::string_view why,
                     const std::string& subject);
/// The library takes a zero byte for the end, and would not look at what follows. Error: malformed.
base::Result<void> check_no_zero(std::string_view bytes, const std::string& subject);

/// One line without spaces (indent < 0) or indented. Broken UTF-8 inside strings is replaced.
std::string dump_json(const Json& json, int indent = -1);

/// Typed members of an object. Each error names the path, what was expected and what was found.
/// `path` is the object's own place, such as "scoped[2]".
base::Result<const Json*> member(const Json& object, const std::string& path, const char* key);
base::Result<double> number(const Json& value, const std::string& path); // finite
base::Result<std::int64_t> integer(const Json& value, const std::string& path);
base::Result<std::uint64_t> count(const Json& value, const std::string& path);
base::Result<bool> boolean(const Json& value, const std::string& path);
base::Result<std::string> string(const Json& value, const std::string& path);
/// An error that names the first key that is none of these.
base::Result<void> only_keys(const Json& object, const std::string& path,
                             std::initializer_list<std::string_view> keys);

} // namespace heed::tensors
