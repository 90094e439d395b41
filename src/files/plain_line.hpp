// What a file needs to know about one line of anybody's text.
#pragma once

#include <string>
#include <string_view>

namespace heed::files {

/// Valid UTF-8 without control characters (a tab or a line end becomes a blank) and without the
/// two code points that XML forbids (they become U+FFFD).
std::string plain_line(std::string_view text);

/// Whether the first letter with a direction is read from right to left.
bool is_right_to_left(std::string_view text);

bool has_emoji(std::string_view text);

enum class Han { none, chinese, japanese, korean };
/// Which forms Han characters take: Japanese beside Kana, Korean beside Hangul, else Simplified
/// Chinese; `none` where the text has nothing of these.
Han han_forms(std::string_view text);

} // namespace heed::files
