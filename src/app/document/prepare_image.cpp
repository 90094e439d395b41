#include "app/document/prepare_image.hpp"

#include "base/file.hpp"
#include "files/jpeg.hpp"
#include "files/picture_formats.hpp"
#include "files/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Index;
using num::Matrix;

namespace {

constexpr int kColours = 3;

/// Width and height after resizing.
std::pair<std::int64_t, std::int64_t> resized(const files::Picture& picture,
                                              const models::ImageSettings& s) {
    if (!s.resizes) return {picture.width, picture.height};
    if (s.shortest_edge == 0) return {s.width, s.height};
    const std::int64_t edge = s.shortest_edge, w = picture.width, h = picture.height;
    if (w <= h) return {edge, edge * h / w};
    return {edge * w / h, edge};
}

/// Start of the middle `size` in `whole`; below 0 where it is larger.
int middle_from(int whole, int size) { return (whole - size) >> 1; }

/// Numbers as the library makes them: scaled in double, then all in float.
float number_of(std::uint8_t colour, std::size_t channel, const models::ImageSettings& s) {
    const auto scaled = static_cast<float>(colour * s.factor);
    return s.mean.empty() ? scaled : (scaled - s.mean[channel]) / s.std[channel];
}

} // namespace

bool reads_pictures(const models::Config& config) { return models::traits(config).reads_pictures; }

bool lacks_picture(const Document& document, const models::Model& model) {
    return document.image_file.empty() && model.traits().reads_pictures;
}

Result<Matrix<float>> preprocessed(const files::Picture& picture,
                                   const models::ImageSettings& settings,
                                   const std::string& subject) {
    const auto [wide, high] = resized(picture, settings);
    if (auto ok = files::check_picture_size(wide, high, subject); !ok) {
        return tl::make_unexpected(ok.error());
    }
    const auto filter = files::resample_numbered(settings.resample);
    if (!filter) return fail(ErrorKind::unsupported, subject, "asks for an unknown filter");
    const files::Picture small =
        files::resampled(picture, static_cast<int>(wide), static_cast<int>(high), *filter);
    const int width = settings.crops ? settings.crop_width : small.width;
    const int height = settings.crops ? settings.crop_height : small.height;
    if (auto ok = files::check_picture_size(width, height, subject); !ok) {
        return tl::make_unexpected(ok.error());
    }
    const int left = middle_from(small.width, width), top = middle_from(small.height, height);
    Matrix<float> numbers(Index{kColours} * height, width);
    for (int channel = 0; channel < kColours; ++channel) {
        const auto c = static_cast<std::size_t>(channel);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int from_x = left + x, from_y = top + y;
                const bool inside =
                    from_x >= 0 && from_x < small.width && from_y >= 0 && from_y < small.height;
                const std::uint8_t colour = inside ? small.at(from_x, from_y)[c] : std::uint8_t{0};
                numbers(Index{channel} * height + y, x) = number_of(colour, c, settings);
            }
        }
    }
    return numbers;
}

figure::Pixels seen_of(const files::Picture& picture, const models::ImageSettings& settings) {
    constexpr int kMostSide = 1024;
    const auto [wide, high] = resized(picture, settings);
    const int width = settings.crops ? settings.crop_width : static_cast<int>(wide);
    const int height = settings.crops ? settings.crop_height : static_cast<int>(high);
    const auto there = std::min(picture.width / wide, picture.height / high);
    const int times = static_cast<int>(
        std::clamp<std::int64_t>(there, 1, std::max(1, kMostSide / std::max(width, height))));
    const auto filter =
        files::resample_numbered(settings.resample).value_or(files::Resample::bilinear);
    const files::Picture large = files::resampled(picture, static_cast<int>(wide) * times,
                                                  static_cast<int>(high) * times, filter);
    figure::Pixels seen{width * times, height * times, {}};
    const int left = middle_from(static_cast<int>(wide), width) * times;
    const int top = middle_from(static_cast<int>(high), height) * times;
    for (int y = 0; y < seen.height; ++y) {
        for (int x = 0; x < seen.width; ++x) {
            const int from_x = left + x, from_y = top + y;
            const bool inside =
                from_x >= 0 && from_x < large.width && from_y >= 0 && from_y < large.height;
            for (int c = 0; c < kColours; ++c) {
                seen.rgba.push_back(inside ? large.at(from_x, from_y)[c] : std::uint8_t{0});
            }
            seen.rgba.push_back(255);
        }
    }
    return seen;
}

Result<ImageReader::Made> ImageReader::made(const Document& document,
                                            const models::PatchSpec& patches) const {
    if (document.image_file.empty()) {
        return Made{std::make_shared<const Matrix<float>>(Matrix<float>::Zero(
                        Index{patches.channels} * patches.image, patches.image)),
                    nullptr};
    }
    const std::string& file = document.image_file;
    const auto settings = models::image_settings(document.model_file, patches);
    if (!settings) return tl::make_unexpected(settings.error());
    const auto bytes = base::read_file(file, files::kMostPictureBytes);
    if (!bytes) return tl::make_unexpected(bytes.error());
    const auto picture = files::read_picture(*bytes, file);
    if (!picture) return tl::make_unexpected(picture.error());
    auto numbers = preprocessed(*picture, *settings, file);
    if (!numbers) return tl::make_unexpected(numbers.error());
    if (numbers->rows() != Index{kColours} * patches.image || numbers->cols() != patches.image) {
        return fail(ErrorKind::mismatch, file,
                    fmt::format("becomes {} \u00d7 {} pixels by {}; this model reads {} \u00d7 {}",
                                numbers->cols(), numbers->rows() / kColours, settings->told_by,
                                patches.image, patches.image));
    }
    return Made{std::make_shared<const Matrix<float>>(*std::move(numbers)),
                std::make_shared<const figure::Pixels>(seen_of(*picture, *settings))};
}

Result<void> ImageReader::read(const Document& document, const models::Model& model,
                               models::Input& input) {
    if (!model.traits().reads_pictures) return {};
    const models::PatchSpec& patches = model.traits().patches;
    const auto stamp = stamp_of(document.image_file);
    const bool known = last_.image && picture_file_ == document.image_file &&
                       model_file_ == document.model_file && patches_ == patches &&
                       stamp_ == (stamp ? stamp : stamp_);
    if (!known) {
        auto fresh = made(document, patches);
        if (!fresh) return tl::make_unexpected(fresh.error());
        last_ = *std::move(fresh);
        picture_file_ = document.image_file;
        model_file_ = document.model_file;
        stamp_ = stamp;
        patches_ = patches;
    }
    input.image = last_.image;
    return {};
}

} // namespace heed::app
