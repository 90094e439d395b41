#include "figure/base/head_color.hpp"

#include "figure/base/oklab.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

Color head_color(int head, int n_heads, bool dark) {
    const int hues = std::clamp(n_heads, 1, kHeadHues);
    const float turn = static_cast<float>(((head % hues) + hues) % hues) / static_cast<float>(hues);
    const float hue = 6.2831853f * turn + 1.0f; // the first one is orange
    const float lightness = dark ? 0.76f : 0.58f;
    // As much chroma as the screen has for this hue; lightness never gives way.
    for (float chroma = 0.19f;; chroma -= 0.005f) {
        const auto rgb = linear_rgb({lightness, chroma * std::cos(hue), chroma * std::sin(hue)});
        if (chroma > 0.005f &&
            std::any_of(rgb.begin(), rgb.end(), [](float c) { return c < 0 || c > 1; })) {
            continue;
        }
        const auto byte = [](float c) {
            return static_cast<std::uint8_t>(
                std::clamp(from_linear(std::clamp(c, 0.f, 1.f)) + 0.5f, 0.f, 255.f));
        };
        return {byte(rgb[0]), byte(rgb[1]), byte(rgb[2])};
    }
}

} // namespace heed::figure
