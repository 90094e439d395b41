// A picture from outside, by how its bytes begin.
#pragma once

#include "files/picture.hpp"

namespace heed::files {

/// PNG or JPEG. Errors: those of read_png() and read_jpeg(); unsupported, with the name of another
/// format where it is known.
base::Result<Picture> read_picture(std::string_view bytes, const std::string& subject);

/// True of bytes that begin as a picture, of a format that Heed reads or one that it names when it
/// refuses it.
bool is_picture(std::string_view bytes);

} // namespace heed::files
