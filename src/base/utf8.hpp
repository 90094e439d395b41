// UTF-8, as the Unicode standard defines it (table 3-7): no overlong forms, no surrogates.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::base {

inline constexpr char32_t kReplacement = U'\uFFFD';

struct Decoded {
    char32_t code_point; // kReplacement where the bytes are broken
    std::size_t length;  // bytes taken, at least 1; a broken sequence takes its longest valid prefix
    bool valid;
};

/// The code point that starts at `at`. Requires at < text.size().
Decoded decode_utf8(std::string_view text, std::size_t at);

/// True of a byte that continues a code point and begins none.
constexpr bool continues_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// True of a character whose script sets spaces between words, as those of Chinese and Japanese do
/// not.
constexpr bool sets_spaces(char32_t code_point) {
    return code_point < 0x2E80 || (code_point >= 0xAC00 && code_point < 0xD7B0); // Korean
}

void append_utf8(std::string& out, char32_t code_point);

bool is_valid_utf8(std::string_view text);

/// The text with every broken sequence replaced by U+FFFD.
std::string to_valid_utf8(std::string_view text);

/// Number of code points; a broken sequence counts as one.
std::size_t count_code_points(std::string_view text);

} // namespace heed::base
