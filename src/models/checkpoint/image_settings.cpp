#include "models/checkpoint/image_settings.hpp"

#include "models/checkpoint/config_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string_view>

namespace heed::models {

namespace {

constexpr const char* kPreprocessor = "preprocessor_config.json";
constexpr int kMostSide = 32767;
constexpr int kBestFilter = 5; // Pillow's filters are numbered 0 to 5

/// The library's settings where a file says nothing, at 224 pixels a side.
ImageSettings usual_settings(bool deit, int side) {
    ImageSettings usual;
    usual.told_by = fmt::format("the usual settings of {}", deit ? "DeiT" : "ViT");
    usual.width = usual.height = deit ? side * 256 / 224 : side;
    usual.resample = deit ? 3 : 2;
    usual.crops = deit;
    usual.crop_width = usual.crop_height = side;
    usual.mean = usual.std = {0.5F, 0.5F, 0.5F};
    return usual;
}

/// The class that the file is of, which says what it leaves open.
bool is_deit(ConfigFile& file, bool usual) {
    for (const char* key : {"image_processor_type", "feature_extractor_type"}) {
        const std::string type = file.text(key, "");
        if (type.empty()) continue;
        if (type.starts_with("ViTImage") || type.starts_with("ViTFeature")) return false;
        if (type.starts_with("DeiTImage") || type.starts_with("DeiTFeature")) return true;
        file.refuse(key, "Heed knows ViTImageProcessor and DeiTImageProcessor");
    }
    return usual;
}

struct SideMember {
    const char* key;
    int* into;
};

/// The members of an object, all of these and no other; false where it has others.
bool read_members(const tensors::Json& object, std::initializer_list<SideMember> sides) {
    std::size_t found = 0;
    for (const auto& item : object.items()) {
        found += item.value().is_null() ? 0 : 1;
    }
    if (found != sides.size()) return false;
    for (const SideMember& side : sides) {
        const auto value = object.find(side.key);
        if (value == object.end()) return false;
        const auto number = tensors::integer(*value, side.key);
        if (!number || *number < 1 || *number > kMostSide) return false;
        *side.into = static_cast<int>(*number);
    }
    return true;
}

/// A number for both sides, or an object of both.
bool read_sides(ConfigFile& file, const char* key, const tensors::Json& value, int& width,
                int& height) {
    if (value.is_number()) {
        width = height = file.size(key, 1);
        return width <= kMostSide;
    }
    return value.is_object() && read_members(value, {{"height", &height}, {"width", &width}});
}

void read_sizes(ConfigFile& file, ImageSettings& s) {
    file.only("default_to_square", true);
    if (const tensors::Json* value = file.any("size")) {
        const bool edge =
            value->is_object() && read_members(*value, {{"shortest_edge", &s.shortest_edge}});
        if (!edge && !read_sides(file, "size", *value, s.width, s.height)) {
            file.refuse("size", "a number, \"height\" and \"width\", or \"shortest_edge\" is "
                                "expected, each from 1 to 32767");
        }
    }
    const tensors::Json* value = file.any("crop_size");
    if (value && !read_sides(file, "crop_size", *value, s.crop_width, s.crop_height)) {
        file.refuse("crop_size",
                    "a number, or \"height\" and \"width\" is expected, from 1 to 32767");
    }
}

/// A number for each channel.
void read_channels(ConfigFile& file, const char* key, bool above_0, std::vector<float>& into) {
    const tensors::Json* list = file.any(key);
    if (!list) return;
    std::vector<float> numbers;
    for (const tensors::Json& value : *list) {
        const auto number = tensors::number(value, key);
        const float x = number ? static_cast<float>(*number) : 0; // above 0 as a float, too
        if (!list->is_array() || !number || !std::isfinite(x) || (above_0 && x <= 0)) break;
        numbers.push_back(x);
    }
    if (numbers.size() != into.size() || numbers.size() != list->size()) {
        file.refuse(key, fmt::format("a list of {} numbers{} is expected", into.size(),
                                     above_0 ? " above 0" : ""));
        return;
    }
    into = std::move(numbers);
}

void read_settings(ConfigFile& file, ImageSettings& s) {
    s.resizes = file.flag("do_resize", true);
    s.crops = file.flag("do_center_crop", s.crops);
    read_sizes(file, s);
    s.resample = file.id("resample", s.resample);
    if (s.resample < 0 || s.resample > kBestFilter) {
        file.refuse("resample", "Heed knows Pillow's filters, 0 to 5");
    }
    s.factor = file.number("rescale_factor", s.factor);
    if (!std::isfinite(static_cast<float>(255 * s.factor))) {
        file.refuse("rescale_factor", "a number that colours can be multiplied with is expected");
    }
    if (!file.flag("do_rescale", true)) s.factor = 1;
    read_channels(file, "image_mean", false, s.mean);
    read_channels(file, "image_std", true, s.std);
    if (!file.flag("do_normalize", true)) {
        s.mean.clear();
        s.std.clear();
    }
    file.only("do_pad", false);
    file.harmless({"do_convert_rgb", "processor_class", "data_format", "input_data_format",
                   "return_tensors", "device", "disable_grouping"});
}

} // namespace

base::Result<ImageSettings> image_settings(const std::string& model_file,
                                           const PatchSpec& patches) {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path model = model_file;
    const fs::path folder = fs::is_directory(model, failed) ? model : model.parent_path();
    const std::string path = (folder / kPreprocessor).string();
    const bool deit = patches.leading == 2; // it has a token of distillation, too
    if (patches.channels != 3) {
        return base::fail(base::ErrorKind::unsupported, model_file,
                          fmt::format("reads pictures of {} channels; Heed makes three of a "
                                      "picture: red, green and blue",
                                      patches.channels));
    }
    if (!fs::exists(path, failed)) return usual_settings(deit, patches.image);
    auto file = ConfigFile::open(path);
    if (!file) return tl::make_unexpected(file.error());
    const bool as_deit = is_deit(*file, deit);
    ImageSettings settings = usual_settings(as_deit, 224);
    settings.told_by = path;
    read_settings(*file, settings);
    if (auto ok = file->finish(); !ok) return tl::make_unexpected(ok.error());
    return settings;
}

} // namespace heed::models
