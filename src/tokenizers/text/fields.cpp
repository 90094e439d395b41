#include "tokenizers/text/fields.hpp"

#include "base/utf8.hpp"
#include "tensors/json.hpp"
#include "tokenizers/text/refused.hpp"

#include <fmt/format.h>

#include <utility>

namespace heed::tokenizers {

using base::ErrorKind;

namespace {

template <class T> T taken(base::Result<T> result) {
    if (!result) throw Refused(result.error());
    return std::move(*result);
}

} // namespace

Fields::Fields(const tensors::Json& object, std::string path)
    : object_(&object), path_(std::move(path)) {
    if (!object.is_object()) {
        throw Refused(ErrorKind::malformed, path_,
                      fmt::format("expected an object, found {}", object.type_name()));
    }
}

const tensors::Json* Fields::find(std::string_view key) {
    ignore(key);
    const auto found = object_->find(std::string(key));
    return found == object_->end() || found->is_null() ? nullptr : &*found;
}

const tensors::Json& Fields::member(std::string_view key) {
    const tensors::Json* value = find(key);
    if (!value) throw Refused(ErrorKind::malformed, path_, fmt::format("lacks \"{}\"", key));
    return *value;
}

std::string Fields::string(std::string_view key, std::size_t most) {
    std::string words = taken(tensors::string(member(key), path_of(key)));
    if (words.size() > most) {
        throw Refused(
            ErrorKind::out_of_range, path_of(key),
            fmt::format("has {} bytes; a text of at most {} is read", words.size(), most));
    }
    return words;
}

std::optional<std::string> Fields::find_string(std::string_view key) {
    const tensors::Json* value = find(key);
    if (!value) return std::nullopt;
    return taken(tensors::string(*value, path_of(key)));
}

bool Fields::boolean(std::string_view key) {
    return taken(tensors::boolean(member(key), path_of(key)));
}

bool Fields::boolean(std::string_view key, bool otherwise) {
    const tensors::Json* value = find(key);
    return value ? taken(tensors::boolean(*value, path_of(key))) : otherwise;
}

std::size_t Fields::count(std::string_view key) {
    return static_cast<std::size_t>(taken(tensors::count(member(key), path_of(key))));
}

char32_t Fields::character(std::string_view key) {
    const std::string value = string(key);
    if (base::count_code_points(value) != 1) {
        throw Refused(ErrorKind::malformed, path_of(key),
                      fmt::format("expected one character, found '{}'", value));
    }
    return base::decode_utf8(value, 0).code_point;
}

std::vector<Fields> Fields::objects(std::string_view key) {
    const tensors::Json& array = member(key);
    if (!array.is_array()) {
        throw Refused(ErrorKind::malformed, path_of(key),
                      fmt::format("expected an array, found {}", array.type_name()));
    }
    std::vector<Fields> result;
    result.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
        result.emplace_back(array[i], fmt::format("{}[{}]", path_of(key), i));
    }
    return result;
}

void Fields::done() const {
    for (const auto& entry : object_->items()) {
        if (read_.contains(entry.key())) continue;
        throw Refused(ErrorKind::unsupported, path_,
                      fmt::format("\"{}\" is not known to Heed", entry.key()));
    }
}

} // namespace heed::tokenizers
