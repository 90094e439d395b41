// PNG: the pixels, one by one.
#include "sample.hpp"

#include "base/file.hpp"
#include "figure/base/palette.hpp"

#include "catch.hpp"
#include "paths.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

using namespace heed::figure;
using namespace sample;
using heed::files::Format;

namespace {

Color color_at(const Picture& picture, int x, int y) {
    const auto* p = picture.at(x, y);
    return {p[0], p[1], p[2], p[3]};
}

std::string told(Color c) {
    return "rgba " + std::to_string(c.r) + " " + std::to_string(c.g) + " " + std::to_string(c.b) +
           " " + std::to_string(c.a);
}

/// Every pixel against the rule: a pixel has the colour of the cell that holds its middle.
void check_every_pixel(const Heat& heat, const Picture& picture, double scale) {
    std::size_t wrong = 0;
    std::string first;
    const Matrix<float>& values = *heat.values;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const double row = (y + 0.5) / scale / heat.box.h * static_cast<double>(values.rows());
            const double col = (x + 0.5) / scale / heat.box.w * static_cast<double>(values.cols());
            // A middle upon a border may fall to either side.
            if (std::abs(row - std::round(row)) < 0.02 || std::abs(col - std::round(col)) < 0.02)
                continue;
            const Color expected =
                colour_of(heat.palette, values(static_cast<Index>(row), static_cast<Index>(col)),
                          heat.low, heat.high);
            if (!(color_at(picture, x, y) == expected)) {
                if (!wrong++)
                    first = std::to_string(x) + ", " + std::to_string(y) + ": " +
                            told(color_at(picture, x, y)) + " for " + told(expected);
            }
        }
    }
    INFO(first);
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("heat cells have the colours of the palette's table, at any scale and shape") {
    for (const PaletteId palette : kPalettes) {
        for (const float scale : {0.5f, 1.0f, 2.0f, 3.7f}) {
            for (const auto& [rows, cols] :
                 {std::pair{1, 1}, {4, 4}, {7, 13}, {16, 16}, {1, 256}, {97, 3}}) {
                Figure figure = heat_alone(ramp(rows, cols), 200, 120);
                auto& heat = std::get<Heat>(figure.items[0]);
                heat.palette = palette;
                INFO(name(palette) << " " << rows << " × " << cols << " at " << scale);
                check_every_pixel(heat, pixels(figure, scale), double{scale});
            }
        }
    }
}

TEST_CASE("a large map is exact to its last cell") {
    const Figure figure = heat_alone(ramp(512, 2048), 2048, 512);
    check_every_pixel(std::get<Heat>(figure.items[0]), pixels(figure), 1);
    const Figure odd = heat_alone(ramp(700, 900), 1333, 777);
    check_every_pixel(std::get<Heat>(odd.items[0]), pixels(odd), 1);
}

TEST_CASE("values that are not finite have the palette's own colour for them") {
    auto values = std::make_shared<Matrix<float>>(1, 4);
    const float inf = std::numeric_limits<float>::infinity();
    *values << std::numeric_limits<float>::quiet_NaN(), inf, -inf, 0;
    const Picture picture = pixels(heat_alone(values, 40, 10));
    for (const int x : {5, 15, 25}) CHECK(color_at(picture, x, 5) == not_finite(PaletteId::amber));
    CHECK(color_at(picture, 35, 5) == table(PaletteId::amber)[0]);
}

TEST_CASE("the border of a map is as sharp as its cells") {
    Figure figure = blank(30, 30);
    figure.items.push_back(
        Heat{{5.3f, 5.3f, 20.2f, 20.2f}, ramp(2, 2), PaletteId::ember, 0, 1, {}});
    const Picture picture = pixels(figure);
    for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < 30; ++x) {
            const Color c = color_at(picture, x, y);
            bool known = c == Color{255, 255, 255};
            for (const float v : {0.0f, 1.0f / 3, 2.0f / 3, 1.0f})
                known = known || c == colour_of(PaletteId::ember, v, 0, 1);
            if (!known) FAIL(x << ", " << y << " is mixed: " << told(c));
        }
    }
}

TEST_CASE("a row without a distribution is hatched, the others are not") {
    Figure figure = heat_alone(std::make_shared<Matrix<float>>(Matrix<float>::Zero(3, 4)), 80, 60);
    std::get<Heat>(figure.items[0]).hatched_rows = {1};
    const Picture picture = pixels(figure);
    const Color ground = table(PaletteId::amber)[0];
    int stripes = 0;
    for (int x = 0; x < 80; ++x) {
        CHECK(color_at(picture, x, 10) == ground);
        CHECK(color_at(picture, x, 50) == ground);
        stripes += !(color_at(picture, x, 30) == ground);
    }
    CHECK(stripes > 10);
    CHECK(stripes < 60);
}

TEST_CASE("pixels grow with the scale and the background fills them") {
    for (const float scale : {0.1f, 1.0f, 2.5f, 16.0f}) {
        const Picture picture = pixels(blank(10, 20), scale);
        CHECK(picture.width == static_cast<int>(std::ceil(10 * scale)));
        CHECK(picture.height == static_cast<int>(20 * scale));
        CHECK(color_at(picture, picture.width - 1, picture.height - 1) == Color{255, 255, 255});
    }
}

TEST_CASE("a transparent picture has no background and keeps what lies upon it") {
    Figure figure = blank(20, 20);
    figure.items.push_back(Fill{{5, 5, 10, 10}, {10, 200, 30}, 0});
    const auto bytes = heed::files::paint(figure, Format::png, {1, true});
    REQUIRE(bytes);
    const auto picture = heed::files::read_png(*bytes, "transparent");
    REQUIRE(picture);
    CHECK(color_at(*picture, 1, 1).a == 0);
    CHECK(color_at(*picture, 10, 10) == Color{10, 200, 30});
}

TEST_CASE("the outline of a box lies inside it") {
    Figure figure = blank(40, 40);
    figure.items.push_back(Stroke{{10, 10, 20, 20}, {0, 0, 0}, 3, 0});
    const Picture picture = pixels(figure);
    const Color black{0, 0, 0}, white{255, 255, 255};
    CHECK(color_at(picture, 9, 20) == white);
    for (const int x : {10, 11, 12, 27, 28, 29}) CHECK(color_at(picture, x, 20) == black);
    CHECK(color_at(picture, 13, 20) == white);
    CHECK(color_at(picture, 30, 20) == white);
    CHECK(color_at(picture, 10, 10) == black);
}

TEST_CASE("every kind of primitive looks as it was approved") {
    const Picture now = pixels(every_primitive(), 2);
    const std::string path = std::string(HEED_SOURCE_DIR) + "/tests/golden/files_primitives.png";
    if (std::getenv("HEED_APPROVE"))
        REQUIRE(heed::base::write_file_atomic(path, heed::files::write_png(now)));
    const auto bytes = heed::base::read_file(path, 1 << 24);
    REQUIRE(bytes);
    const auto approved = heed::files::read_png(*bytes, path);
    REQUIRE(approved);
    CHECK(share_that_differs(now, *approved, 3) < 0.001);
}

TEST_CASE("text lies where its alignment says") {
    struct Case {
        AlignX x;
        AlignY y;
        float degrees;
        // The direction from the place, in which all the ink lies: −1, 0 (both sides) or 1.
        int to_x, to_y;
    };
    for (const Case& c : {Case{AlignX::left, AlignY::top, 0, 1, 1},
                          {AlignX::right, AlignY::top, 0, -1, 1},
                          {AlignX::left, AlignY::bottom, 0, 1, -1},
                          {AlignX::right, AlignY::baseline, 0, -1, -1},
                          {AlignX::centre, AlignY::middle, 0, 0, 0},
                          {AlignX::left, AlignY::top, 90, -1, 1},
                          {AlignX::left, AlignY::top, 180, -1, -1},
                          {AlignX::left, AlignY::bottom, -90, -1, -1}}) {
        Figure figure = blank(200, 200);
        figure.items.push_back(Text{"HHHH", {100, 100}, {20}, {0, 0, 0}, c.x, c.y, c.degrees});
        const Picture picture = pixels(figure);
        double sum = 0, sum_x = 0, sum_y = 0;
        int wrong_side = 0;
        for (int y = 0; y < 200; ++y) {
            for (int x = 0; x < 200; ++x) {
                const double ink = 255 - picture.at(x, y)[0];
                sum += ink;
                sum_x += ink * (x + 0.5 - 100);
                sum_y += ink * (y + 0.5 - 100);
                // A pixel of overlap is the rounding of edges.
                if (ink > 40 &&
                    (c.to_x * (x + 0.5 - 100) < -1.5 || c.to_y * (y + 0.5 - 100) < -1.5))
                    ++wrong_side;
            }
        }
        INFO("align " << static_cast<int>(c.x) << " " << static_cast<int>(c.y) << " turned "
                      << c.degrees);
        REQUIRE(sum > 0);
        CHECK(wrong_side == 0);
        if (c.to_x == 0) CHECK(std::abs(sum_x / sum) < 2);
        if (c.to_y == 0) CHECK(std::abs(sum_y / sum) < 4);
    }
}

TEST_CASE("boxes and rules lie upon whole pixels at any scale, thin boxes keep their share") {
    const Color black{0, 0, 0}, white{255, 255, 255};
    for (const float scale : {1.0f, 1.3f, 2.0f, 2.7f}) {
        Figure figure = blank(60, 60);
        figure.items.push_back(Fill{{5.3f, 5.3f, 10.1f, 10.1f}, black, 0});
        figure.items.push_back(Stroke{{20.7f, 5.2f, 10.1f, 10.1f}, black, 1, 0});
        figure.items.push_back(Line{{{5, 30.5f}, {55, 30.5f}}, black, 1, false});
        figure.items.push_back(Line{{{40, 35}, {40, 55}}, black, 1.4f, false});
        const Picture picture = pixels(figure, scale);
        int mixed = 0, ink = 0;
        for (int y = 0; y < picture.height; ++y) {
            for (int x = 0; x < picture.width; ++x) {
                mixed += !(color_at(picture, x, y) == black || color_at(picture, x, y) == white);
                ink += color_at(picture, x, y) == black;
            }
        }
        INFO("scale " << scale);
        CHECK(mixed == 0);
        CHECK(ink > 100);
    }
    Figure thin = blank(20, 20);
    thin.items.push_back(Fill{{5, 5, 10, 0.25f}, black, 0});
    const int shade = color_at(pixels(thin), 10, 5).r;
    CHECK(shade == Approx(255 * 0.75).margin(4));
}

TEST_CASE("a PNG tells how large it is printed, and its pixels stay the same") {
    Figure figure;
    figure.width = figure.height = 24;
    figure.background = {255, 255, 255, 255};
    heed::files::PaintOptions options;
    options.scale = 300.f / 72;
    const auto bytes = heed::files::paint(figure, Format::png, options);
    REQUIRE(bytes);
    const auto at = bytes->find("pHYs");
    REQUIRE(at == 37);                                                  // behind the header
    const std::string metre("\x00\x00\x2e\x23\x00\x00\x2e\x23\x01", 9); // 11811: 300 dpi
    CHECK(bytes->substr(at + 4, 9) == metre);
    const auto read = heed::files::read_png(*bytes, "picture");
    REQUIRE(read);
    CHECK(read->width == 100);
}
