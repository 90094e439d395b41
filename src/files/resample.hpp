// Pictures of another size, to the bit as Pillow makes them, which the processors of image models
// are written on.
#pragma once

#include "files/picture.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace heed::files {

enum class Resample { nearest, lanczos, bilinear, bicubic, box, hamming };

/// The filter of one of Pillow's numbers, 0 to 5; nothing past them.
std::optional<Resample> resample_numbered(int number);

/// Each channel by itself, first along rows, then along columns, rounded to 8 bits after each.
/// Where a picture shrinks the filter widens with it, so that every pixel counts. Bicubic is the
/// kernel of Keys 1981 with a = −1/2. `width` and `height` are at least 1.
Picture resampled(const Picture& picture, int width, int height, Resample filter);

} // namespace heed::files
