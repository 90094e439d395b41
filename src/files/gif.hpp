// Pictures that follow one another as an animated GIF (GIF89a specification, CompuServe 1990; codes
// as in Welch 1984): what presentations and chats play.
#pragma once

#include "files/animation.hpp"

namespace heed::files {

/// GIF, for ever in a round, each frame as its difference from the one before. Of more than 256
/// colours in all, those that are nearest to each other become one (median cut, Heckbert 1982);
/// what is transparent lies on white. Seconds are rounded to hundredths. Requires one frame at
/// least. Errors: malformed (a frame is no PNG); mismatch where one has another size than the
/// first; out_of_range beyond 65535 pixels a side.
base::Result<std::string> write_gif(std::span<const AnimationFrame> frames);

} // namespace heed::files
