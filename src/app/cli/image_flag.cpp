#include "app/cli/image_flag.hpp"

#include "app/document/prepare_image.hpp"

namespace heed::app {

base::Result<void> check_image(const Given& given, const models::Config& config) {
    const auto refuse = [](const char* flag, const char* why) {
        return base::fail(base::ErrorKind::usage, flag, why);
    };
    if (!reads_pictures(config)) {
        if (!given.has("--image")) return {};
        return refuse("--image",
                      "is of a model that reads pictures (ViT, DeiT); this one reads words");
    }
    for (const char* flag : {"--source", "--target"}) {
        if (given.has(flag)) return refuse(flag, "is of a model that reads words; use --image");
    }
    if (given.has("--image")) return {};
    return refuse("--image", "is missing: this model reads a picture, a PNG or JPEG");
}

} // namespace heed::app
