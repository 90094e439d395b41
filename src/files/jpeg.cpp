#include "files/jpeg.hpp"

#include <stb_image.h>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace heed::files {

using base::ErrorKind;

namespace {

constexpr std::string_view kJpegBegin = "\xff\xd8\xff";

struct FreeJpeg {
    void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

unsigned byte_at(std::string_view bytes, std::size_t at) {
    return static_cast<unsigned char>(bytes[at]);
}
unsigned big_endian_16(std::string_view bytes, std::size_t at) {
    return byte_at(bytes, at) << 8 | byte_at(bytes, at + 1);
}

/// The facts in the markers of a JPEG, before anything is decoded.
struct JpegFrame {
    int width = 0, height = 0, channels = 0;
    int orientation = 1; // Exif's, 1 to 8
    bool ends = false;   // by the marker of its end, so that nothing is cut off
};

/// The orientation in an Exif segment: the tag 0x0112 of its first directory, by TIFF 6.0.
int exif_orientation(std::string_view segment) {
    constexpr std::string_view kExif("Exif\0\0", 6);
    if (!segment.starts_with(kExif)) return 1;
    const std::string_view tiff = segment.substr(kExif.size());
    if (tiff.size() < 8) return 1;
    const bool little = tiff.starts_with("II");
    const auto number = [&](std::size_t at, std::size_t size) -> std::size_t {
        if (at > tiff.size() || tiff.size() - at < size) return 0;
        std::size_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            value = value << 8 | byte_at(tiff, at + (little ? size - 1 - i : i));
        }
        return value;
    };
    const std::size_t directory = number(4, 4), entries = number(directory, 2);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        if (entry >= tiff.size()) break;
        if (number(entry, 2) != 0x0112) continue;
        const auto orientation = static_cast<int>(number(entry + 8, 2));
        return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
    return 1;
}

bool is_frame(unsigned marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Behind the coded data that begin at `at`: the next marker that is none of a restart.
std::size_t after_coded_data(std::string_view bytes, std::size_t at) {
    for (; at + 1 < bytes.size(); ++at) {
        if (byte_at(bytes, at) != 0xff) continue;
        const unsigned next = byte_at(bytes, at + 1);
        if (next != 0 && next != 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    }
    return bytes.size();
}

/// Nothing where a segment is cut off or the markers make no sense.
std::optional<JpegFrame> read_markers(std::string_view bytes) {
    JpegFrame frame;
    std::size_t at = 2;
    while (at + 1 < bytes.size()) {
        if (byte_at(bytes, at) != 0xff) return std::nullopt;
        const unsigned marker = byte_at(bytes, at + 1);
        if (marker == 0xff) { // a fill byte
            ++at;
            continue;
        }
        frame.ends = marker == 0xd9;
        if (frame.ends) break;
        at += 2;
        if (bytes.size() - at < 2) return std::nullopt;
        const std::size_t length = big_endian_16(bytes, at);
        if (length < 2 || bytes.size() - at < length) return std::nullopt;
        const std::string_view segment = bytes.substr(at + 2, length - 2);
        if (is_frame(marker) && frame.channels == 0) {
            if (segment.size() < 6) return std::nullopt;
            frame.height = static_cast<int>(big_endian_16(segment, 1));
            frame.width = static_cast<int>(big_endian_16(segment, 3));
            frame.channels = static_cast<int>(byte_at(segment, 5));
        }
        if (marker == 0xe1 && frame.orientation == 1) {
            frame.orientation = exif_orientation(segment);
        }
        at += length;
        if (marker == 0xda) at = after_coded_data(bytes, at);
    }
    return frame;
}

/// Picture upright, by Exif: 2 to 4 are mirrored or turned, from 5 on rows and columns swap.
Picture upright(Picture picture, int orientation) {
    if (orientation == 1) return picture;
    const int w = picture.width, h = picture.height;
    const bool transposed = orientation >= 5;
    const bool right_to_left =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool bottom_up =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Picture made{transposed ? h : w, transposed ? w : h, {}};
    made.rgba.reserve(picture.rgba.size());
    for (int y = 0; y < made.height; ++y) {
        for (int x = 0; x < made.width; ++x) {
            const int across = transposed ? y : x, down = transposed ? x : y;
            const auto* pixel = picture.at(right_to_left ? w - 1 - across : across,
                                           bottom_up ? h - 1 - down : down);
            made.rgba.insert(made.rgba.end(), pixel, pixel + 4);
        }
    }
    return made;
}

} // namespace

base::Result<Picture> read_jpeg(std::string_view bytes, const std::string& subject) {
    const auto malformed = [&](std::string_view found) {
        return base::fail(ErrorKind::malformed, subject,
                          fmt::format("not a JPEG picture: {}", found));
    };
    if (!bytes.starts_with(kJpegBegin)) return malformed("it does not begin like one");
    if (bytes.size() > kMostPictureBytes) return malformed("it is larger than 64 MB");
    const auto frame = read_markers(bytes);
    if (!frame || !frame->ends) return malformed("its data are cut off");
    if (frame->channels == 4) {
        return base::fail(ErrorKind::unsupported, subject,
                          "is a JPEG of four channels, as for print; save it in RGB");
    }
    if (frame->width < 1 || frame->height < 1) return malformed("it has no pixels");
    const auto pixels = std::int64_t{frame->width} * frame->height;
    if (const auto ok = check_picture_size(frame->width, frame->height, subject); !ok) {
        return tl::make_unexpected(ok.error());
    }
    // A block of 8 × 8 pixels takes a bit at least.
    if (pixels / 512 > static_cast<std::int64_t>(bytes.size())) {
        return malformed(fmt::format("{} bytes do not hold {} × {} pixels", bytes.size(),
                                     frame->width, frame->height));
    }
    if (const auto ok = check_picture_bytes(frame->width, frame->height, bytes.size(), subject);
        !ok) {
        return tl::make_unexpected(ok.error());
    }
    Picture picture;
    int channels = 0;
    const std::unique_ptr<stbi_uc, FreeJpeg> decoded(stbi_load_from_memory(
        reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
        &picture.width, &picture.height, &channels, STBI_rgb_alpha));
    if (!decoded || picture.width != frame->width || picture.height != frame->height) {
        return malformed("its data are broken");
    }
    picture.rgba.assign(decoded.get(), decoded.get() + pixels * 4);
    return upright(std::move(picture), frame->orientation);
}

} // namespace heed::files
