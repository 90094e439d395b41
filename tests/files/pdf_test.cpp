// PDF: real text, embedded fonts, sharp cells, repeatable bytes.
#include "sample.hpp"

#include "base/file.hpp"
#include "figure/base/palette.hpp"

#include "catch.hpp"

#include <cstdlib>
#include <sstream>

using namespace heed::figure;
using namespace sample;
using heed::files::Format;

namespace {

std::string written(const Figure& figure, const Folder& folder) {
    const std::string path = folder / "figure.pdf";
    REQUIRE(heed::base::write_file_atomic(path, painted(figure, Format::pdf)));
    return path;
}

/// What pdfinfo tells of the figure's PDF, dates in UTC. Cairo since 1.18 compresses the
/// dictionary.
std::optional<std::string> told_of(const Figure& figure) {
    const Folder folder;
    return output_of("TZ=UTC pdfinfo -isodates '" + written(figure, folder) + "'");
}

} // namespace

TEST_CASE("a PDF is one page of the figure's size with its title and the fixed date") {
    const std::string pdf = painted(every_primitive(), Format::pdf);
    CHECK(pdf.substr(0, 5) == "%PDF-");
    CHECK(pdf.find("%%EOF") != std::string::npos);
    if (!installed("pdfinfo")) return;
    const auto info = told_of(every_primitive());
    REQUIRE(info);
    CHECK(info->find("Every kind of primitive") != std::string::npos);
    CHECK(info->find("2026-01-01T00:00:00Z") != std::string::npos);
    CHECK(info->find("300 x 220 pts") != std::string::npos);
    CHECK(info->find("Pages:           1\n") != std::string::npos);
}

TEST_CASE("the build's clock sets a PDF's date, and nonsense in it does not") {
    const Figure figure = every_primitive();
    const std::string fixed = painted(figure, Format::pdf);
    ::setenv("SOURCE_DATE_EPOCH", "86400", 1);
    const auto dated = told_of(figure);
    ::setenv("SOURCE_DATE_EPOCH", "tomorrow", 1);
    const std::string nonsense = painted(figure, Format::pdf);
    ::setenv("SOURCE_DATE_EPOCH", "99999999999999999999", 1);
    const std::string too_late = painted(figure, Format::pdf);
    ::unsetenv("SOURCE_DATE_EPOCH");
    CHECK(nonsense == fixed);
    CHECK(too_late == fixed);
    if (!installed("pdfinfo")) return;
    REQUIRE(dated);
    CHECK(dated->find("1970-01-02T00:00:00Z") != std::string::npos);
}

TEST_CASE("words are found in a PDF, in every script") {
    if (!installed("pdftotext")) return;
    const Folder folder;
    const auto text = output_of("pdftotext -layout '" + written(every_text(), folder) + "' -");
    REQUIRE(text);
    for (const char* word : {"left top", "centre middle", "bold 18", "mono 0.12",
                             "我昨天吃了一个苹果", "りんごを直す", "사과를", "& < > \" '"}) {
        INFO(word << " in\n" << *text);
        CHECK(text->find(word) != std::string::npos);
    }
}

TEST_CASE("every font of a PDF is embedded as a subset and maps back to Unicode") {
    if (!installed("pdffonts")) return;
    const Folder folder;
    const auto listing = output_of("pdffonts '" + written(every_text(), folder) + "'");
    REQUIRE(listing);
    std::istringstream lines(*listing);
    std::string line;
    std::getline(lines, line);
    const std::size_t embedded = line.find("emb"), unicode = line.find("uni");
    REQUIRE(embedded != std::string::npos);
    std::getline(lines, line); // the rule below the head
    int fonts = 0;
    for (; std::getline(lines, line); ++fonts) {
        INFO(line);
        CHECK(line.substr(embedded, 3) == "yes");
        // A Type 3 font is drawn by the PDF itself: there is no whole that it could be a part of.
        if (line.find("Type 3") == std::string::npos) CHECK(line.substr(embedded + 4, 3) == "yes");
        CHECK(line.substr(unicode, 3) == "yes");
    }
    CHECK(fonts >= 4);
}

TEST_CASE("heat cells of a PDF have the colours of the palette's table") {
    if (!installed("pdftoppm")) return;
    const Folder folder;
    const Figure figure = heat_alone(ramp(16, 16), 320, 320);
    const Picture picture = viewed_pdf(painted(figure, Format::pdf), folder);
    const auto& heat = std::get<Heat>(figure.items[0]);
    for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
            const Color expected = colour_of(heat.palette, (*heat.values)(i, j), 0, 1);
            const auto* p = picture.at(20 * j + 10, 20 * i + 10);
            CHECK(Color{p[0], p[1], p[2]} == expected);
            const auto* edge = picture.at(20 * j + 2, 20 * i + 17);
            CHECK(Color{edge[0], edge[1], edge[2]} == expected);
        }
    }
}

TEST_CASE("a PDF and a PNG of one figure look alike") {
    if (!installed("pdftoppm")) return;
    const Folder folder;
    const Picture png = pixels(every_primitive());
    const Picture pdf = viewed_pdf(painted(every_primitive(), Format::pdf), folder);
    CHECK(share_that_differs(png, pdf, 64) < 0.01);
    const Picture png_text = pixels(every_text());
    const Picture pdf_text = viewed_pdf(painted(every_text(), Format::pdf), folder);
    CHECK(share_that_differs(png_text, pdf_text, 128) < 0.02);
}
