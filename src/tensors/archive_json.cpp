// An archive as JSON text, written as it goes: a document of all numbers would take ten times their
// room.
#include "base/check.hpp"
#include "tensors/element.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"

#include <charconv>
#include <cmath>

namespace heed::tensors {

namespace {

void append_float(std::string& out, float value) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out.append(digits, end);
}

void append_array(std::string& out, const Array& array) {
    out += R"({"shape":)" + dump_json(Json(array.shape)) + R"(,"values":[)";
    for (std::size_t i = 0; i < array.values.size(); ++i) {
        if (i != 0) out += ',';
        append_float(out, array.values[i]);
    }
    out += "]}";
}

} // namespace

std::string write_json(const Archive& archive) {
    std::string out = R"({"arrays":{)";
    for (const auto& [name, array] : archive.arrays) {
        HEED_CHECK(element_count(array.shape) == array.values.size(),
                   "array \"{}\" of shape {} has {} values", name, fmt::join(array.shape, " × "),
                   array.values.size());
        if (out.back() == '}') out += ',';
        out += dump_json(Json(name)) + ':';
        append_array(out, array);
    }
    out += '}';
    const auto beside = [&out](const std::string& name, const Json& value) {
        HEED_CHECK(name != "arrays", "nothing beside the arrays can be named so");
        out += ',' + dump_json(Json(name)) + ':' + dump_json(value);
    };
    for (const auto& [name, list] : archive.strings) beside(name, Json(list));
    for (const auto& [name, text] : archive.metadata) {
        if (archive.strings.count(name) == 0) beside(name, Json(text));
    }
    return out + '}';
}

} // namespace heed::tensors
