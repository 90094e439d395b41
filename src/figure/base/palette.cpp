#include "figure/base/palette.hpp"

#include "figure/base/oklab.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace heed::figure {

namespace {

/// A control point: OKLab lightness, chroma, and hue in degrees. Hues may pass 360, so that the way
/// from one point to the next is never in doubt.
struct Control {
    float lightness, chroma, hue;
};

constexpr Control kAmber[] = {{0.993f, 0.007f, 88}, {0.930f, 0.054f, 82}, {0.850f, 0.103f, 75},
                              {0.760f, 0.142f, 66}, {0.660f, 0.155f, 55}, {0.560f, 0.155f, 46},
                              {0.470f, 0.130f, 42}, {0.400f, 0.105f, 40}};
constexpr Control kEmber[] = {{0.150f, 0.055f, 288}, {0.250f, 0.110f, 300}, {0.360f, 0.150f, 318},
                              {0.460f, 0.168f, 348}, {0.560f, 0.178f, 375}, {0.660f, 0.172f, 398},
                              {0.760f, 0.150f, 419}, {0.870f, 0.118f, 442}, {0.970f, 0.080f, 462}};
constexpr Control kLagoon[] = {{0.160f, 0.050f, 278}, {0.270f, 0.105f, 270}, {0.380f, 0.120f, 258},
                               {0.490f, 0.108f, 240}, {0.600f, 0.103f, 212}, {0.710f, 0.110f, 182},
                               {0.820f, 0.130f, 152}, {0.900f, 0.130f, 124}, {0.970f, 0.090f, 105}};
constexpr Control kHeather[] = {{0.993f, 0.006f, 335}, {0.920f, 0.045f, 332}, {0.830f, 0.090f, 326},
                                {0.730f, 0.130f, 318}, {0.620f, 0.160f, 308}, {0.510f, 0.175f, 297},
                                {0.410f, 0.160f, 286}, {0.320f, 0.120f, 278}};
constexpr Control kGrey[] = {{0.985f, 0, 0}, {0.200f, 0, 0}};
// Both sides begin without a tint: a value a hair beside zero looks like zero.
constexpr Control kCool[] = {{0.970f, 0, 250}, {0.780f, 0.095f, 250}, {0.480f, 0.150f, 258}};
constexpr Control kWarm[] = {{0.970f, 0, 66}, {0.780f, 0.120f, 66}, {0.480f, 0.135f, 44}};
constexpr Control kCoolDark[] = {{0.230f, 0, 258}, {0.520f, 0.130f, 258}, {0.820f, 0.095f, 240}};
constexpr Control kWarmDark[] = {{0.230f, 0, 48}, {0.520f, 0.125f, 48}, {0.820f, 0.135f, 75}};

OkLab lab_of(const Control& c, float chroma_share = 1) {
    const float radians = c.hue * 3.14159265f / 180;
    return {c.lightness, c.chroma * chroma_share * std::cos(radians),
            c.chroma * chroma_share * std::sin(radians)};
}

bool shown(const OkLab& lab) {
    const auto rgb = linear_rgb(lab);
    return std::all_of(rgb.begin(), rgb.end(), [](float c) { return c >= 0 && c <= 1; });
}

/// The colour at a share of the whole way in lightness.
OkLab at(std::span<const Control> controls, float share) {
    const float first = controls.front().lightness, last = controls.back().lightness;
    const float lightness = first + share * (last - first);
    std::size_t i = 0;
    while (i + 2 < controls.size() &&
           (controls[i + 1].lightness - lightness) * (last - first) < 0) {
        ++i;
    }
    const Control &a = controls[i], &b = controls[i + 1];
    const float t = (lightness - a.lightness) / (b.lightness - a.lightness);
    const Control wanted{lightness, a.chroma + t * (b.chroma - a.chroma),
                         a.hue + t * (b.hue - a.hue)};
    // Chroma gives way where the screen cannot show it; lightness never does.
    float chroma_share = 1;
    while (chroma_share > 0.02f && !shown(lab_of(wanted, chroma_share))) chroma_share -= 0.01f;
    return lab_of(wanted, chroma_share);
}

/// The one of the eight ways to round the channels whose lightness is nearest: 256 steps are finer
/// than what plain rounding keeps in order.
Color rounded(const OkLab& lab) {
    const auto rgb = linear_rgb(lab);
    std::array<float, 3> exact{};
    for (int c = 0; c < 3; ++c) exact[c] = std::clamp(from_linear(rgb[c]), 0.f, 255.f);
    Color best;
    float best_error = 2;
    for (int corner = 0; corner < 8; ++corner) {
        std::array<std::uint8_t, 3> byte{};
        for (int c = 0; c < 3; ++c) {
            byte[c] = static_cast<std::uint8_t>(
                std::min(255.f, std::floor(exact[c]) + static_cast<float>(corner >> c & 1)));
        }
        const Color color{byte[0], byte[1], byte[2]};
        const OkLab got = to_oklab(color);
        const float error =
            std::abs(got.L - lab.L) + 0.1f * std::hypot(got.a - lab.a, got.b - lab.b);
        if (error < best_error) {
            best_error = error;
            best = color;
        }
    }
    return best;
}

using ColourTable = std::array<Color, 256>;

ColourTable sequential(std::span<const Control> controls) {
    ColourTable result;
    for (int i = 0; i < 256; ++i) result[i] = rounded(at(controls, static_cast<float>(i) / 255.f));
    return result;
}

ColourTable two_sided(std::span<const Control> below, std::span<const Control> above) {
    ColourTable result;
    for (int i = 0; i < 128; ++i) {
        result[i] = rounded(at(below, static_cast<float>(128 - i) / 128.f));
    }
    for (int i = 128; i < 256; ++i) {
        result[i] = rounded(at(above, static_cast<float>(i - 128) / 127.f));
    }
    return result;
}

struct Named {
    PaletteId id;
    std::string_view name;
    Color not_finite;
};
// Greys with a tint that the table lacks: cool beside warm tables, warm beside cool ones.
constexpr Named kNamed[] = {{PaletteId::amber, "amber", {237, 240, 245}},
                            {PaletteId::ember, "ember", {24, 27, 33}},
                            {PaletteId::lagoon, "lagoon", {28, 25, 24}},
                            {PaletteId::heather, "heather", {238, 238, 229}},
                            {PaletteId::grey, "grey", {221, 228, 240}},
                            {PaletteId::diverging, "diverging", {219, 222, 228}},
                            {PaletteId::diverging_dark, "diverging-dark", {78, 82, 90}}};

const Named& named(PaletteId palette) { return kNamed[static_cast<std::size_t>(palette)]; }

float luminance(Color c) {
    return 0.2126f * to_linear(c.r) + 0.7152f * to_linear(c.g) + 0.0722f * to_linear(c.b);
}

} // namespace

std::string_view name(PaletteId palette) { return named(palette).name; }

std::optional<PaletteId> palette_named(std::string_view name) {
    for (const Named& entry : kNamed) {
        if (entry.name == name) return entry.id;
    }
    return std::nullopt;
}

const std::array<Color, 256>& table(PaletteId palette) {
    static const std::array<ColourTable, std::size(kPalettes)> tables = {
        sequential(kAmber),
        sequential(kEmber),
        sequential(kLagoon),
        sequential(kHeather),
        sequential(kGrey),
        two_sided(kCool, kWarm),
        two_sided(kCoolDark, kWarmDark)};
    return tables[static_cast<std::size_t>(palette)];
}

Color not_finite(PaletteId palette) { return named(palette).not_finite; }

int table_index(float value, float low, float high) {
    if (!(value > low)) return 0;
    if (value >= high) return 255;
    return static_cast<int>(std::floor((value - low) / (high - low) * 255.f + 0.5f));
}

Color colour_of(PaletteId palette, float value, float low, float high) {
    if (!std::isfinite(value)) return not_finite(palette);
    return table(palette)[static_cast<std::size_t>(table_index(value, low, high))];
}

float contrast(Color a, Color b) {
    const float la = luminance(a) + 0.05f, lb = luminance(b) + 0.05f;
    return std::max(la, lb) / std::min(la, lb);
}

Color ink_on(Color ground) {
    constexpr Color black{0, 0, 0}, white{255, 255, 255};
    return contrast(black, ground) >= contrast(white, ground) ? black : white;
}

Color soft_ink_on(Color ground, float most) {
    const Color ink = ink_on(ground);
    Color soft = ink;
    for (float share = 0; share <= most; share += 0.02f) {
        const Color next = mixed(ink, ground, share);
        if (contrast(next, ground) < 4.6f) break;
        soft = next;
    }
    return soft;
}

Color mixed(Color a, Color b, float share_of_b) {
    const auto channel = [&](std::uint8_t x, std::uint8_t y) {
        const float value =
            static_cast<float>(x) + share_of_b * (static_cast<float>(y) - static_cast<float>(x));
        return static_cast<std::uint8_t>(std::clamp(value + 0.5f, 0.f, 255.f));
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b), channel(a.a, b.a)};
}

} // namespace heed::figure
