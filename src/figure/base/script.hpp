// The direction of a text's letters, and the fonts that they need, as painters of text ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::figure {

enum class Han { none, chinese, japanese, korean };
/// The forms that Han characters take: Japanese beside Kana, Korean beside Hangul, else Simplified
/// Chinese; `none` where the text has nothing of these.
Han han_forms(std::string_view text);

/// The characters of a text that is of wide ones alone, as Han characters are; none of any other.
std::vector<std::string> wide_characters(std::string_view text);

/// True of a text of one letter, which stands upright wherever others are turned.
bool is_one_letter(std::string_view text);

/// True of a text that asks for a font of coloured pictures: letters of emoji, or the selector that
/// makes an emoji of another letter.
bool has_emoji(std::string_view text);

/// True of a token or a sentence that is read from right to left: its first letter with a direction
/// is. Never of words of ours about such a one, whatever they begin with: “…” or an arrow stands in
/// them, or a number or a letter that is read from left to right beside a space.
bool is_right_to_left(std::string_view text);

/// The text, with signs about what in it is read from right to left (FSI, PDI), so that this alone
/// is: words and numbers beside it keep their places. A text that is_right_to_left() is as it was.
std::string isolated(const std::string& text);

/// Bytes at which the word "I" is all of the text, or all between quotation marks.
std::vector<std::size_t> lone_i(std::string_view text);

} // namespace heed::figure
