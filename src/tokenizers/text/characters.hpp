// Classes of characters as the library's parts know them. Each part has Unicode tables of its own:
// `unicode_categories` those of Unicode 8, `unicode_normalization` of 9 and 11, Rust's own of 16
// and
// 17. Older tables are ICU's, asked for the age of a character; what newer ones have beyond ICU 72
// stands in newer_characters.hpp. Tried on every code point against the library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

bool is_white_space(char32_t c);
bool is_word(char32_t c);                  // \w of Rust's regex
bool is_numeric(char32_t c);               // N*
bool is_ascii_or_punctuation(char32_t c);  // ASCII punctuation, and P* of Unicode 8
bool is_other(char32_t c);                 // Cc, Co, and Cf of Unicode 8
bool is_nonspacing_mark(char32_t c);       // Mn of Unicode 8
bool is_combining_mark(char32_t c);        // M* of Unicode 9
bool is_normalized_by_library(char32_t c); // known to Unicode 11
bool is_cjk_ideograph(char32_t c);         // BERT's eight ranges
/// One character, or two (U+0130).
std::u32string lower_case(char32_t c);

std::u32string to_characters(std::string_view utf8);
std::string to_utf8(std::u32string_view characters);

/// GPT-2's characters for bytes: 33 to 126, 161 to 172 and 174 to 255 are themselves, the others
/// U+0100 and on.
char32_t byte_to_character(unsigned char byte);
/// −1 where the character stands for no byte.
int character_to_byte(char32_t c);

/// "<0xE4>" → 0xE4, else −1.
int byte_of_token(std::string_view token);
std::string token_of_byte(unsigned char byte);

} // namespace heed::tokenizers
