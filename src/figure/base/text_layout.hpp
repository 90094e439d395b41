// Text, shaped by Pango: every script, emoji and combination is right, and measures the same on
// the screen and in a file. The only place that knows Pango.
#pragma once

#include "figure/base/figure.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

typedef struct _cairo cairo_t; // a painter's canvas; Cairo itself is known to src/files alone

namespace heed::figure {

/// Ascent and descent are those of the style's own font, the same for every text, so that labels of
/// different scripts share one line. A style without any font has usual values.
struct Extent {
    float width, ascent, descent; // points; height is ascent + descent
};

/// The place of the baseline's left end, from the one that the alignments speak of, for a text that
/// is not turned: the one rule that every painter follows.
Point baseline_offset(const Extent& extent, AlignX align_x, AlignY align_y);

/// The right to use fonts, of one thread at a time: Cairo 1.16 opens and closes the files of all
/// fonts in one table, beside a thread that draws from it. All below takes it for itself; who has
/// Cairo draw text later, as a page that is finished, takes it for that. It nests, and who waits
/// longest comes next.
class FontsInUse {
  public:
    FontsInUse();
    ~FontsInUse();
    FontsInUse(const FontsInUse&) = delete;
    FontsInUse& operator=(const FontsInUse&) = delete;
};

/// One shaped line, of one thread.
class TextLayout {
  public:
    /// Text that is not valid UTF-8 is mended first. Han characters take the Simplified Chinese
    /// forms unless the text holds Kana (Japanese) or Hangul (Korean).
    TextLayout(const std::string& text, const TextStyle& style);
    ~TextLayout();
    TextLayout(TextLayout&&) noexcept;
    TextLayout& operator=(TextLayout&&) noexcept;

    Extent extent() const;
    /// Characters that no installed font has, in the order of drawing.
    std::u32string missing_characters() const;
    /// Draws with the canvas's current colour and transform, the baseline's left end at (0, 0).
    void show(cairo_t* canvas) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The characters of a text that no installed font has, each once, in order; those of an earlier
/// text are remembered, so that a long one that grows costs little. Any thread.
std::u32string missing_characters(std::string_view text);

/// The next space at which a line may break, or npos: never before a "·" between two parts, and
/// never within a number, as before "%" and "(±" and behind ">", "<" and "±".
std::size_t next_break(std::string_view text, std::size_t from);

/// The extent of a text; remembered, so that asking again costs a look-up. Any thread.
Extent measure(const std::string& text, const TextStyle& style);

/// A label as pixels for the screen: 8-bit coverage for ordinary text, RGBA (premultiplied) where
/// the font brings its own colours.
struct Bitmap {
    int width = 0, height = 0;
    float origin_x = 0, origin_y = 0; // pixel place of the baseline's left end inside the bitmap
    bool coloured = false;
    std::vector<std::uint8_t>
        rgba; // width × height × 4; white with coverage as alpha if not coloured
};
/// `ink` is used for ordinary letters beside coloured ones; a bitmap without colours is always
/// white. Empty where scale is not above 0 or the label would be beyond 16384 pixels wide.
Bitmap rasterize(const std::string& text, const TextStyle& style, float scale,
                 Color ink = {255, 255, 255});

/// The weight of `Weight::bold` on the scale of fonts (CSS, OpenType): what SVG writes.
inline constexpr int kBoldWeight = 600;

/// The family name that `Font` stands for on this system, as fontconfig resolves it.
std::string family(Font font);

} // namespace heed::figure
