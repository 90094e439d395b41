// At most 256 colours for pictures of any number of them.
#pragma once

#include "files/picture.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heed::files {

using Rgb = std::array<std::uint8_t, 3>;

/// The colours of some pictures and, of each colour in them, its place in the table.
struct ColourTable {
    std::vector<Rgb> colours;                              // 1 to 256
    std::unordered_map<std::uint32_t, std::uint8_t> place; // of 0xRRGGBB
};

/// Every colour as it is where there are at most 256; else means of boxes that are cut in two at
/// their median until there are so many (Heckbert 1982).
ColourTable colour_table(std::span<const Picture> pictures);

/// 0xRRGGBB of a pixel, on white where it is transparent.
std::uint32_t opaque(const std::uint8_t* rgba);

} // namespace heed::files
