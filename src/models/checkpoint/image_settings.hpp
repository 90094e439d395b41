// Settings by which a picture becomes what a model of patches reads: preprocessor_config.json
// beside the weights, as the processors of ViT and DeiT in transformers 5.12 read it.
#pragma once

#include "base/result.hpp"
#include "models/spec/spec.hpp"

#include <string>
#include <vector>

namespace heed::models {

/// Settings in the order in which they are followed.
struct ImageSettings {
    std::string told_by; // the file, or what stands in for it
    bool resizes = true;
    int width = 0, height = 0; // of what the picture is resized to, or
    int shortest_edge = 0;     // that of the shorter side, above 0, with the other in proportion
    int resample = 2;          // Pillow's number of the filter: 2 bilinear, 3 bicubic
    bool crops = false;        // around the middle; what lies outside the picture is 0
    int crop_width = 0, crop_height = 0;
    double factor = 1.0 / 255;    // on each colour, 0 to 255
    std::vector<float> mean, std; // a channel each: (x − mean) / std; empty: left as it is
    bool operator==(const ImageSettings&) const = default;
};

/// The settings of the model of a file, which reads such patches. Without preprocessor_config.json
/// what the library has for its family, for the size of picture that the model reads. Errors: those
/// of reading a file and JSON; unsupported, with the setting that Heed does not follow; malformed.
base::Result<ImageSettings> image_settings(const std::string& model_file, const PatchSpec& patches);

} // namespace heed::models
