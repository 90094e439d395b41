// preprocessor_config.json: what is accepted says sizes and numbers that a picture can be made of.
#include "models/checkpoint/image_settings.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"

#include <cmath>

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::write("preprocessor_config.json", fuzz::bytes_of(data, size));
    for (const int leading : {1, 2}) {
        models::PatchSpec patches;
        patches.leading = leading;
        const auto read = models::image_settings(fuzz::folder().string(), patches);
        if (!read) {
            HEED_CHECK(!read.error().message.empty(), "refused without a reason");
            continue;
        }
        for (const int side : {read->width, read->height, read->crop_width, read->crop_height}) {
            HEED_CHECK(side >= 1 && side <= 32767, "a side of {}", side);
        }
        HEED_CHECK(read->shortest_edge >= 0 && read->shortest_edge <= 32767, "an edge of {}",
                   read->shortest_edge);
        HEED_CHECK(read->resample >= 0 && read->resample <= 5, "filter {}", read->resample);
        HEED_CHECK(std::isfinite(static_cast<float>(255 * read->factor)), "factor {}",
                   read->factor);
        HEED_CHECK(read->mean.size() == read->std.size(), "{} and {} channels", read->mean.size(),
                   read->std.size());
        for (const float x : read->mean) HEED_CHECK(std::isfinite(x), "a mean of {}", x);
        for (const float x : read->std) HEED_CHECK(std::isfinite(x) && x > 0, "{} below", x);
    }
    return 0;
}
