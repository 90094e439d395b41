// What holds for all three formats: repeatable bytes, named errors, and no input that harms.
#include "sample.hpp"

#include "base/file.hpp"

#include "catch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <thread>

using namespace heed::figure;
using namespace sample;
using heed::base::ErrorKind;
using heed::files::Format;
using heed::files::format_of;
using heed::files::paint;

namespace {

constexpr Format kFormats[] = {Format::png, Format::svg, Format::pdf};

std::string file_name(int figure, Format format) {
    return std::to_string(figure) + (format == Format::png   ? ".png"
                                     : format == Format::svg ? ".svg"
                                                             : ".pdf");
}

Figure numbered(int figure) { return figure == 0 ? every_primitive() : every_text(); }

} // namespace

TEST_CASE("a format is known by its suffix, in any case") {
    CHECK(format_of("map.png") == Format::png);
    CHECK(format_of("a.b/MAP.Pdf") == Format::pdf);
    CHECK(format_of(".svg") == Format::svg);
    CHECK_FALSE(format_of("map"));
    CHECK_FALSE(format_of("a.png/map"));
    CHECK_FALSE(format_of("map.png "));
    CHECK_FALSE(format_of("map.jpg"));
    CHECK_FALSE(format_of(""));
}

TEST_CASE("emoji on a page are pictures fine enough for print") {
    Figure figure;
    figure.width = figure.height = 40;
    Text text;
    text.text = "👍";
    text.at = {10, 20};
    text.style.size = 10;
    figure.items.push_back(text);
    const std::string pdf = painted(figure, Format::pdf);
    int widest = 0;
    for (std::size_t at = 0; (at = pdf.find("/Width ", at)) != pdf.npos; at += 7)
        widest = std::max(widest, std::atoi(pdf.c_str() + at + 7));
    CHECK(widest >= 60); // 432 an inch
}

// Run by the test below, in a process of its own.
TEST_CASE("paints in the other order", "[.another-process]") {
    const char* folder = std::getenv("HEED_TEST_FOLDER");
    REQUIRE(folder);
    for (const Format format : {Format::pdf, Format::svg, Format::png})
        for (const int figure : {1, 0})
            REQUIRE(
                heed::base::write_file_atomic(std::string(folder) + "/" + file_name(figure, format),
                                              painted(numbered(figure), format)));
}

TEST_CASE("the same figure gives the same bytes, seconds later and in another process") {
    std::vector<std::string> bytes;
    for (const int figure : {0, 1})
        for (const Format format : kFormats) bytes.push_back(painted(numbered(figure), format));
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    std::size_t at = 0;
    for (const int figure : {0, 1})
        for (const Format format : kFormats)
            CHECK(painted(numbered(figure), format) == bytes[at++]);

    if (!std::filesystem::exists("/proc/self/exe")) return;
    const Folder folder;
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    REQUIRE(output_of("HEED_TEST_FOLDER='" + (folder / "") + "' '" + self +
                      "' 'paints in the other order'"));
    at = 0;
    for (const int figure : {0, 1}) {
        for (const Format format : kFormats) {
            const auto other = heed::base::read_file(folder / file_name(figure, format), 1 << 26);
            REQUIRE(other);
            CHECK(*other == bytes[at++]);
        }
    }
}

TEST_CASE("a scale or a size that cannot be painted is named") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    for (const Format format : kFormats) {
        for (const float scale : {0.0f, -1.0f, 16.01f, nan, inf}) {
            const auto painted = paint(blank(10, 10), format, {scale, false});
            REQUIRE_FALSE(painted);
            CHECK(painted.error().kind == ErrorKind::out_of_range);
            CHECK(painted.error().subject == "scale");
        }
        for (const auto& [w, h] : {std::pair{0.0f, 10.0f},
                                   {10.0f, -1.0f},
                                   {nan, 10.0f},
                                   {10.0f, inf},
                                   {32768.0f, 10.0f},
                                   {10.0f, 1e30f}}) {
            const auto painted = paint(blank(w, h), format, {1, false});
            REQUIRE_FALSE(painted);
            CHECK(painted.error().kind == ErrorKind::out_of_range);
        }
    }
    CHECK(paint(blank(32767, 1), Format::png, {1, false}));
    CHECK_FALSE(paint(blank(32767, 1), Format::png, {1.01f, false}));
    CHECK(paint(blank(32767, 1), Format::pdf, {2, false})); // the scale speaks of pixels alone
    // 30 000² pixels would take four gigabytes.
    const auto heavy = paint(blank(30'000, 30'000), Format::png, {1, false});
    REQUIRE_FALSE(heavy);
    CHECK(heavy.error().kind == ErrorKind::out_of_range);
}

TEST_CASE("a map that is higher than any picture is refused") {
    Figure figure = blank(10, 10);
    figure.items.push_back(Heat{{0, 0, 10, 10}, ramp(40'000, 2), PaletteId::amber, 0, 1, {}});
    for (const Format format : kFormats)
        CHECK(paint(figure, format).error().kind == ErrorKind::out_of_range);
}

TEST_CASE("degenerate primitives are left out and the rest is painted") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    Figure figure = blank(50, 50);
    const Color ink{0, 0, 0};
    auto& items = figure.items;
    for (const float bad : {nan, inf, -inf}) {
        items.push_back(Fill{{bad, 1, 10, 10}, ink, 0});
        items.push_back(Fill{{1, 1, bad, 10}, ink, 0});
        items.push_back(Stroke{{1, bad, 10, 10}, ink, 1, 0});
        items.push_back(Stroke{{1, 1, 10, 10}, ink, bad, 0});
        items.push_back(Line{{{bad, 1}, {2, 2}}, ink, 1, true});
        items.push_back(Line{{{1, 1}, {2, 2}}, ink, bad, false});
        items.push_back(Curve{{1, 1}, {bad, 2}, {3, 3}, {4, 4}, ink, 1});
        items.push_back(Text{"x", {bad, 1}, {12}, ink, AlignX::left, AlignY::top, 0});
        items.push_back(Text{"x", {1, 1}, {bad}, ink, AlignX::left, AlignY::top, 0});
        items.push_back(Text{"x", {1, 1}, {12}, ink, AlignX::left, AlignY::top, bad});
        items.push_back(Heat{{1, 1, bad, 5}, ramp(2, 2), PaletteId::amber, 0, 1, {}});
    }
    items.push_back(Fill{{1, 1, 0, 10}, ink, 0});
    items.push_back(Fill{{1, 1, 10, -10}, ink, 0});
    items.push_back(Fill{{1, 1, 10, 10}, {0, 0, 0, 0}, 0});
    items.push_back(Stroke{{1, 1, 10, 10}, ink, 0, 0});
    items.push_back(Line{{}, ink, 1, false});
    items.push_back(Line{{{5, 5}}, ink, 1, true});
    items.push_back(Text{"", {1, 1}, {12}, ink, AlignX::left, AlignY::top, 0});
    items.push_back(Text{"\x01\x02", {1, 1}, {12}, ink, AlignX::left, AlignY::top, 0});
    items.push_back(Text{"x", {1, 1}, {0}, ink, AlignX::left, AlignY::top, 0});
    items.push_back(Text{"x", {1, 1}, {-3}, ink, AlignX::left, AlignY::top, 0});
    items.push_back(Heat{{1, 1, 5, 5}, nullptr, PaletteId::amber, 0, 1, {}});
    items.push_back(Heat{{1, 1, 5, 5}, ramp(0, 0), PaletteId::amber, 0, 1, {}});
    items.push_back(Heat{{1, 1, 5, 5}, ramp(0, 3), PaletteId::amber, 0, 1, {0}});
    for (const Format format : kFormats) CHECK(paint(figure, format));
    const Picture picture = pixels(figure);
    CHECK(share_that_differs(picture, pixels(blank(50, 50)), 0) == 0);
    items.push_back(Fill{{20, 20, 5, 5}, ink, nan}); // a radius that is none is no radius
    CHECK(pixels(figure).at(22, 22)[0] == 0);
}

TEST_CASE("a line is cut where a point is no number") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Figure figure = blank(90, 20);
    figure.items.push_back(
        Line{{{0, 10}, {30, 10}, {nan, 10}, {60, 10}, {90, 10}}, {0, 0, 0}, 4, false});
    const Picture picture = pixels(figure);
    CHECK(picture.at(15, 10)[0] == 0);
    CHECK(picture.at(45, 10)[0] == 255);
    CHECK(picture.at(75, 10)[0] == 0);
}

TEST_CASE("places far outside a figure do not wrap round into it") {
    Figure figure = blank(40, 40);
    figure.items.push_back(Fill{{1e8f, 1e8f, 1e8f, 1e8f}, {0, 0, 0}, 0});
    figure.items.push_back(Fill{{-1e30f, -1e30f, 1e29f, 1e29f}, {0, 0, 0}, 5});
    figure.items.push_back(Line{{{1e12f, 0}, {1e12f, 40}}, {0, 0, 0}, 1, true});
    figure.items.push_back(Line{{{0, 20}, {1e9f, 20}}, {0, 0, 255}, 2, false});
    const Picture picture = pixels(figure, 4);
    CHECK(picture.at(80, 80)[2] == 255); // the line that does pass
    CHECK(picture.at(80, 80)[0] == 0);
    CHECK(picture.at(80, 40)[0] == 255);
}

TEST_CASE("hatched rows that a map does not have are ignored") {
    Figure figure = heat_alone(ramp(2, 2), 20, 20);
    const Picture plain = pixels(figure);
    std::get<Heat>(figure.items[0]).hatched_rows = {-1, 2, 1'000'000'000};
    CHECK(share_that_differs(plain, pixels(figure), 0) == 0);
}

TEST_CASE("a map whose range is empty or no number is painted") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const auto& [low, high] : {std::pair{0.0f, 0.0f}, {1.0f, 0.0f}, {nan, nan}}) {
        Figure figure = heat_alone(ramp(4, 4), 20, 20);
        auto& heat = std::get<Heat>(figure.items[0]);
        heat.low = low;
        heat.high = high;
        for (const Format format : kFormats) CHECK(paint(figure, format));
    }
}

TEST_CASE("a map of 2048 × 2048 cells is painted in every format") {
    const Figure figure = heat_alone(ramp(2048, 2048), 600, 600);
    for (const Format format : kFormats) {
        const auto bytes = paint(figure, format, {1, false});
        REQUIRE(bytes);
        CHECK(bytes->size() < 20'000'000);
    }
}

TEST_CASE("text with anything in it is painted, and an SVG of it stays well formed") {
    std::string every_control = "a";
    for (char c = 1; c < 0x20; ++c) every_control += c;
    every_control += "\x7f\xc2\x80\xc2\x9f z";
    const std::string hostile[] = {
        every_control,
        std::string("nul\0nul", 7),
        "\"><script>alert(1)</script><text x=\"",
        "]]> --> <!-- & &amp; &#0; '\"",
        "\xff\xfe\x80 broken \xe4\xbd \xed\xa0\x80 \xf4\x90\x80\x80",
        "\xef\xbf\xbe\xef\xbf\xbf noncharacters",
        "🙂👨‍👩‍👧‍👦🇫🇷 e\u0301\u0301\u0301\u0301",
        "\u202e reversed \u202c \u2066 isolate \u200f\u200e",
        "שלום (abc) القطة",
        "line\nline\r\nline\u2028line\u2029tab\ttab",
        std::string(20'000, 'w'),
        "\u0000",
    };
    Figure all = blank(300, 300);
    float y = 10;
    for (const std::string& text : hostile) {
        Figure figure = blank(300, 40);
        figure.title = text;
        figure.items.push_back(
            Text{text, {5, 20}, {12}, {0, 0, 0}, AlignX::left, AlignY::middle, 0});
        all.items.push_back(Text{text,
                                 {5, y += 20},
                                 {12, Font::mono, Weight::bold},
                                 {0, 0, 0},
                                 AlignX::left,
                                 AlignY::baseline,
                                 3});
        INFO(text.substr(0, 60));
        for (const Format format : kFormats) CHECK(paint(figure, format));
        CHECK(xml_fault(painted(figure, Format::svg)) == "");
    }
    for (const Format format : kFormats) CHECK(paint(all, format));
    if (!installed("rsvg-convert")) return;
    const Folder folder;
    CHECK(viewed_svg(painted(all, Format::svg), folder).width == 300);
}

TEST_CASE("two thousand labels are painted") {
    Figure figure = blank(2000, 2000);
    for (int i = 0; i < 2000; ++i)
        figure.items.push_back(
            Text{"token" + std::to_string(i),
                 {static_cast<float>(i % 40) * 50, static_cast<float>(i / 40) * 40},
                 {9},
                 {0, 0, 0},
                 AlignX::left,
                 AlignY::top,
                 0});
    for (const Format format : kFormats) CHECK(paint(figure, format, {1, false}));
}
