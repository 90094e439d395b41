// The direction of a text's letters, and the fonts that they need, as painters of text ask.
#pragma once

#include <string_view>

namespace heed::figure {

enum class Han { none, chinese, japanese, korean };
/// The forms that Han characters take: Japanese beside Kana, Korean beside Hangul, else Simplified
/// Chinese; `none` where the text has nothing of these.
Han han_forms(std::string_view text);

/// True of a text that asks for a font of coloured pictures: letters of emoji, or the selector that
/// makes an emoji of another letter.
bool has_emoji(std::string_view text);

/// True where the first letter with a direction is read from right to left.
bool is_right_to_left(std::string_view text);

} // namespace heed::figure
