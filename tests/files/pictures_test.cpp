// Pictures from outside, and of another size, against Pillow: tests/reference/images.py.
#include "files/jpeg.hpp"
#include "files/picture_formats.hpp"
#include "files/resample.hpp"

#include "base/file.hpp"
#include "catch.hpp"
#include "paths.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cstdlib>

using namespace heed::files;
using heed::base::ErrorKind;

namespace {

std::string bytes_of_picture(const std::string& name) {
    return heed::base::read_file(HEED_SOURCE_DIR "/tests/files/pictures/" + name, 1 << 20).value();
}

const heed::tensors::Archive& pillow() {
    static const heed::tensors::Archive archive =
        heed::tensors::read_safetensors(bytes_of_picture("expected.safetensors"), "expected")
            .value();
    return archive;
}

/// The largest difference of a colour; 999 where the size is another.
int difference(const Picture& found, const std::string& name) {
    const auto& wanted = pillow().arrays.at(name);
    if (wanted.shape[0] != found.height || wanted.shape[1] != found.width) return 999;
    int worst = 0;
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
        const int colour = found.rgba[i / 3 * 4 + i % 3];
        worst = std::max(worst, std::abs(colour - static_cast<int>(wanted.values[i])));
    }
    return worst;
}

Picture read(const std::string& name) {
    auto picture = read_picture(bytes_of_picture(name), name);
    if (!picture) FAIL(heed::base::describe(picture.error()));
    return *std::move(picture);
}

heed::base::Error refusal(std::string_view bytes) {
    const auto picture = read_picture(bytes, "x");
    REQUIRE_FALSE(picture);
    return picture.error();
}

} // namespace

TEST_CASE("every kind of PNG has the colours that Pillow's convert(\"RGB\") gives it") {
    for (const char* name : {"rgb.png", "grey.png", "alpha.png", "grey_alpha.png", "palette.png",
                             "palette_clear.png", "black_white.png"}) {
        CAPTURE(name);
        CHECK(difference(read(name), name) == 0);
    }
}

// The standard leaves the rounding of the inverse transform and of the colours open, and how
// colours at half size are enlarged.
TEST_CASE("a JPEG has the colours of Pillow's decoder, but for roundings") {
    for (const char* name : {"full.jpg", "grey.jpg", "progressive.jpg", "half.jpg"}) {
        CAPTURE(name);
        CHECK(difference(read(name), name) <= 2);
    }
}

TEST_CASE("a JPEG is turned as its Exif orientation says") {
    for (int orientation = 2; orientation <= 8; ++orientation) {
        const std::string name = "turned_" + std::to_string(orientation) + ".jpg";
        CAPTURE(name);
        CHECK(difference(read(name), name) <= 2);
    }
}

TEST_CASE("resized pictures are Pillow's to the bit, with every filter") {
    const Picture picture = read("rgb.png");
    constexpr const char* kFilters[] = {"nearest", "lanczos", "bilinear",
                                        "bicubic", "box",     "hamming"};
    for (int number = 0; number < 6; ++number) {
        for (const auto& [width, height] :
             {std::pair{12, 12}, {16, 40}, {37, 9}, {50, 23}, {1, 1}}) {
            const std::string name = std::string(kFilters[number]) + "." + std::to_string(width) +
                                     "x" + std::to_string(height);
            CAPTURE(name);
            CHECK(difference(resampled(picture, width, height, *resample_numbered(number)), name) ==
                  0);
        }
    }
    CHECK_FALSE(resample_numbered(6));
    CHECK_FALSE(resample_numbered(-1));
}

TEST_CASE("every prefix of a picture is refused by its name") {
    for (const char* name : {"half.jpg", "progressive.jpg", "turned_6.jpg", "palette.png"}) {
        CAPTURE(name);
        const std::string bytes = bytes_of_picture(name);
        // A PNG is whole with the word IEND; the check sum behind it is of no data.
        const std::size_t end =
            name == std::string("palette.png") ? bytes.size() - 4 : bytes.size();
        for (std::size_t n = 0; n < end; ++n) {
            CAPTURE(n);
            CHECK(refusal(std::string_view(bytes).substr(0, n)).subject == "x");
        }
    }
}

TEST_CASE("what is no picture that Heed reads is told by its format") {
    using std::string_literals::operator""s;
    const auto says = [](const std::string& bytes, const char* words) {
        const auto error = refusal(bytes + std::string(40, '\0'));
        INFO(error.message);
        CHECK(error.kind == ErrorKind::unsupported);
        CHECK(error.message.find(words) != std::string::npos);
    };
    says("GIF89a", "is a GIF picture; Heed reads PNG and JPEG");
    says("RIFF\1\2\3\4WEBPVP8 ", "is a WebP picture");
    says("\0\0\0\x1c"s + "ftypheic", "is a HEIC picture");
    says("\0\0\0\x1c"s + "ftypavif", "is a AVIF picture");
    says("BM\1\2\3\4\0\0\0\0\1\1\1\1"s, "is a BMP picture");
    says("II*\0"s, "is a TIFF picture");
    says("a text", "is no PNG or JPEG picture");
    says(bytes_of_picture("print.jpg"), "four channels");
    says(bytes_of_picture("grey_16.png"), "grey with 16 bits a pixel; save it with 8");
    CHECK(is_picture(bytes_of_picture("half.jpg")));
    CHECK(is_picture("GIF89a"));
    CHECK_FALSE(is_picture("The cat sat"));
    CHECK_FALSE(is_picture(""));
}

TEST_CASE(
    "a JPEG that claims more pixels than its bytes can hold is refused before it is decoded") {
    std::string bytes = bytes_of_picture("full.jpg");
    const auto frame = bytes.find("\xff\xc0");
    REQUIRE(frame != std::string::npos);
    for (const std::size_t at : {frame + 5, frame + 7}) bytes.replace(at, 2, "\x1f\xff");
    CHECK(refusal(bytes).message.find("do not hold 8191 × 8191 pixels") != std::string::npos);
    for (const std::size_t at : {frame + 5, frame + 7}) bytes.replace(at, 2, "\xff\xff");
    CHECK(refusal(bytes).kind == ErrorKind::out_of_range);
    bytes.replace(frame + 5, 2, std::string(2, '\0'));
    CHECK(refusal(bytes).kind == ErrorKind::malformed);
}
