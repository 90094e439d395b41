// The fonts of the window's own words and of its edit fields. Sentences elsewhere are drawn by
// Pango (label_cache.hpp). Before ImGui 1.92 an atlas holds the glyphs it was built with, so what
// fields hold is watched, and the atlas is built again between frames when something new appears.
#pragma once

#include "ui/font_finder.hpp"
#include "ui/imgui_shim.hpp"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace heed::ui {

/// A use of type in the window, with its size in points.
enum class Face {
    body,    // 13: labels of rows, lists
    control, // 12: segments, second-rank text
    small,   // 11: captions
    heading, // 11 semibold: section headings, in spaced capitals
    strong,  // 13 semibold: buttons
    brand,   // 15 semibold
    title,   // 18 semibold
    mono,    // 12: numbers
    field,   // 14: what a person types
    count
};

struct FontFileSet {
    FontFile sans, semibold, mono;
};

class Fonts {
  public:
    /// Finds the files. Without any, ImGui's built-in font serves, and trouble() says so.
    Fonts();

    /// Notes the characters of a text that a field shows. True when the atlas must be built again.
    bool note(std::string_view text);
    /// Builds the atlas for this many pixels a point. Requires no frame under way; the caller
    /// uploads the atlas anew. Does nothing to be done twice for the same scale and characters.
    void build(float pixels_a_point);
    bool needs_build() const { return stale_; }

    ImFont* get(Face face) const { return fonts_[static_cast<std::size_t>(face)]; }
    /// The size to hand to ImGui with the face, in pixels.
    float pixels(Face face) const { return pixels_[static_cast<std::size_t>(face)]; }
    /// Em size in pixels: the size a designer means.
    float em(Face face) const { return em_[static_cast<std::size_t>(face)]; }

    /// What a person should know about missing fonts; empty when nothing is missing.
    const std::string& trouble() const { return trouble_; }
    /// Characters seen that no installed font has.
    const std::set<char32_t>& without_font() const { return without_font_; }

  private:
    void add(Face face, float pixels_a_point);
    const FontFile* fallback(char32_t character, FontWeight weight);

    std::optional<FontFileSet> files_;
    std::map<std::string, float> line_heights_;
    std::map<char32_t, std::optional<FontFile>> fallbacks_;
    std::set<char32_t> seen_;
    std::set<char32_t> without_font_;
    std::array<ImFont*, static_cast<std::size_t>(Face::count)> fonts_{};
    std::array<float, static_cast<std::size_t>(Face::count)> pixels_{}, em_{};
    std::vector<ImVector<ImWchar>> ranges_; // ImGui reads them when it builds
    std::string trouble_;
    bool stale_ = true;
};

} // namespace heed::ui
