// JPEG bytes to pixels (ITU-T T.81): what a camera writes.
#pragma once

#include "files/picture.hpp"

namespace heed::files {

/// Baseline and progressive, grey and colour, turned as its Exif orientation says. Decoders of JPEG
/// may differ in rounding and in how they enlarge colours stored at half size.
/// Errors: malformed (no JPEG, a broken one, or one whose end is cut off), unsupported (four
/// channels, as for print), out_of_range as of read_png().
base::Result<Picture> read_jpeg(std::string_view bytes, const std::string& subject);

/// The most bytes of a picture's file.
inline constexpr std::size_t kMostPictureBytes = std::size_t{64} << 20;

} // namespace heed::files
