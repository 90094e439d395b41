// Photographs inside figures, and cells that something is seen through.
#include "sample.hpp"

#include "catch.hpp"
#include "figure/base/palette.hpp"
#include "figure/base/pen.hpp"

#include <cstdlib>

using namespace heed::figure;
using namespace sample;
using heed::files::Format;

namespace {

std::shared_ptr<const Pixels> two(Color left, Color right) {
    return std::make_shared<const Pixels>(
        Pixels{2, 1, {left.r, left.g, left.b, left.a, right.r, right.g, right.b, right.a}});
}

bool near(const std::uint8_t* pixel, Color c, int within = 2) {
    return std::abs(pixel[0] - c.r) <= within && std::abs(pixel[1] - c.g) <= within &&
           std::abs(pixel[2] - c.b) <= within;
}

Figure figure_of(Image image) {
    Figure figure = blank(40, 20);
    figure.items.emplace_back(std::move(image));
    return figure;
}

constexpr Color kRed{200, 20, 30}, kBlue{10, 40, 220}, kVeil{0, 0, 0, 128}, kClear{0, 0, 0, 0};

} // namespace

TEST_CASE("cells of an image are sharp, and what is under clear ones is seen") {
    for (const float scale : {1.f, 2.f}) {
        const int s = static_cast<int>(scale);
        const Picture sharp = pixels(figure_of({{0, 0, 40, 20}, two(kRed, kBlue), false}), scale);
        CHECK(near(sharp.at(0, 0), kRed));
        CHECK(near(sharp.at(20 * s - 1, 10), kRed));
        CHECK(near(sharp.at(20 * s, 10), kBlue));
        CHECK(near(sharp.at(40 * s - 1, 20 * s - 1), kBlue));
        const Picture veil = pixels(figure_of({{0, 0, 40, 20}, two(kVeil, kClear), false}), scale);
        CHECK(near(veil.at(10 * s, 10), {127, 127, 127}));
        CHECK(near(veil.at(30 * s, 10), {255, 255, 255}));
    }
}

TEST_CASE("veiled cells have their mixed colour in a file, up to their edges") {
    Figure figure = blank(40, 20);
    Heat heat{{3.3f, 2.2f, 30.5f, 15.3f},
              std::make_shared<const Matrix<float>>(Matrix<float>::Ones(3, 3)),
              PaletteId::amber,
              0,
              1,
              {}};
    const Color full = colour_of(heat.palette, 1, 0, 1);
    heat.veils = {{{0, 3}}, {{1, 3}}, {255, 255, 255, 128}};
    figure.items.emplace_back(heat);
    const Picture picture = pixels(figure, 4);
    for (int y = 0; y < 80; ++y) {
        for (int x = 0; x < 160; ++x) CHECK_FALSE(near(picture.at(x, y), full, 30));
    }
    const Color once = veiled(full, heat.veils, 1), twice = veiled(full, heat.veils, 2);
    CHECK(once == mixed(full, {255, 255, 255}, 128.f / 255));
    CHECK(near(picture.at(30, 30), once));
    CHECK(near(picture.at(80, 30), twice));
    CHECK(near(picture.at(110, 60), twice));
}

TEST_CASE("what is hatched below a veil has colours that the veil is mixed into") {
    Heat heat{{0, 0, 40, 20},
              std::make_shared<const Matrix<float>>(Matrix<float>::Ones(2, 4)),
              PaletteId::amber,
              0,
              1,
              {1}};
    const auto plain = hatched_boxes(heat);
    REQUIRE(plain.size() == 1);
    heat.veils = {{}, {{1, 3}}, {255, 255, 255, 128}};
    float wide = 0, veiled_wide = 0;
    for (const HatchedBox& box : hatched_boxes(heat)) {
        const bool under = box.pen.color == veiled(plain[0].pen.color, heat.veils, 1);
        CHECK((under || box.pen.color == plain[0].pen.color));
        CHECK(box.box.y == plain[0].box.y);
        CHECK(box.box.h == plain[0].box.h);
        wide += box.box.w;
        veiled_wide += under ? box.box.w : 0;
    }
    CHECK(wide == 40);
    CHECK(veiled_wide == 20);
}

TEST_CASE("a photograph is mixed between its pixels, and keeps its colours at the edges") {
    const Picture mixed = pixels(figure_of({{0, 0, 40, 20}, two(kRed, kBlue), true}));
    CHECK(near(mixed.at(0, 10), kRed, 4));
    CHECK(near(mixed.at(39, 10), kBlue, 4));
    const std::uint8_t* middle = mixed.at(20, 10);
    CHECK(middle[0] > kBlue.r + 20);
    CHECK(middle[0] < kRed.r - 20);
}

TEST_CASE("an image is a picture in every format, and one that is none is left out") {
    const Image cells{{0, 0, 40, 20}, two(kRed, kVeil), false};
    Image photograph = cells;
    photograph.smooth = true;
    const std::string svg = painted(figure_of(cells), Format::svg);
    CHECK(xml_fault(svg) == "");
    CHECK(svg.find("<image x=\"0\" y=\"0\" width=\"40\" height=\"20\"") != std::string::npos);
    CHECK(svg.find("image-rendering:pixelated") != std::string::npos);
    CHECK(painted(figure_of(photograph), Format::svg).find("pixelated") == std::string::npos);
    const std::string empty_pdf = painted(blank(40, 20), Format::pdf);
    CHECK(painted(figure_of(cells), Format::pdf).size() > empty_pdf.size() + 100);
    for (const Image& none : {Image{{0, 0, 40, 20}, nullptr, true},
                              Image{{0, 0, 40, 20}, std::make_shared<const Pixels>(), true},
                              Image{{0, 0, 0, 20}, cells.pixels, true}}) {
        CHECK(painted(figure_of(none), Format::svg) == painted(blank(40, 20), Format::svg));
    }
}
