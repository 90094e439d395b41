// Text, shaped by Pango: every script, emoji and combination is right, and measures the same on
// the screen and in a file. The only place that knows Pango.
#pragma once

#include "figure/figure.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

typedef struct _cairo cairo_t; // a painter's canvas; Cairo itself is known to src/files alone

namespace heed::figure {

struct Extent {
    float width, ascent, descent; // points; height is ascent + descent
};

/// One shaped line. Make and use it in one thread: Pango's font map belongs to its thread.
class TextLayout {
  public:
    /// Text that is not valid UTF-8 is mended first. Han characters take the Simplified Chinese
    /// forms unless the text holds Kana (Japanese) or Hangul (Korean).
    TextLayout(const std::string& text, const TextStyle& style);
    ~TextLayout();
    TextLayout(TextLayout&&) noexcept;
    TextLayout& operator=(TextLayout&&) noexcept;

    Extent extent() const;
    int missing_glyphs() const; // characters that no installed font has
    /// Draws with the canvas's current colour and transform, the baseline's left end at (0, 0).
    void show(cairo_t* canvas) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

Extent measure(const std::string& text, const TextStyle& style);

/// A label as pixels for the screen: 8-bit coverage for ordinary text, RGBA (premultiplied) where
/// the font brings its own colours.
struct Bitmap {
    int width = 0, height = 0;
    float origin_x = 0, origin_y = 0; // pixel place of the baseline's left end inside the bitmap
    bool coloured = false;
    std::vector<std::uint8_t> rgba; // width × height × 4; white with coverage as alpha if not coloured
};
Bitmap rasterize(const std::string& text, const TextStyle& style, float scale);

/// The family names that `Font` stands for on this system, as fontconfig resolves them.
std::string family(Font font);

} // namespace heed::figure
