// Font files by fontconfig: a face for each use, and for any character that the face lacks.
#pragma once

#include "base/result.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heed::ui {

struct FontFile {
    std::string path;
    int face = 0; // in a collection
    bool operator==(const FontFile&) const = default;
};

enum class FontWeight { regular, semibold };

/// The best installed file for a family list, first one first. None where fontconfig finds nothing
/// that can be scaled.
std::optional<FontFile> find_font(const std::vector<std::string>& families, FontWeight weight);

/// Which of these characters the file has no glyph for.
std::set<char32_t> missing_from(const FontFile& file, const std::set<char32_t>& characters);

/// A file that has this character, in its Simplified Chinese form where there are several.
std::optional<FontFile> find_font_with(char32_t character, FontWeight weight);

/// Line height over em size (ascender less descender, as FreeType reads them): ImGui sizes a font
/// by its line, we by its em. Errors: unreadable, malformed.
base::Result<float> line_height(const FontFile& file);

} // namespace heed::ui
