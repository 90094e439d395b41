// One line of anybody's text, as a file can hold it.
#pragma once

#include <string>
#include <string_view>

namespace heed::files {

/// Valid UTF-8 without control characters (a tab or a line end becomes a blank) and without the
/// two code points that XML forbids (they become U+FFFD).
std::string plain_line(std::string_view text);

} // namespace heed::files
