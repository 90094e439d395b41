// SVG: well formed, real text, exact colours.
#include "sample.hpp"

#include "figure/base/palette.hpp"

#include "catch.hpp"

#include <clocale>
#include <cstdlib>
#include <set>

using namespace heed::figure;
using namespace sample;
using heed::files::Format;

namespace {

std::size_t count(const std::string& text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++n;
    return n;
}

} // namespace

TEST_CASE("an SVG is well formed, titled, and keeps words as text") {
    for (const Figure& figure : {every_primitive(), every_text(), blank(10, 10)}) {
        INFO(figure.title);
        CHECK(xml_fault(painted(figure, Format::svg)) == "");
    }
    const std::string svg = painted(every_text(), Format::svg);
    CHECK(svg.find("<title>Text in every manner: &quot;quotes&quot; &amp; &lt;tags&gt; 注意力"
                   "</title>") != std::string::npos);
    CHECK(svg.find(">我昨天吃了一个苹果</text>") != std::string::npos);
    CHECK(svg.find(">  two   blanks </text>") != std::string::npos);
    CHECK(svg.find("&amp; &lt; &gt; &quot; ' ]]&gt;") != std::string::npos);
    CHECK(count(svg, "<text ") == count(svg, "xml:space=\"preserve\""));
    CHECK(painted(blank(10, 10), Format::svg).find("<title>") == std::string::npos);
}

TEST_CASE("an SVG is as large on paper as a PDF") {
    // Without a unit it would be in pixels, of which 96 are an inch.
    CHECK(painted(blank(241, 96), Format::svg)
              .find("width=\"241pt\" height=\"96pt\" viewBox=\"0 0 241 96\"") != std::string::npos);
}

TEST_CASE("text of an SVG names its language, direction and anchor") {
    const std::string svg = painted(every_text(), Format::svg);
    CHECK(count(svg, "xml:lang=\"zh-Hans\"") == 1);
    CHECK(count(svg, "xml:lang=\"ja\"") == 1);
    CHECK(count(svg, "xml:lang=\"ko\"") == 1);
    CHECK(count(svg, "direction=\"rtl\"") == 2);
    CHECK(count(svg, "text-anchor=\"middle\"") == 2);
    // Right-aligned, and left-aligned right-to-left; right-aligned Arabic ends at its start.
    CHECK(count(svg, "text-anchor=\"end\"") == 3);
    CHECK(count(svg, "rotate(45)") == 1);
    CHECK(count(svg, "font-weight=\"600\"") == 2);
}

TEST_CASE("a lone I of an SVG has serifs, as it has elsewhere") {
    Figure figure = blank(100, 100);
    for (const char* words : {"I", "I read"}) {
        figure.items.push_back(heed::figure::Text{words, {10, 50}, {12}, {0, 0, 0}});
    }
    // In whatever viewer: few know features of fonts, but faces of equal widths have serifs.
    const std::string svg = painted(figure, Format::svg);
    CHECK(count(svg, "monospace") == 1);
    CHECK(svg.find("monospace") < svg.find(">I</text>"));
    CHECK(svg.find(">I</text>") < svg.find(">I read</text>"));
}

TEST_CASE("a minus of an SVG is no hyphen in the face of numbers either") {
    Figure figure = blank(100, 100);
    for (const Font font : {Font::mono, Font::sans}) {
        figure.items.push_back(heed::figure::Text{"−0.63 < −1", {10, 50}, {12, font}, {0, 0, 0}});
    }
    const std::string svg = painted(figure, Format::svg);
    CHECK(xml_fault(svg) == "");
    CHECK(count(svg, "sans-serif\">−</tspan>") == 2);
    CHECK(count(svg, ">−0.63 &lt; −1</text>") == 1);
}

TEST_CASE("digits, blanks and signs beside emoji of an SVG are as wide as elsewhere") {
    if (!installed("rsvg-convert")) return;
    const Folder folder;
    const auto end_of_ink = [](const Picture& picture) {
        int end = 0;
        for (int y = 0; y < picture.height; ++y) {
            for (int x = end; x < picture.width; ++x) {
                if (picture.at(x, y)[1] < 128) end = x + 1;
            }
        }
        return end;
    };
    for (const char* emoji : {"🎉", "👩‍👩‍👧", "1️⃣", "🇫🇷", "🙂", "none"}) {
        Figure figure = blank(400, 30);
        figure.items.push_back(heed::figure::Text{
            emoji + std::string(" 80 · 4 # * © ® ™ 0.187 A"), {10, 20}, {12}, {0, 0, 0}});
        INFO(emoji);
        const Picture svg = viewed_svg(painted(figure, Format::svg), folder);
        CHECK(std::abs(end_of_ink(svg) - end_of_ink(pixels(figure))) <= 1);
    }
}

TEST_CASE("a hundred thousand points of a line or a locale with commas do not disturb numbers") {
    Figure figure = blank(100, 100);
    figure.items.push_back(Fill{{0.123456f, 1.0f, 2.5f, 1e-9f}, {1, 2, 3, 128}, 0});
    figure.items.push_back(Line{{{-0.001f, 1e9f}, {1e-7f, 50}}, {0, 0, 0}, 1, false});
    const std::string before = painted(figure, Format::svg);
    CHECK(before.find("x=\"0.12\" y=\"1\" width=\"2.5\" height=\"0\"") != std::string::npos);
    CHECK(before.find("fill=\"#010203\" fill-opacity=\"0.502\"") != std::string::npos);
    CHECK(before.find("M0 100000L0 50") != std::string::npos);
    if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        CHECK(painted(figure, Format::svg) == before);
        std::setlocale(LC_NUMERIC, "C");
    }
}

TEST_CASE("cells of an SVG are paths, one a colour, up to 256 × 256, and a picture beyond") {
    const std::string small = painted(heat_alone(ramp(256, 256), 256, 256), Format::svg);
    CHECK(count(small, "<path ") == 256);
    CHECK(small.find("<image") == std::string::npos);
    CHECK(small.find("shape-rendering=\"crispEdges\"") != std::string::npos);
    const std::string large = painted(heat_alone(ramp(257, 256), 256, 257), Format::svg);
    CHECK(large.find("<path") == std::string::npos);
    CHECK(large.find("<image") != std::string::npos);
    CHECK(xml_fault(large) == "");
}

TEST_CASE("heat cells of an SVG have the colours of the palette's table") {
    if (!installed("rsvg-convert")) return;
    const Folder folder;
    const auto check_cells = [&](int rows, int cols, float cell) {
        const Figure figure = heat_alone(ramp(rows, cols), cell * static_cast<float>(cols),
                                         cell * static_cast<float>(rows));
        const Picture picture = viewed_svg(painted(figure, Format::svg), folder);
        const auto& heat = std::get<Heat>(figure.items[0]);
        int wrong = 0;
        std::set<std::uint32_t> colours;
        for (int y = 0; y < picture.height; ++y) {
            for (int x = 0; x < picture.width; ++x) {
                const auto i = static_cast<Index>(static_cast<float>(y) / cell);
                const auto j = static_cast<Index>(static_cast<float>(x) / cell);
                const Color expected = colour_of(heat.palette, (*heat.values)(i, j), 0, 1);
                const auto* p = picture.at(x, y);
                wrong += !(Color{p[0], p[1], p[2], p[3]} == expected);
                colours.insert(std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2]);
            }
        }
        INFO(rows << " × " << cols);
        CHECK(wrong == 0);
        CHECK(colours.size() <= 256);
    };
    check_cells(4, 4, 20);
    check_cells(128, 128, 2);
    check_cells(256, 256, 1);
}

TEST_CASE("the enlarged picture of a large map has exact colours in its cells' middles") {
    if (!installed("rsvg-convert")) return;
    const Folder folder;
    const Figure figure = heat_alone(ramp(300, 300), 1200, 1200);
    const Picture picture = viewed_svg(painted(figure, Format::svg), folder);
    const auto& heat = std::get<Heat>(figure.items[0]);
    int wrong = 0;
    for (int i = 0; i < 300; ++i) {
        for (int j = 0; j < 300; ++j) {
            const auto* p = picture.at(4 * j + 2, 4 * i + 2);
            wrong +=
                !(Color{p[0], p[1], p[2]} == colour_of(heat.palette, (*heat.values)(i, j), 0, 1));
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("an SVG and a PNG of one figure look alike") {
    if (!installed("rsvg-convert")) return;
    const Folder folder;
    const Picture png = pixels(every_primitive());
    const Picture svg = viewed_svg(painted(every_primitive(), Format::svg), folder);
    CHECK(share_that_differs(png, svg, 64) < 0.01);
    const Picture png_text = pixels(every_text());
    const Picture svg_text = viewed_svg(painted(every_text(), Format::svg), folder);
    CHECK(share_that_differs(png_text, svg_text, 128) < 0.03);
}
