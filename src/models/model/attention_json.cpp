// An archive of arrays from JSON.
#include "models/model/attention_file.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

namespace heed::models {

using base::ErrorKind;
using base::fail;
using base::Result;
using tensors::Array;
using tensors::Json;

namespace {

constexpr std::size_t kMostRank = 8;

/// null is what write_json() makes of a number that is not finite.
Result<float> read_value(const Json& value, const std::string& path) {
    if (value.is_null()) return std::numeric_limits<float>::quiet_NaN();
    return tensors::number(value, path).map([](double x) { return static_cast<float>(x); });
}

Result<Array> read_flat(const Json& object, const std::string& path) {
    if (auto ok = tensors::only_keys(object, path, {"shape", "values"}); !ok) {
        return tl::make_unexpected(ok.error());
    }
    const auto shape = tensors::member(object, path, "shape");
    if (!shape) return tl::make_unexpected(shape.error());
    const auto values = tensors::member(object, path, "values");
    if (!values) return tl::make_unexpected(values.error());
    if (!(*shape)->is_array() || !(*values)->is_array() || (*shape)->size() > kMostRank) {
        return fail(ErrorKind::malformed, path, "has a shape and values that are no lists");
    }
    Array array;
    std::size_t count = 1;
    for (const Json& side : **shape) {
        const auto size = tensors::count(side, path + ".shape");
        if (!size) return tl::make_unexpected(size.error());
        array.shape.push_back(static_cast<std::int64_t>(*size));
        if (*size > (*values)->size() || count * *size > (*values)->size()) {
            return fail(
                ErrorKind::mismatch, path,
                fmt::format("has {} values, fewer than its shape asks for", (*values)->size()));
        }
        count *= static_cast<std::size_t>(*size);
    }
    if (count != (*values)->size()) {
        return fail(ErrorKind::mismatch, path,
                    fmt::format("has {} values; its shape asks for {}", (*values)->size(), count));
    }
    for (const Json& value : **values) {
        const auto number = read_value(value, path + ".values");
        if (!number) return tl::make_unexpected(number.error());
        array.values.push_back(*number);
    }
    return array;
}

/// Lists in lists, all of one length at each depth.
Result<void> read_lists(const Json& list, const std::string& path, std::size_t depth,
                        Array& array) {
    const auto size = static_cast<std::int64_t>(list.size());
    if (depth == array.shape.size()) {
        if (depth == kMostRank) return fail(ErrorKind::malformed, path, "is nested too deep");
        if (!array.values.empty()) {
            return fail(ErrorKind::mismatch, path, "has lists beside numbers");
        }
        array.shape.push_back(size);
    } else if (array.shape[depth] != size) {
        return fail(
            ErrorKind::mismatch, path,
            fmt::format("has lists of {} and of {} side by side", array.shape[depth], size));
    }
    for (const Json& item : list) {
        if (item.is_array()) {
            if (auto ok = read_lists(item, path, depth + 1, array); !ok) return ok;
            continue;
        }
        if (depth + 1 != array.shape.size()) {
            return fail(ErrorKind::mismatch, path, "has numbers beside lists");
        }
        const auto number = read_value(item, path);
        if (!number) return tl::make_unexpected(number.error());
        array.values.push_back(*number);
    }
    return {};
}

Result<Array> read_array(const Json& value, const std::string& path) {
    if (value.is_object()) return read_flat(value, path);
    Array array;
    if (!value.is_array()) {
        return fail(ErrorKind::malformed, path, "is no array: \"shape\" and \"values\", or lists");
    }
    auto ok = read_lists(value, path, 0, array);
    if (!ok) return tl::make_unexpected(ok.error());
    return array;
}

/// The values beside "arrays": a text, a list of texts, or lists of numbers.
Result<void> read_beside(const std::string& name, const Json& value, tensors::Archive& archive) {
    if (value.is_string()) {
        archive.metadata[name] = value.get<std::string>();
        return {};
    }
    const bool texts = value.is_array() && (value.empty() || value.front().is_string());
    if (!texts) {
        auto array = read_array(value, name);
        if (!array) return tl::make_unexpected(array.error());
        archive.arrays[name] = *std::move(array);
        return {};
    }
    std::vector<std::string> list;
    for (const Json& item : value) {
        auto text = tensors::string(item, name);
        if (!text) return tl::make_unexpected(text.error());
        list.push_back(*std::move(text));
    }
    archive.strings[name] = std::move(list);
    return {};
}

Result<void> read_members(const Json& json, tensors::Archive& archive) {
    for (const auto& item : json.items()) {
        if (item.key() != "arrays") {
            if (auto ok = read_beside(item.key(), item.value(), archive); !ok) return ok;
            continue;
        }
        if (!item.value().is_object()) {
            return fail(ErrorKind::malformed, "arrays", "is no object of arrays by their names");
        }
        for (const auto& entry : item.value().items()) {
            auto array = read_array(entry.value(), entry.key());
            if (!array) return tl::make_unexpected(array.error());
            archive.arrays[entry.key()] = *std::move(array);
        }
    }
    return {};
}

} // namespace

Result<tensors::Archive> read_archive_json(std::string_view bytes, const std::string& subject) {
    const auto json = tensors::parse_json(bytes, subject);
    if (!json) return tl::make_unexpected(json.error());
    if (!json->is_object()) {
        return fail(ErrorKind::malformed, subject, "is no JSON object with arrays");
    }
    tensors::Archive archive;
    if (const auto ok = read_members(*json, archive); !ok) {
        return fail(ok.error().kind, subject, base::describe(ok.error()));
    }
    return archive;
}

} // namespace heed::models
