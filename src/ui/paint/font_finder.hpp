// Font files by fontconfig: a face for each use, and for any character that the face lacks.
#pragma once

#include "base/result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::ui {

/// The characters that a font file has. A copy is cheap and lists the same ones.
class Letters {
  public:
    Letters() = default; // none
    /// Letters of an FcCharSet, which stays its owner's.
    explicit Letters(const void* charset);
    bool has(char32_t character) const;

  private:
    std::shared_ptr<const void> charset_;
};

struct FontFile {
    std::string path;
    int face = 0; // in a collection
    Letters letters{};
};

enum class FontWeight { regular, semibold };

/// The best installed file for a family list, first one first. None where fontconfig finds nothing
/// that can be scaled.
std::optional<FontFile> find_font(const std::vector<std::string>& families, FontWeight weight);

/// A file that has this character, in its Simplified Chinese form where there are several.
std::optional<FontFile> find_font_with(char32_t character, FontWeight weight);

/// Line height over em size (ascender less descender, as FreeType reads them): ImGui sizes a font
/// by its line, we by its em. Errors: unreadable, malformed.
base::Result<float> line_height(const FontFile& file);

} // namespace heed::ui
