#include "figure/base/oklab.hpp"

#include <cmath>

namespace heed::figure {

float to_linear(std::uint8_t channel) {
    const float c = static_cast<float>(channel) / 255.f;
    return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
}

float from_linear(float channel) {
    const float c =
        channel <= 0.0031308f ? 12.92f * channel : 1.055f * std::pow(channel, 1 / 2.4f) - 0.055f;
    return 255.f * c;
}

OkLab to_oklab(Color color) {
    const float r = to_linear(color.r), g = to_linear(color.g), b = to_linear(color.b);
    const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
    const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
    const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

std::array<float, 3> linear_rgb(const OkLab& lab) {
    const auto cube = [](float x) { return x * x * x; };
    const float l = cube(lab.L + 0.3963377774f * lab.a + 0.2158037573f * lab.b);
    const float m = cube(lab.L - 0.1055613458f * lab.a - 0.0638541728f * lab.b);
    const float s = cube(lab.L - 0.0894841775f * lab.a - 1.2914855480f * lab.b);
    return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
            -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
            -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

} // namespace heed::figure
