#include "base/utf8.hpp"

#include "catch.hpp"

#include <string>

using namespace heed::base;

TEST_CASE("every code point survives encoding and decoding") {
    for (char32_t c = 0; c <= 0x10FFFF; c += (c < 0x900 ? 1 : 37)) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        append_utf8(text, c);
        const Decoded decoded = decode_utf8(text, 0);
        REQUIRE(decoded.valid);
        REQUIRE(decoded.code_point == c);
        REQUIRE(decoded.length == text.size());
    }
}

TEST_CASE("broken sequences become one replacement character each") {
    CHECK(to_valid_utf8("a\xFFz") == "a\uFFFDz");
    CHECK(to_valid_utf8("\xE4\xBD") == "\uFFFD");             // 你 cut short
    CHECK(to_valid_utf8("\xC0\xAF") == "\uFFFD\uFFFD");       // overlong
    CHECK(to_valid_utf8("\xED\xA0\x80").find('\xED') == std::string::npos); // surrogate
    CHECK(to_valid_utf8("\xF4\x90\x80\x80").size() == 12);    // past U+10FFFF
    CHECK(is_valid_utf8("我 ate 🍎"));
    CHECK_FALSE(is_valid_utf8("\x80"));
    CHECK(is_valid_utf8(to_valid_utf8("\xF0\x9F\x98")));
}

TEST_CASE("code points are counted, not bytes") {
    CHECK(count_code_points("我 ate 🍎") == 7);
    CHECK(count_code_points("") == 0);
}
