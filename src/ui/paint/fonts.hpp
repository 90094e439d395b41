// The fonts of edit fields; everything else is shaped by Pango (label_cache.hpp). An atlas holds
// the glyphs (since ImGui 1.92: the font files) it was built with, so what fields hold is watched,
// and the atlas is built again between frames when something new appears.
#pragma once

#include "ui/paint/font_finder.hpp"
#include "ui/paint/imgui_shim.hpp"
#include "ui/paint/private_use.hpp"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace heed::ui {

/// Sentences, at 14 points; paths, at 12.
enum class FieldFont { sans, mono, count };

class Fonts {
  public:
    /// Finds and reads the files. Without any, ImGui's built-in font serves, and trouble() says so.
    Fonts();

    /// Notes the characters of a text that a field shows in this font. True when the atlas must be
    /// built again. Stand-ins are drawn as what they stand for, where that is said.
    bool note(std::string_view text, const PrivateUse* stand_ins = nullptr,
              FieldFont font = FieldFont::sans);
    /// Builds the atlas for this many pixels a point. Requires no frame under way; the caller
    /// uploads the atlas anew.
    void build(float pixels_a_point);
    bool needs_build(float pixels_a_point) const { return stale_ || built_for_ != pixels_a_point; }

    ImFont* get(FieldFont font) const { return fonts_[static_cast<std::size_t>(font)]; }
    /// The size to hand to ImGui with the font, in pixels.
    float pixels(FieldFont font) const { return pixels_[static_cast<std::size_t>(font)]; }

    /// Words for a person about missing fonts; empty when nothing is missing.
    const std::string& trouble() const { return trouble_; }
    /// Characters seen that no installed font has.
    const std::set<char32_t>& without_font() const { return without_font_; }

  private:
    void add(FieldFont font, float pixels_a_point);
    const FontFile* fallback(char32_t character);
    const std::string& bytes(const FontFile& file);
    void draw_stand_ins(float pixels_a_point);

    std::optional<FontFile> sans_, mono_;
    std::map<std::string, float> line_heights_;
    std::map<std::string, std::string> bytes_; // of each file: reading one takes 10 ms and more
    std::map<char32_t, std::optional<FontFile>> fallbacks_;
    std::array<std::set<char32_t>, static_cast<std::size_t>(FieldFont::count)> seen_;
    std::set<char32_t> without_font_;
    std::map<char32_t, std::string> stand_ins_; // and what they stand for
    std::array<ImFont*, static_cast<std::size_t>(FieldFont::count)> fonts_{};
    std::array<float, static_cast<std::size_t>(FieldFont::count)> pixels_{};
    std::vector<ImVector<ImWchar>> ranges_; // ImGui reads them when it builds
    std::string trouble_;
    bool stale_ = true;
    float built_for_ = 0; // pixels a point
};

} // namespace heed::ui
