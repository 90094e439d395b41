// PNG and JPEG: what is accepted has as many pixels as it says, and can be resized.
#include "files/picture_formats.hpp"
#include "files/resample.hpp"
#include "fuzz/target.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto picture = files::read_picture(fuzz::bytes_of(data, size), "input");
    if (!picture) return 0;
    HEED_CHECK(picture->width > 0 && picture->height > 0, "a picture of {} × {}", picture->width,
               picture->height);
    const auto pixels =
        static_cast<std::size_t>(picture->width) * static_cast<std::size_t>(picture->height);
    HEED_CHECK(picture->rgba.size() == 4 * pixels, "{} bytes of {} pixels", picture->rgba.size(),
               pixels);
    if (pixels > 1 << 16) return 0;
    const files::Picture small = files::resampled(*picture, 5, 7, files::Resample::bicubic);
    HEED_CHECK(small.rgba.size() == 140, "{} bytes of 5 × 7 pixels", small.rgba.size());
    return 0;
}
