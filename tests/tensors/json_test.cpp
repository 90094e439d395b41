#include "tensors/json.hpp"

#include "catch.hpp"

#include <string>

using namespace heed::tensors;
using heed::base::ErrorKind;

namespace {

Json parsed(const std::string& text) {
    const auto json = parse_json(text, "f");
    INFO((json ? std::string() : describe(json.error())));
    REQUIRE(json);
    return *json;
}

void json_refused_for(const std::string& text, ErrorKind kind, const std::string& reason) {
    const auto json = parse_json(text, "f");
    REQUIRE_FALSE(json);
    INFO(describe(json.error()));
    CHECK(json.error().kind == kind);
    CHECK(json.error().subject == "f");
    CHECK(json.error().message.find(reason) != std::string::npos);
}

template <class T>
void fails_for(const heed::base::Result<T>& result, ErrorKind kind, const std::string& reason) {
    REQUIRE_FALSE(result);
    INFO(describe(result.error()));
    CHECK(result.error().kind == kind);
    CHECK(result.error().subject == "p");
    CHECK(result.error().message.find(reason) != std::string::npos);
}

std::string pieces(const char* piece, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += piece;
    return result;
}

} // namespace

TEST_CASE("JSON is parsed whole and keeps the order of its keys") {
    const Json json = parsed(R"( {"z": [1, -2, 2.5, true, null, "我\n"], "a": {}} )");
    CHECK(dump_json(json) == R"({"z":[1,-2,2.5,true,null,"我\n"],"a":{}})");
    CHECK(dump_json(parsed("[1]"), 2) == "[\n  1\n]");
    CHECK(dump_json(parsed("7")) == "7");
}

TEST_CASE("broken JSON is refused with its line and column") {
    json_refused_for("", ErrorKind::malformed, "line 1, column 1");
    json_refused_for("{\n \"a\": x}", ErrorKind::malformed, "line 2, column 7");
    json_refused_for("{\"我\": x}", ErrorKind::malformed,
                     "line 1, column 7"); // characters, not bytes
    json_refused_for("{} x", ErrorKind::malformed, "line 1, column 4");
    json_refused_for("{\"a\":1,}", ErrorKind::malformed, "line 1");
    json_refused_for("// no\n1", ErrorKind::malformed, "line 1");
    json_refused_for("\"\xFF\"", ErrorKind::malformed, "line 1");
    json_refused_for("1e999", ErrorKind::malformed, "line 1");
    json_refused_for("NaN", ErrorKind::malformed, "line 1");
    json_refused_for(std::string("1\0", 2), ErrorKind::malformed, "zero byte");
}

TEST_CASE("a key that stands twice is refused, at any depth") {
    json_refused_for(R"({"a":1,"b":2,"a":3})", ErrorKind::malformed, "\"a\" twice");
    json_refused_for(R"([{"x":{"a":1,"a":1}}])", ErrorKind::malformed, "\"a\" twice");
    CHECK(parsed(R"({"a":{"a":1},"b":{"a":1}})").size() == 2);
}

TEST_CASE("nesting ends at 64 levels") {
    CHECK(parsed(pieces("[", 64) + pieces("]", 64)).is_array());
    json_refused_for(pieces("[", 65) + pieces("]", 65), ErrorKind::out_of_range, "64 levels");
    json_refused_for(pieces("{\"a\":", 100000), ErrorKind::out_of_range, "64 levels");
}

TEST_CASE("a large object is parsed in a blink") {
    std::string text = "{";
    for (int i = 0; i < 100000; ++i) text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
    CHECK(parsed(text + "}").size() == 100000);
}

TEST_CASE("a broken string is mended when it is written") {
    CHECK(dump_json(Json("a\xFF")) == "\"a\uFFFD\"");
}

TEST_CASE("a missing member and a wrong owner are named") {
    const Json json = parsed(R"({"a": {"b": 1}})");
    CHECK(**member(json, "", "a") == parsed(R"({"b":1})"));
    const auto missing = member(**member(json, "", "a"), "a", "c");
    REQUIRE_FALSE(missing);
    CHECK(describe(missing.error()) == "a.c: is missing");
    fails_for(member(Json(3), "p", "a"), ErrorKind::malformed, "expected an object, found 3");
}

TEST_CASE("numbers are taken as what they are and nothing else") {
    CHECK(*number(Json(2), "p") == 2.0);
    CHECK(*number(Json(-2.5), "p") == -2.5);
    fails_for(number(Json("2"), "p"), ErrorKind::malformed, "found the string \"2\"");
    fails_for(number(Json(true), "p"), ErrorKind::malformed, "found true");
    fails_for(number(Json(nullptr), "p"), ErrorKind::malformed, "found null");
    fails_for(number(Json(std::numeric_limits<double>::quiet_NaN()), "p"), ErrorKind::malformed,
              "finite");

    CHECK(*integer(parsed("-9223372036854775808"), "p") ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(*integer(parsed("9223372036854775807"), "p") == std::numeric_limits<std::int64_t>::max());
    fails_for(integer(parsed("9223372036854775808"), "p"), ErrorKind::out_of_range, "whole number");
    fails_for(integer(parsed("1.0"), "p"), ErrorKind::malformed, "found 1.0");
    fails_for(integer(parsed("18446744073709551616"), "p"), ErrorKind::malformed, "whole number");

    CHECK(*count(parsed("18446744073709551615"), "p") == std::numeric_limits<std::uint64_t>::max());
    CHECK(*count(parsed("-0"), "p") == 0);
    fails_for(count(parsed("-1"), "p"), ErrorKind::out_of_range, "found -1");
    fails_for(count(parsed("1.9"), "p"), ErrorKind::malformed, "found 1.9");
}

TEST_CASE("truths and texts are taken as what they are") {
    CHECK(*boolean(Json(true), "p"));
    fails_for(boolean(Json(1), "p"), ErrorKind::malformed, "expected true or false, found 1");
    CHECK(*string(Json("x"), "p") == "x");
    fails_for(string(parsed("[1,2]"), "p"), ErrorKind::malformed, "found a list of 2");
    fails_for(boolean(Json(std::string(1000, 'x')), "p"), ErrorKind::malformed, "x\"…");
}

TEST_CASE("a key that is not known is named, with those that are") {
    CHECK(only_keys(parsed(R"({"a":1})"), "", {"a", "b"}));
    const auto unknown = only_keys(parsed(R"({"a":1,"c":1})"), "p", {"a", "b"});
    REQUIRE_FALSE(unknown);
    CHECK(describe(unknown.error()) == "p.c: is not known here; known are a, b");
    fails_for(only_keys(Json(1), "p", {}), ErrorKind::malformed, "expected an object");
}
