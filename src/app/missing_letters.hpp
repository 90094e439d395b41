// Letters that would be drawn as boxes, and what a person installs against it.
#pragma once

#include <string>
#include <string_view>

namespace heed::app {

/// The Debian package with a font that has this letter; empty where none can: private use, and code
/// points that no letter ever gets.
std::string_view font_package(char32_t letter);

/// "no installed font can draw U+6211, U+5403; install fonts-noto-cjk", empty where every letter of
/// the text can be drawn. Any thread; a text that grows costs little.
std::string missing_letters(std::string_view text);
/// The same for letters already found missing.
std::string missing_letters_note(std::u32string_view missing);

} // namespace heed::app
