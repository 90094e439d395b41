#include "ui/window/zoom.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace heed::ui {

namespace {

constexpr float kZooms[] = {0.5f, 0.67f, 0.8f, 0.9f, 1, 1.1f, 1.25f, 1.5f, 1.75f, 2, 2.5f, 3, 4};

} // namespace

float largest_zoom(int width, int height, float content_scale) {
    constexpr float kLeastWidth = 480, kLeastHeight = 320; // in the window's units
    return std::max(1.0f, std::min(static_cast<float>(width) / (kLeastWidth * content_scale),
                                   static_cast<float>(height) / (kLeastHeight * content_scale)));
}

float zoomed(float wanted, float steps, float most) {
    if (steps > 1000) return 1;
    const float now = std::min(wanted, most);
    const auto* nearest =
        std::min_element(std::begin(kZooms), std::end(kZooms),
                         [&](float a, float b) { return std::abs(a - now) < std::abs(b - now); });
    const auto index = static_cast<int>(nearest - std::begin(kZooms)) + static_cast<int>(steps);
    const float next = kZooms[std::clamp(index, 0, static_cast<int>(std::size(kZooms)) - 1)];
    return next > now && next > most ? wanted : next;
}

} // namespace heed::ui
