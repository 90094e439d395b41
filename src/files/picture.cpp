#include "files/picture.hpp"

#include "base/check.hpp"

#include <stb_image.h>
#include <stb_image_write.h>

#include <fmt/format.h>

#include <memory>
#include <new>

namespace heed::files {
namespace {

constexpr int kMaxPictureSide = 32767;
constexpr std::int64_t kMaxPicturePixels = std::int64_t{1} << 26;
constexpr std::int64_t kUsualPixels = std::int64_t{1} << 24;
constexpr std::int64_t kMostPixelsOfByte = 64; // a photograph has a few

void append_bytes(void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data),
                                           static_cast<std::size_t>(size));
}

struct FreePixels {
    void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

} // namespace

std::string write_png(std::span<const std::uint8_t> rgba, int width, int height) {
    HEED_CHECK(width > 0 && height > 0 && width <= kMaxPictureSide && height <= kMaxPictureSide,
               "a picture of {} × {} pixels", width, height);
    HEED_CHECK(rgba.size() ==
                   static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4,
               "{} values for {} × {} pixels of 4", rgba.size(), width, height);
    std::string bytes;
    const int written =
        stbi_write_png_to_func(append_bytes, &bytes, width, height, 4, rgba.data(), 4 * width);
    if (written == 0) throw std::bad_alloc(); // its one way to fail
    return bytes;
}

std::string write_png(const Picture& picture) {
    return write_png(picture.rgba, picture.width, picture.height);
}

base::Result<void> check_picture_size(std::int64_t width, std::int64_t height,
                                      const std::string& subject) {
    if (width <= kMaxPictureSide && height <= kMaxPictureSide &&
        width * height <= kMaxPicturePixels) {
        return {};
    }
    return base::fail(base::ErrorKind::out_of_range, subject,
                      fmt::format("{} × {} pixels are more than Heed reads (2^26)", width, height));
}

base::Result<void> check_picture_bytes(std::int64_t width, std::int64_t height, std::size_t bytes,
                                       const std::string& subject) {
    const std::int64_t pixels = width * height;
    if (pixels <= kUsualPixels || pixels <= kMostPixelsOfByte * static_cast<std::int64_t>(bytes)) {
        return {};
    }
    return base::fail(base::ErrorKind::out_of_range, subject,
                      fmt::format("has {} bytes for {} × {} pixels; of more than 2^24 pixels at "
                                  "most {} a byte are read",
                                  bytes, width, height, kMostPixelsOfByte));
}

base::Result<Picture> read_png(std::string_view bytes, const std::string& subject) {
    using base::ErrorKind;
    const auto malformed = [&](std::string_view found) {
        return base::fail(ErrorKind::malformed, subject,
                          fmt::format("not a PNG picture: {}", found));
    };
    if (bytes.substr(0, 8) != "\x89PNG\r\n\x1a\n") return malformed("it does not begin like one");
    if (bytes.size() > std::size_t{1} << 30) return malformed("it is larger than a gigabyte");
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());

    // The size is looked at first: the reader takes memory for whatever a header claims.
    if (bytes.size() < 24) return malformed("its header is cut off");
    const auto big_endian = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value = value << 8 | data[at + i];
        return std::int64_t{value};
    };
    const std::int64_t wide = big_endian(16), high = big_endian(20);
    if (const auto ok = check_picture_size(wide, high, subject); !ok) {
        return tl::make_unexpected(ok.error());
    }
    if (const auto ok = check_picture_bytes(wide, high, bytes.size(), subject); !ok) {
        return tl::make_unexpected(ok.error());
    }
    Picture picture;
    int channels = 0;
    const std::unique_ptr<stbi_uc, FreePixels> pixels(stbi_load_from_memory(
        data, size, &picture.width, &picture.height, &channels, STBI_rgb_alpha));
    if (!pixels) return malformed("its data are broken or cut off");
    picture.rgba.assign(pixels.get(), pixels.get() + static_cast<std::size_t>(picture.width) *
                                                         static_cast<std::size_t>(picture.height) *
                                                         4);
    return picture;
}

} // namespace heed::files
