#include "files/animation.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heed::files {

namespace {

using base::ErrorKind;
using base::fail;

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

/// CRC-32 of a chunk's type and data (ISO 3309, polynomial 0xEDB88320 with bits reversed).
std::uint32_t crc_of(std::string_view bytes) {
    static const auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) {
                value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
            }
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t crc = ~0u;
    for (const char byte : bytes) {
        crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 255u] ^ (crc >> 8);
    }
    return ~crc;
}

void put(std::string& to, std::uint32_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        to.push_back(static_cast<char>((value >> shift) & 255u));
    }
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

void put_chunk(std::string& to, std::string_view type, std::string_view data) {
    put(to, static_cast<std::uint32_t>(data.size()), 4);
    const std::size_t begin = to.size();
    to.append(type).append(data);
    put(to, crc_of(std::string_view(to).substr(begin)), 4);
}

struct Chunk {
    std::string_view type, data;
};

base::Result<std::vector<Chunk>> chunks_of(std::string_view png) {
    std::vector<Chunk> chunks;
    const auto broken = [] {
        return fail(ErrorKind::malformed, "frame", "is no PNG picture, or cut off");
    };
    if (!png.starts_with(kSignature)) return broken();
    png.remove_prefix(kSignature.size());
    constexpr std::size_t kAround = 12; // length, type and checksum
    while (!png.empty()) {
        if (png.size() < kAround) return broken();
        const std::size_t size = number_at(png, 0);
        if (size > png.size() - kAround) return broken();
        chunks.push_back({png.substr(4, 4), png.substr(8, size)});
        png.remove_prefix(size + kAround);
    }
    if (chunks.size() < 3 || chunks[0].type != "IHDR" || chunks[0].data.size() != 13) {
        return broken();
    }
    return chunks;
}

/// fcTL: a whole picture that takes the place of the one before, for so many milliseconds.
std::string control(std::uint32_t sequence, std::string_view header, double seconds) {
    std::string data;
    put(data, sequence, 4);
    data.append(header.substr(0, 8)); // width and height
    put(data, 0, 4);
    put(data, 0, 4);
    put(data, static_cast<std::uint32_t>(std::lround(std::clamp(seconds, 0.0, 65.0) * 1000)), 2);
    put(data, 1000, 2);
    put(data, 0, 1); // nothing is cleared before the next one,
    put(data, 0, 1); // which replaces every pixel
    return data;
}

} // namespace

std::string with_resolution(std::string png, double pixels_an_inch) {
    constexpr std::size_t kAfterHeader = kSignature.size() + 25; // where IHDR ends
    constexpr double kInch = 0.0254;                             // metres
    std::string data, chunk;
    for (int axis = 0; axis < 2; ++axis) {
        put(data, static_cast<std::uint32_t>(std::lround(pixels_an_inch / kInch)), 4);
    }
    put(data, 1, 1); // a metre
    put_chunk(chunk, "pHYs", data);
    return png.insert(kAfterHeader, chunk);
}

base::Result<std::string> animate(std::span<const AnimationFrame> frames) {
    HEED_CHECK(!frames.empty(), "an animation of no frames");
    std::string bytes(kSignature);
    std::string header;
    std::uint32_t sequence = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto chunks = chunks_of(frames[i].png);
        if (!chunks) return tl::make_unexpected(chunks.error());
        const Chunk& first = chunks->front();
        if (i == 0) {
            header = first.data;
            put_chunk(bytes, first.type, first.data);
            std::string count;
            put(count, static_cast<std::uint32_t>(frames.size()), 4);
            put(count, 0, 4); // for ever
            put_chunk(bytes, "acTL", count);
        } else if (first.data != header) {
            return fail(ErrorKind::mismatch, "frame",
                        fmt::format("{} has another size or kind of pixels than the first", i + 1));
        }
        put_chunk(bytes, "fcTL", control(sequence++, header, frames[i].seconds));
        for (const Chunk& chunk : *chunks) {
            if (chunk.type != "IDAT") continue;
            if (i == 0) {
                put_chunk(bytes, "IDAT", chunk.data);
                continue;
            }
            std::string data;
            put(data, sequence++, 4);
            data.append(chunk.data);
            put_chunk(bytes, "fdAT", data);
        }
    }
    put_chunk(bytes, "IEND", "");
    return bytes;
}

} // namespace heed::files
