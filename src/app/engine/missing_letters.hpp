// Letters that would be drawn as boxes, and what a person installs against it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::app {

/// The Debian package with a font that has this letter; empty where none can: private use, and code
/// points that no letter ever gets.
std::string_view font_package(char32_t letter);

/// "no installed font has U+6211, U+5403: install fonts-noto-cjk" for the letters that
/// figure::missing_characters found, the first `most_named` by their code points. Empty for none.
std::string missing_letters_note(std::u32string_view missing, std::size_t most_named);

inline constexpr std::size_t kMostNamed = 12; // where a line may be long: on the command line

} // namespace heed::app
