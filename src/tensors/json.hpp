// JSON from outside, read strictly: the library alone takes duplicate keys silently and turns −1
// into 2^64 − 1.
#pragma once

#include "base/result.hpp"
#include "tensors/json_type.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tensors {

/// Errors: malformed, with line and column; duplicate keys are malformed too; out_of_range past
/// 64 levels of nesting.
base::Result<Json> parse_json(std::string_view bytes, const std::string& subject);

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
