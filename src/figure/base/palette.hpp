// Colours of numbers. Every palette is perceptually even in lightness and told apart by the
// colour-blind; one table of 256 colours serves the screen's shader and the files alike.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heed::figure {

struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;
    bool operator==(const Color&) const = default;
};

enum class PaletteId {
    amber,          // weights on a light ground: near white to deep orange-brown
    ember,          // weights on a dark ground: near black through violet and orange to pale yellow
    lagoon,         // weights on a dark ground: near black through blue and teal to pale yellow
    heather,        // weights on a light ground: near white through lilac to deep indigo
    grey,           // for print
    diverging,      // signed values: blue, near white, orange; centred at zero by its caller
    diverging_dark, // the same on a dark ground: light blue, near black, light orange
};
inline constexpr PaletteId kPalettes[] = {
    PaletteId::amber, PaletteId::ember,     PaletteId::lagoon,        PaletteId::heather,
    PaletteId::grey,  PaletteId::diverging, PaletteId::diverging_dark};

std::string_view name(PaletteId palette); // "amber", …, "diverging-dark"
std::optional<PaletteId> palette_named(std::string_view name);

const std::array<Color, 256>& table(PaletteId palette);
/// Colour of values that are not finite: one that no table holds.
Color not_finite(PaletteId palette);

/// The entry for a value: 0 at low and below, 255 at high and above, halves up; where low and high
/// are equal, 0 up to them and 255 above. Of a diverging table, zero has entry 128. This one rule
/// is written again in shaders/heat.frag and compared with it pixel by pixel.
int table_index(float value, float low, float high);
/// table(palette)[table_index(…)], or not_finite.
Color colour_of(PaletteId palette, float value, float low, float high);

/// Black or white, whichever has more contrast on a ground (always 4.5 or more).
Color ink_on(Color ground);
/// A quieter ink: up to `most` of the way to the ground, as far as contrast 4.5 allows.
Color soft_ink_on(Color ground, float most);
/// WCAG 2 contrast of two opaque colours, 1 to 21.
float contrast(Color a, Color b);
/// Linear in sRGB, opacity included: a at 0, b at 1.
Color mixed(Color a, Color b, float share_of_b);

} // namespace heed::figure
