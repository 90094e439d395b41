// Parts of heat grids in files: what fills the box, and nothing beyond it.
#include "catch.hpp"

#include "figure/base/viewport.hpp"
#include "sample.hpp"

using namespace heed::figure;
using namespace sample;
using heed::files::Format;

namespace {

constexpr float kMargin = 20; // white, around the grid

/// A part of a ramp inside white margins.
Figure part_of_ramp(int rows, int cols, const Viewport& shown, float width, float height) {
    Figure figure = blank(width + 2 * kMargin, height + 2 * kMargin);
    Heat heat;
    heat.box = {kMargin, kMargin, width, height};
    heat.values = ramp(rows, cols);
    heat.shown = shown;
    figure.items.emplace_back(std::move(heat));
    return figure;
}

/// Pixels that have not the colour of the cell under their middle, or are not white outside.
int wrong_pixels(const Picture& picture, const Figure& figure) {
    const auto& heat = std::get<Heat>(figure.items[0]);
    const Viewport v = shown(heat);
    int wrong = 0;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            const Point at{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
            Color expected{255, 255, 255};
            if (heat.box.contains(at)) {
                const float row = v.row + (at.y - heat.box.y) / heat.box.h * v.rows;
                const float col = v.col + (at.x - heat.box.x) / heat.box.w * v.cols;
                expected = colour_of(
                    heat.palette, (*heat.values)(static_cast<Index>(row), static_cast<Index>(col)),
                    0, 1);
            }
            const auto* p = picture.at(x, y);
            wrong += !(Color{p[0], p[1], p[2]} == expected);
        }
    }
    return wrong;
}

} // namespace

TEST_CASE("every file shows the part of a grid that fills its box, and nothing beyond") {
    const Folder folder;
    // Whole cells, parts of cells, and more cells than an SVG draws as paths.
    const std::pair<Figure, const char*> figures[] = {
        {part_of_ramp(16, 16, {4, 2, 8, 10}, 200, 160), "whole cells"},
        {part_of_ramp(16, 16, {4.5f, 2.25f, 4, 5}, 200, 160), "parts of cells"},
        {part_of_ramp(600, 600, {10.5f, 20.5f, 300, 280}, 560, 600), "many cells"},
    };
    for (const auto& [figure, name] : figures) {
        INFO(name);
        const Picture png = pixels(figure);
        CHECK(wrong_pixels(png, figure) == 0);
        if (installed("rsvg-convert")) {
            const Picture svg = viewed_svg(painted(figure, Format::svg), folder);
            CHECK(share_that_differs(png, svg, 8) < 0.002);
        }
        if (installed("pdftoppm")) {
            const Picture pdf = viewed_pdf(painted(figure, Format::pdf), folder);
            CHECK(share_that_differs(png, pdf, 8) < 0.02);
        }
    }
}

TEST_CASE("no peak of a large map vanishes from a file, whole or in part") {
    auto values = std::make_shared<Matrix<float>>(Matrix<float>::Zero(1000, 1000));
    (*values)(555, 333) = 1;
    Figure figure = blank(100, 100);
    Heat heat;
    heat.box = {0, 0, 100, 100};
    heat.values = values;
    for (const bool part : {false, true}) {
        if (part) heat.shown = Viewport{500.5f, 250, 400, 400};
        figure.items = {heat};
        const Picture png = pixels(figure);
        const int x = part ? (333 - 250) / 4 : 33, y = part ? (555 - 500) / 4 : 55;
        bool found = false;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const auto* p = png.at(x + dx, y + dy);
                found |= Color{p[0], p[1], p[2]} == colour_of(heat.palette, 1, 0, 1);
            }
        }
        CHECK(found);
        const std::string svg = painted(figure, Format::svg);
        CHECK(xml_fault(svg) == "");
        CHECK(svg.size() < 200'000); // nothing that nobody can see
    }
}
