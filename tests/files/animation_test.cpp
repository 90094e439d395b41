#include "files/animation.hpp"

#include "catch.hpp"
#include "files/picture.hpp"

#include <cstdint>
#include <vector>

using namespace heed;
using namespace heed::files;

namespace {

std::string picture(int width, int height, std::uint8_t grey) {
    return write_png(std::vector<std::uint8_t>(static_cast<std::size_t>(width * height) * 4, grey),
                     width, height);
}

struct Chunk {
    std::string type, data;
};

std::uint32_t number(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

/// The slow way, bit by bit.
std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int i = 0; i < 8; ++i) crc = (crc & 1u) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return crc ^ 0xFFFFFFFFu;
}

std::vector<Chunk> chunks_of(const std::string& png) {
    std::vector<Chunk> chunks;
    for (std::size_t at = 8; at < png.size();) {
        const std::size_t size = number(png, at);
        chunks.push_back({png.substr(at + 4, 4), png.substr(at + 8, size)});
        CHECK(number(png, at + 8 + size) == checksum(png.substr(at + 4, 4 + size)));
        at += size + 12;
    }
    return chunks;
}

} // namespace

TEST_CASE("the checksum is that of the specification") {
    CHECK(checksum("IEND") == 0xAE426082u);
    CHECK(checksum("123456789") == 0xCBF43926u);
}

TEST_CASE("an animated PNG has its frames in order, with a sequence without gaps") {
    const std::vector<AnimationFrame> frames = {
        {picture(5, 3, 10), 0.25}, {picture(5, 3, 90), 0.5}, {picture(5, 3, 200), 2}};
    const auto bytes = animate(frames);
    REQUIRE(bytes);
    const auto chunks = chunks_of(*bytes);
    std::vector<std::string> types;
    for (const Chunk& chunk : chunks) types.push_back(chunk.type);
    CHECK(types == std::vector<std::string>{"IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL",
                                            "fdAT", "IEND"});
    CHECK(number(chunks[1].data, 0) == 3); // frames
    CHECK(number(chunks[1].data, 4) == 0); // for ever
    std::uint32_t sequence = 0;
    for (const Chunk& chunk : chunks) {
        if (chunk.type != "fcTL" && chunk.type != "fdAT") continue;
        CHECK(number(chunk.data, 0) == sequence++);
        if (chunk.type == "fcTL") {
            CHECK(chunk.data.size() == 26);
            CHECK(number(chunk.data, 4) == 5);
            CHECK(number(chunk.data, 8) == 3);
        }
    }
    // 250 of 1000 seconds
    CHECK(number(chunks[2].data, 20) == (250u << 16 | 1000u));
    // A frame's pixels are those of its own file, after the sequence number.
    CHECK(chunks[5].data.substr(4) == chunks_of(frames[1].png)[1].data);
}

TEST_CASE("what reads PNG without animations sees the first frame") {
    const std::vector<AnimationFrame> frames = {{picture(4, 4, 33), 1}, {picture(4, 4, 99), 1}};
    const auto read = read_png(animate(frames).value(), "animation");
    REQUIRE(read);
    CHECK(read->width == 4);
    CHECK(read->at(2, 2)[0] == 33);
}

TEST_CASE("frames that do not fit together are an error") {
    const auto sizes = animate(std::vector<AnimationFrame>{{picture(4, 4, 1)}, {picture(4, 5, 1)}});
    REQUIRE_FALSE(sizes);
    CHECK(sizes.error().kind == base::ErrorKind::mismatch);
    const std::string whole = picture(4, 4, 1);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK_FALSE(animate(std::vector<AnimationFrame>{{whole.substr(0, size)}}));
    }
}
