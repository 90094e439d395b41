// OKLab (Ottosson 2020): lightness L from 0 to 1, and two opponent axes, in which equal distances
// look about equal.
#pragma once

#include "figure/base/palette.hpp"

namespace heed::figure {

struct OkLab {
    float L = 0, a = 0, b = 0;
};

OkLab to_oklab(Color color);
/// Linear-light sRGB, each 0 to 1 where the screen can show it.
std::array<float, 3> linear_rgb(const OkLab& lab);

float to_linear(std::uint8_t channel); // sRGB's transfer curve, 0 to 1
float from_linear(float channel);      // 0 to 255, not rounded

} // namespace heed::figure
