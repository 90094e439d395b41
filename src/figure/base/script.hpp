// What a painter of text asks of its letters: their direction, and the fonts that they need.
#pragma once

#include <string_view>

namespace heed::figure {

enum class Han { none, chinese, japanese, korean };
/// Which forms Han characters take: Japanese beside Kana, Korean beside Hangul, else Simplified
/// Chinese; `none` where the text has nothing of these.
Han han_forms(std::string_view text);

/// Whether the text asks for a font of coloured pictures: letters of emoji, or the selector that
/// makes an emoji of another letter.
bool has_emoji(std::string_view text);

/// Whether the first letter with a direction is read from right to left.
bool is_right_to_left(std::string_view text);

} // namespace heed::figure
