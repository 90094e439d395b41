// The strip beside a heat picture that says what its colours mean.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

inline constexpr float kColourBarWidth = 14;

/// Width of the bar with its words.
float colour_bar_width(const Sheet& sheet, const ValueRange& range);

/// The bar's strip fills `left`, `top`, `height`; its words stand to the right and below, there in
/// lines as they have them. `room`: the width below it, where that is more than the bar's.
void draw_colour_bar(Sheet& sheet, const ValueRange& range, float left, float top, float height,
                     float room = 0);

inline constexpr float kColourBarGap = 20; // left of each of several bars

/// Bars above each other, or beside each other where that leaves them too low.
bool bars_go_beside(std::size_t bars, float height);
float colour_bars_width(const Sheet& sheet, const std::vector<ValueRange>& bars, bool beside);
/// The bars right of `left`, all of them together as high as `height` with their words.
void draw_colour_bars(Sheet& sheet, const std::vector<ValueRange>& bars, bool beside, float left,
                      float top, float height);

/// A range of colours in a line of words, as a picture has it whose stripes or tiles are all of one
/// kind: "−a ▬ a: the number after ±". Without ends it is words, behind a swatch where one colour
/// stands for them.
struct ColourKey {
    std::string low{}, high{};
    PaletteId palette = PaletteId::amber;
    std::string meaning{}; // behind the high end
    std::optional<Color> swatch{};
};

inline constexpr float kColourKeyLine = 16;
/// The width of a key that is not cut.
float colour_key_width(const Sheet& sheet, const ColourKey& key);
/// The height of keys behind each other in so wide a place, with what sets them off below; 0 of
/// none.
float colour_keys_height(const Sheet& sheet, const std::vector<ColourKey>& keys, float width);
/// Draws keys from a place's top left on.
void draw_colour_keys(Sheet& sheet, const std::vector<ColourKey>& keys, Point at, float width);
/// The place from which on content may stand below keys under a title: a low picture has none.
float below_keys(const Sheet& sheet, const std::vector<ColourKey>& keys, float top);
/// Draws keys there, and gives that place back.
float draw_keys_below_title(Sheet& sheet, const std::vector<ColourKey>& keys, float top);
/// Keys with words behind them; none that would take another line, but where the height is
/// open.
std::vector<ColourKey> with_words(const Sheet& sheet, std::vector<ColourKey> keys,
                                  const std::vector<std::string>& words);

/// The key of signed numbers: −a ▬ a, and what a is.
ColourKey signed_key(const Theme& theme, std::string meaning);

} // namespace heed::figure
