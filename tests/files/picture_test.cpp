#include "files/picture.hpp"

#include "base/check.hpp"

#include "catch.hpp"

#include <string>

using namespace heed::files;
using heed::base::ErrorKind;

namespace {

Picture noise_picture(int width, int height) {
    Picture picture{width, height, {}};
    std::uint32_t state = 1;
    for (int i = 0; i < width * height * 4; ++i) {
        state = state * 1664525u + 1013904223u;
        picture.rgba.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    return picture;
}

} // namespace

TEST_CASE("a picture reads back pixel by pixel, transparent ones included") {
    for (const auto& [w, h] : {std::pair{1, 1}, {7, 3}, {1, 500}, {500, 1}, {64, 64}}) {
        const Picture picture = noise_picture(w, h);
        const auto back = read_png(write_png(picture), "noise");
        REQUIRE(back);
        CHECK(back->width == w);
        CHECK(back->height == h);
        CHECK(back->rgba == picture.rgba);
    }
}

TEST_CASE("the same picture gives the same bytes") {
    CHECK(write_png(noise_picture(33, 20)) == write_png(noise_picture(33, 20)));
}

TEST_CASE("no truncated picture is read, and none harms") {
    const std::string whole = write_png(noise_picture(9, 9));
    for (std::size_t length = 0; length + 12 < whole.size(); ++length) {
        const auto picture = read_png(whole.substr(0, length), "cut.png");
        if (picture) FAIL("a prefix of " << length << " bytes of " << whole.size() << " was read");
        CHECK(picture.error().kind == ErrorKind::malformed);
        CHECK(picture.error().subject == "cut.png");
    }
}

TEST_CASE("a header that claims a giant picture is refused before memory is taken") {
    std::string bytes = write_png(noise_picture(2, 2));
    for (const std::size_t at : {16u, 20u}) { // big-endian width and height
        bytes[at] = 0;
        bytes[at + 1] = 0;
        bytes[at + 2] = 0x7F;
        bytes[at + 3] = static_cast<char>(0xFF);
    }
    const auto picture = read_png(bytes, "giant.png");
    REQUIRE_FALSE(picture);
    CHECK(picture.error().kind == ErrorKind::out_of_range);
}

TEST_CASE("a small file of very many pixels is refused before memory is taken") {
    std::string bytes = write_png(noise_picture(2, 2));
    for (const std::size_t at : {16u, 20u}) {
        bytes[at + 2] = 0x1F; // 8 190 a side
        bytes[at + 3] = static_cast<char>(0xFE);
    }
    const auto picture = read_png(bytes, "small.png");
    REQUIRE_FALSE(picture);
    CHECK(picture.error().kind == ErrorKind::out_of_range);
    CHECK(picture.error().message.find("bytes for 8190 × 8190 pixels") != std::string::npos);
    CHECK(check_picture_bytes(8190, 8190, 2 << 20, "photograph.jpg"));
    CHECK(check_picture_bytes(4096, 4096, 1, "small.png"));
}

TEST_CASE("other formats are not taken for PNG") {
    CHECK(read_png("GIF89a", "x").error().kind == ErrorKind::malformed);
    CHECK(read_png("", "x").error().kind == ErrorKind::malformed);
}

TEST_CASE("pixels that do not fit their picture are a broken contract") {
    CHECK_THROWS_AS(write_png(std::vector<std::uint8_t>(15), 2, 2), heed::base::ContractError);
    CHECK_THROWS_AS(write_png(std::vector<std::uint8_t>(), 0, 0), heed::base::ContractError);
}
