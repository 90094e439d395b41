#include "tokenizers/text/characters.hpp"

#include "base/utf8.hpp"
#include "tokenizers/text/newer_characters.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace heed::tokenizers {

namespace {

UChar32 icu(char32_t c) { return static_cast<UChar32>(c); }

bool has_category(char32_t c, std::uint32_t mask) {
    return (U_MASK(u_charType(icu(c))) & mask) != 0;
}

/// True where a character was there in Unicode `version`.
bool known_to(char32_t c, int version) {
    UVersionInfo age;
    u_charAge(icu(c), age);
    return age[0] != 0 && age[0] <= version;
}

template <std::size_t N> bool is_among(char32_t c, const Range (&ranges)[N]) {
    if (c < 0x80) return false;
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](const Range& range) { return c >= range.begin && c <= range.end; });
}

bool is_ascii_punctuation(char32_t c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

struct ByteCharacters {
    std::array<char32_t, 256> of_byte{};
    std::array<int, 512> of_character{};

    ByteCharacters() {
        of_character.fill(-1);
        char32_t next = 0x100;
        for (unsigned b = 0; b < 256; ++b) {
            const bool itself = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
            of_byte[b] = itself ? static_cast<char32_t>(b) : next++;
            of_character[of_byte[b]] = static_cast<int>(b);
        }
    }
};

const ByteCharacters& byte_characters() {
    static const ByteCharacters table;
    return table;
}

} // namespace

bool is_white_space(char32_t c) { return u_isUWhiteSpace(icu(c)) != 0; }

bool is_word(char32_t c) {
    if (c < 128) return u_isalnum(icu(c)) != 0 || c == '_';
    return u_hasBinaryProperty(icu(c), UCHAR_ALPHABETIC) != 0 ||
           has_category(c, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK) || c == 0x200C ||
           c == 0x200D || is_among(c, newer::kWordsOfRust);
}

bool is_numeric(char32_t c) {
    return has_category(c, U_GC_N_MASK) || is_among(c, newer::kNumbersOfRust);
}

// Below, what a character was in the version that a table is of, and is no more, stands by itself.

bool is_ascii_or_punctuation(char32_t c) {
    return is_ascii_punctuation(c) || (has_category(c, U_GC_P_MASK) && known_to(c, 8)) ||
           c == 0x166D || c == 0x111C9;
}

bool is_other(char32_t c) {
    return has_category(c, U_GC_CC_MASK | U_GC_CO_MASK) ||
           (has_category(c, U_GC_CF_MASK) && known_to(c, 8));
}

bool is_nonspacing_mark(char32_t c) {
    if (c == 0x1885 || c == 0x1886 || c == 0xA9BD || c == 0x111C9) return false;
    return (has_category(c, U_GC_MN_MASK) && known_to(c, 8)) || c == 0x1734;
}

bool is_combining_mark(char32_t c) {
    if (c == 0x111C9) return false;
    return (has_category(c, U_GC_M_MASK) && known_to(c, 9)) || c == 0x1CF2 || c == 0x1CF3;
}

bool is_normalized_by_library(char32_t c) { return known_to(c, 11); }

bool is_cjk_ideograph(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
           (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

std::u32string lower_case(char32_t c) {
    if (c == 0x130) return U"i\u0307";
    // Of Unicode 16 and 17.
    if (c >= 0x10D50 && c <= 0x10D65) return {c + 0x20};
    if (c >= 0x16EA0 && c <= 0x16EB8) return {c + 0x1B};
    switch (c) {
    case 0x1C89:
    case 0xA7CC:
    case 0xA7CE:
    case 0xA7D2:
    case 0xA7D4:
    case 0xA7DA: return {c + 1};
    case 0xA7CB: return {0x264};
    case 0xA7DC: return {0x19B};
    default: break;
    }
    return {static_cast<char32_t>(u_tolower(icu(c)))};
}

std::u32string to_characters(std::string_view utf8) {
    std::u32string result;
    result.reserve(utf8.size());
    for (std::size_t at = 0; at < utf8.size();) {
        const base::Decoded decoded = base::decode_utf8(utf8, at);
        result += decoded.code_point;
        at += decoded.length;
    }
    return result;
}

std::string to_utf8(std::u32string_view characters) {
    std::string result;
    for (const char32_t c : characters) base::append_utf8(result, c);
    return result;
}

char32_t byte_to_character(unsigned char byte) { return byte_characters().of_byte[byte]; }

int character_to_byte(char32_t c) { return c < 512 ? byte_characters().of_character[c] : -1; }

int byte_of_token(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return -1;
    int value = 0;
    for (const char digit : token.substr(3, 2)) {
        const bool number = digit >= '0' && digit <= '9';
        const char letter = static_cast<char>(digit | 0x20);
        if (!number && (letter < 'a' || letter > 'f')) return -1;
        value = value * 16 + (number ? digit - '0' : letter - 'a' + 10);
    }
    return value;
}

std::string token_of_byte(unsigned char byte) {
    constexpr const char* kDigits = "0123456789ABCDEF";
    return std::string("<0x") + kDigits[byte >> 4] + kDigits[byte & 15] + '>';
}

} // namespace heed::tokenizers
