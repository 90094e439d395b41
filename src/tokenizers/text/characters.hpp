// Classes of characters as the library's parts know them. Each part has Unicode tables of its own:
// `unicode_categories` those of Unicode 8, `unicode_normalization` of 12.1 to 13, Rust's own of
// 16 and newer. Older tables are ICU's, asked for the age of a character; newer ones are ICU's too,
// so that characters that are younger than the system's ICU can differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

bool is_white_space(char32_t c);
bool is_word(char32_t c);                 // \w of Rust's regex
bool is_numeric(char32_t c);              // N*
bool is_ascii_or_punctuation(char32_t c); // ASCII punctuation, and P* of Unicode 8
bool is_other(char32_t c);                // Cc, Cf, Co, and what Unicode 8 knows of Cn
bool is_nonspacing_mark(char32_t c);      // Mn of Unicode 8
bool is_combining_mark(char32_t c);       // M*
bool is_cjk_ideograph(char32_t c);        // BERT's eight ranges
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
