#include "files/gif_colours.hpp"

#include <algorithm>
#include <utility>

namespace heed::files {

namespace {

constexpr std::size_t kMostColours = 256;

struct Counted {
    Rgb colour;
    std::uint64_t pixels;
};
using Colours = std::vector<Counted>;

/// A part of the colours, and how far it is stretched along its longest side.
struct ColourBox {
    std::size_t begin, end;
    int side = 0;                // 0 red, 1 green, 2 blue
    std::uint64_t stretched = 0; // its length times its pixels
};

Rgb rgb_of(std::uint32_t colour) {
    return {static_cast<std::uint8_t>(colour >> 16), static_cast<std::uint8_t>(colour >> 8),
            static_cast<std::uint8_t>(colour)};
}

std::uint32_t number_of(const Rgb& c) {
    return std::uint32_t{c[0]} << 16 | std::uint32_t{c[1]} << 8 | c[2];
}

ColourBox box_of(const Colours& all, std::size_t begin, std::size_t end) {
    ColourBox box{begin, end};
    std::uint64_t pixels = 0;
    for (std::size_t i = begin; i < end; ++i) pixels += all[i].pixels;
    for (std::size_t side = 0; side < 3; ++side) {
        const auto [low, high] = std::minmax_element(
            all.begin() + static_cast<std::ptrdiff_t>(begin),
            all.begin() + static_cast<std::ptrdiff_t>(end),
            [&](const Counted& a, const Counted& b) { return a.colour[side] < b.colour[side]; });
        const auto length = static_cast<std::uint64_t>(high->colour[side] - low->colour[side]);
        if (length * pixels <= box.stretched) continue;
        box.stretched = length * pixels;
        box.side = static_cast<int>(side);
    }
    return box;
}

/// Two halves with about as many pixels each. Requires two colours at least.
std::pair<ColourBox, ColourBox> cut(Colours& all, const ColourBox& box) {
    const auto side = static_cast<std::size_t>(box.side);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(box.begin);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(box.end);
    std::sort(first, last, [&](const Counted& a, const Counted& b) {
        return std::pair(a.colour[side], a.colour) < std::pair(b.colour[side], b.colour);
    });
    std::uint64_t pixels = 0, passed = 0;
    for (auto it = first; it != last; ++it) pixels += it->pixels;
    std::size_t middle = box.begin;
    while (middle + 1 < box.end && 2 * passed < pixels) passed += all[middle++].pixels;
    middle = std::clamp(middle, box.begin + 1, box.end - 1);
    return {box_of(all, box.begin, middle), box_of(all, middle, box.end)};
}

std::vector<ColourBox> median_cut(Colours& all) {
    std::vector<ColourBox> boxes{box_of(all, 0, all.size())};
    while (boxes.size() < kMostColours) {
        const auto widest = std::ranges::max_element(boxes, {}, &ColourBox::stretched);
        if (widest->stretched == 0) break; // of one colour each
        const auto [low, high] = cut(all, *widest);
        *widest = low;
        boxes.push_back(high);
    }
    return boxes;
}

Rgb mean_of(const Colours& all, const ColourBox& box) {
    std::array<std::uint64_t, 3> sums{};
    std::uint64_t pixels = 0;
    for (std::size_t i = box.begin; i < box.end; ++i) {
        for (std::size_t c = 0; c < 3; ++c) sums[c] += all[i].pixels * all[i].colour[c];
        pixels += all[i].pixels;
    }
    Rgb mean{};
    for (std::size_t c = 0; c < 3; ++c) {
        mean[c] = static_cast<std::uint8_t>((sums[c] + pixels / 2) / pixels);
    }
    return mean;
}

/// Colours in an order that does not depend on how they were counted.
Colours counted(std::span<const Picture> pictures) {
    std::unordered_map<std::uint32_t, std::uint64_t> pixels;
    for (const Picture& picture : pictures) {
        for (std::size_t at = 0; at < picture.rgba.size();) {
            const std::uint32_t colour = opaque(picture.rgba.data() + at);
            std::uint64_t run = 0; // neighbours are often alike
            for (; at < picture.rgba.size() && opaque(picture.rgba.data() + at) == colour; at += 4)
                ++run;
            pixels[colour] += run;
        }
    }
    Colours all;
    for (const auto& [colour, count] : pixels) all.push_back({rgb_of(colour), count});
    std::ranges::sort(all, {}, &Counted::colour);
    return all;
}

} // namespace

std::uint32_t opaque(const std::uint8_t* rgba) {
    const std::uint32_t alpha = rgba[3];
    std::uint32_t colour = 0;
    for (int c = 0; c < 3; ++c) {
        colour = colour << 8 | (rgba[c] * alpha + 255 * (255 - alpha) + 127) / 255;
    }
    return colour;
}

ColourTable colour_table(std::span<const Picture> pictures) {
    Colours all = counted(pictures);
    ColourTable table;
    for (const ColourBox& box : median_cut(all)) {
        for (std::size_t i = box.begin; i < box.end; ++i) {
            table.place[number_of(all[i].colour)] = static_cast<std::uint8_t>(table.colours.size());
        }
        table.colours.push_back(mean_of(all, box));
    }
    return table;
}

} // namespace heed::files
