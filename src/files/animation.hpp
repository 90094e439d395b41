// Pictures that follow one another in one file: an animated PNG, as the PNG Specification (third
// edition, W3C 2025) has it. What knows no animations shows the first picture.
#pragma once

#include "base/result.hpp"

#include <span>
#include <string>

namespace heed::files {

struct AnimationFrame {
    std::string png;      // a whole file
    double seconds = 0.5; // that it is shown, up to 65
};

/// The PNG with its resolution, which tells how large it is printed (a chunk pHYs).
std::string with_resolution(std::string png, double pixels_an_inch);

/// Animated PNG, for ever in a round. Requires one frame at least. Errors: malformed (a frame is no
/// PNG); mismatch where one has another size or kind of pixels than the first.
base::Result<std::string> animate(std::span<const AnimationFrame> frames);

} // namespace heed::files
