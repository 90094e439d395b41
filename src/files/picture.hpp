// Pixels as PNG bytes and back: screenshots, pictures inside SVG files, and tests.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::files {

/// 8-bit RGBA, rows from the top, alpha not multiplied in.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba; // width × height × 4

    const std::uint8_t* at(int x, int y) const {
        return rgba.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x)) *
                                 4;
    }
};

/// PNG; equal pixels give equal bytes. `rgba`: width × height × 4 values, 1 to 32 767 a side.
std::string write_png(std::span<const std::uint8_t> rgba, int width, int height);
std::string write_png(const Picture& picture);

/// Errors: malformed (no PNG, or a broken one), out_of_range (beyond 32 767 a side or 2^26 pixels,
/// or as check_picture_bytes()).
base::Result<Picture> read_png(std::string_view bytes, const std::string& subject);

/// Errors: out_of_range, of more than 2^24 pixels with fewer bytes in their file than one for 64: a
/// small file that would take much memory.
base::Result<void> check_picture_bytes(std::int64_t width, std::int64_t height, std::size_t bytes,
                                       const std::string& subject);

/// Errors: out_of_range, beyond 32 767 a side or 2^26 pixels.
base::Result<void> check_picture_size(std::int64_t width, std::int64_t height,
                                      const std::string& subject);

} // namespace heed::files
