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
    CHECK(to_valid_utf8("\xE4\xBD") == "\uFFFD");                           // 你 cut short
    CHECK(to_valid_utf8("\xC0\xAF") == "\uFFFD\uFFFD");                     // overlong
    CHECK(to_valid_utf8("\xED\xA0\x80").find('\xED') == std::string::npos); // surrogate
    CHECK(to_valid_utf8("\xF4\x90\x80\x80").size() == 12);                  // past U+10FFFF
    CHECK(is_valid_utf8("我 ate 🍎"));
    CHECK_FALSE(is_valid_utf8("\x80"));
    CHECK(is_valid_utf8(to_valid_utf8("\xF0\x9F\x98")));
}

TEST_CASE("code points are counted, not bytes") {
    CHECK(count_code_points("我 ate 🍎") == 7);
    CHECK(count_code_points("") == 0);
}

TEST_CASE("just the sequences of the standard's table are valid") {
    // Slow and obvious: a sequence of n bytes is valid when decoding its bits by hand gives a
    // code point that needs n bytes and is no surrogate.
    const auto valid = [](const std::string& bytes) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
        const std::size_t n = bytes.size();
        const unsigned lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0}, mask[] = {0, 0x80, 0xE0, 0xF0, 0xF8};
        if ((byte(0) & mask[n]) != lead[n]) return false;
        unsigned long code_point = byte(0) & ~mask[n] & 0xFFu;
        for (std::size_t i = 1; i < n; ++i) {
            if ((byte(i) & 0xC0) != 0x80) return false;
            code_point = (code_point << 6) | (byte(i) & 0x3Fu);
        }
        const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
        return code_point >= least[n] && code_point <= 0x10FFFF &&
               (code_point < 0xD800 || code_point > 0xDFFF);
    };
    std::size_t wrong = 0;
    for (int a = 0; a < 256; ++a) {
        for (int b = 0; b < 256; ++b) {
            for (const char* rest : {"", "\x80", "\xBF\xBF", "A"}) {
                const std::string bytes = {static_cast<char>(a), static_cast<char>(b)};
                const std::string all = bytes + rest;
                const Decoded decoded = decode_utf8(all, 0);
                bool any = false;
                for (std::size_t n = 1; n <= all.size() && n <= 4; ++n) {
                    const bool is = valid(all.substr(0, n));
                    any = any || is;
                    wrong += is && !(decoded.valid && decoded.length == n);
                }
                wrong += !any && decoded.valid;
                wrong += decoded.length < 1 || decoded.length > all.size();
            }
        }
    }
    CHECK(wrong == 0);
}
