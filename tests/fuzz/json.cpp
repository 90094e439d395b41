// JSON: the parser, and every getter on every value.
#include "tensors/json.hpp"
#include "fuzz/target.hpp"

#include <cmath>
#include <string>

using namespace heed;
using tensors::Json;

namespace {

void check(const Json& value, const std::string& path, int depth) {
    HEED_CHECK(depth <= 65, "nested too deep");
    if (const auto number = tensors::number(value, path)) {
        HEED_CHECK(std::isfinite(*number), "a number is not finite");
    }
    const auto integer = tensors::integer(value, path);
    const auto count = tensors::count(value, path);
    HEED_CHECK(!integer || *integer < 0 || count, "{} counts nothing", *integer);
    HEED_CHECK(!integer || !count || static_cast<std::uint64_t>(*integer) == *count,
               "two readings of one number");
    static_cast<void>(tensors::boolean(value, path));
    static_cast<void>(tensors::string(value, path));
    static_cast<void>(tensors::member(value, path, "a"));
    static_cast<void>(tensors::only_keys(value, path, {"a", "b"}));
    for (const Json& child : value) {
        if (value.is_structured()) check(child, path + ".", depth + 1);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = tensors::parse_json(fuzz::bytes_of(data, size), "input");
    if (!json) return 0;
    check(*json, "", 0);
    const std::string text = tensors::dump_json(*json);
    const auto again = tensors::parse_json(text, "written");
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    HEED_CHECK(tensors::dump_json(*again) == text, "writing and reading changed the text");
    return 0;
}
