#include "sample.hpp"

#include "base/file.hpp"
#include "base/utf8.hpp"

#include "catch.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>
#include <unistd.h>
#include <vector>

namespace sample {

using namespace heed::figure;
using heed::files::Format;

Figure blank(float width, float height) {
    Figure figure;
    figure.width = width;
    figure.height = height;
    figure.background = {255, 255, 255};
    return figure;
}

std::shared_ptr<const Matrix<float>> ramp(int rows, int cols) {
    auto values = std::make_shared<Matrix<float>>(rows, cols);
    for (Index i = 0; i < values->size(); ++i)
        values->data()[i] =
            static_cast<float>(i) / std::max(1.0f, static_cast<float>(values->size() - 1));
    return values;
}

Figure heat_alone(std::shared_ptr<const Matrix<float>> values, float width, float height) {
    Figure figure = blank(width, height);
    figure.items.push_back(
        Heat{{0, 0, width, height}, std::move(values), PaletteId::amber, 0, 1, {}});
    return figure;
}

Figure every_primitive() {
    Figure figure = blank(300, 220);
    figure.background = {246, 247, 250};
    figure.title = "Every kind of primitive";
    const Color ink{30, 40, 60}, orange{180, 95, 6}, blue{70, 110, 190}, veil{180, 95, 6, 90};
    auto& items = figure.items;
    items.push_back(Fill{{10, 10, 60, 30}, orange, 0});
    items.push_back(Fill{{80, 10, 60, 30}, blue, 8});
    items.push_back(Fill{{150, 10, 60, 30}, ink, 100}); // as round as it can be
    items.push_back(Fill{{40, 20, 140, 12}, veil, 0});
    items.push_back(Stroke{{10, 50, 60, 30}, ink, 1, 0});
    items.push_back(Stroke{{80, 50, 60, 30}, orange, 3, 8});
    items.push_back(Stroke{{150, 50, 60, 30}, blue, 6, 0});
    items.push_back(Stroke{{220, 50, 60, 8}, orange, 20, 3}); // no room for an inside
    items.push_back(Line{{{10, 90}, {70, 110}, {130, 90}, {190, 110}}, ink, 2, false});
    items.push_back(Line{{{10, 100}, {70, 120}, {130, 100}, {190, 120}}, blue, 2, true});
    items.push_back(Line{{{200, 90}, {290, 90}}, orange, 1, true});
    items.push_back(Line{{{200.5f, 95}, {200.5f, 120}}, ink, 1, false});
    items.push_back(Curve{{210, 120}, {210, 95}, {285, 95}, {285, 120}, orange, 4});
    items.push_back(Curve{{220, 120}, {220, 105}, {275, 105}, {275, 120}, {70, 110, 190, 128}, 3});

    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    auto mixed = std::make_shared<Matrix<float>>(5, 6);
    *mixed << 0, .2f, .4f, .6f, .8f, 1, -5, 7, nan, inf, -inf, .5f, 0, 0, 0, 0, 0, 0, .1f, .3f, .5f,
        .7f, .9f, 1, 0, 0, 0, 0, 0, 0;
    items.push_back(Heat{{10, 130, 90, 80}, mixed, PaletteId::amber, 0, 1, {2, 4}});
    items.push_back(Heat{{110, 130, 60, 80}, ramp(16, 12), PaletteId::ember, 0, 1, {}});
    items.push_back(Heat{{180, 130, 50, 80}, ramp(1, 5), PaletteId::grey, 0, 1, {}});
    items.push_back(Heat{{240, 130, 50, 80}, ramp(8, 5), PaletteId::diverging, -1, 1, {7}});
    items.push_back(Stroke{{110, 130, 60, 80}, ink, 1, 0}); // upon the cells
    return figure;
}

Figure every_text() {
    Figure figure = blank(420, 260);
    figure.title = "Text in every manner: \"quotes\" & <tags> 注意力";
    const Color ink{30, 40, 60}, mark{200, 60, 60};
    const auto add = [&](const char* text, Point at, TextStyle style, AlignX x, AlignY y,
                         float degrees = 0) {
        figure.items.push_back(Fill{{at.x - 1, at.y - 1, 2, 2}, mark, 1});
        figure.items.push_back(Text{text, at, style, ink, x, y, degrees});
    };
    const TextStyle plain{12, Font::sans, Weight::regular};
    add("left top", {20, 20}, plain, AlignX::left, AlignY::top);
    add("centre middle", {200, 20}, plain, AlignX::centre, AlignY::middle);
    add("right bottom", {400, 20}, plain, AlignX::right, AlignY::bottom);
    add("baseline", {20, 60}, plain, AlignX::left, AlignY::baseline);
    add("bold 18", {120, 60}, {18, Font::sans, Weight::bold}, AlignX::left, AlignY::baseline);
    add("mono 0.12", {220, 60}, {12, Font::mono, Weight::regular}, AlignX::left, AlignY::baseline);
    add("mono bold", {320, 60}, {12, Font::mono, Weight::bold}, AlignX::left, AlignY::baseline);
    add("我昨天吃了一个苹果", {20, 100}, plain, AlignX::left, AlignY::baseline);
    add("りんごを直す", {160, 100}, plain, AlignX::left, AlignY::baseline);
    add("사과를 먹었다", {260, 100}, plain, AlignX::left, AlignY::baseline);
    add("القطة جلست", {120, 130}, plain, AlignX::right, AlignY::baseline);
    add("חתול ישב.", {140, 130}, plain, AlignX::left, AlignY::baseline);
    add("e\u0301te\u0301 ﬁn ½", {240, 130}, plain, AlignX::left, AlignY::baseline);
    add("\U0001F600 \u2713 →", {330, 130}, plain, AlignX::left, AlignY::baseline);
    add("turned 45", {40, 180}, plain, AlignX::left, AlignY::middle, 45);
    add("turned −45", {120, 220}, plain, AlignX::left, AlignY::baseline, -45);
    add("turned 90", {220, 200}, plain, AlignX::centre, AlignY::middle, 90);
    add("turned −90", {260, 160}, plain, AlignX::right, AlignY::bottom, -90);
    add("& < > \" ' ]]>", {290, 180}, plain, AlignX::left, AlignY::baseline);
    add("  two   blanks ", {290, 210}, plain, AlignX::left, AlignY::baseline);
    return figure;
}

std::string painted(const Figure& figure, Format format, float scale) {
    auto bytes = heed::files::paint(figure, format, {scale, false});
    if (!bytes) FAIL(describe(bytes.error()));
    return *bytes;
}

Picture pixels(const Figure& figure, float scale) {
    auto picture = heed::files::read_png(painted(figure, Format::png, scale), "painted");
    if (!picture) FAIL(describe(picture.error()));
    return *picture;
}

Folder::Folder()
    : path_(std::filesystem::temp_directory_path() /
            ("heed_files_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
}
Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::optional<std::string> output_of(const std::string& command) {
    std::FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
    if (!pipe) return std::nullopt;
    std::string output;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
        output.append(buffer, n);
    return ::pclose(pipe) == 0 ? std::optional(output) : std::nullopt;
}

bool installed(const std::string& program) {
    return output_of("command -v " + program).has_value();
}

namespace {

Picture viewed(const std::string& bytes, const std::string& file, const std::string& command,
               const std::string& result) {
    REQUIRE(heed::base::write_file_atomic(file, bytes));
    REQUIRE(output_of(command));
    const auto png = heed::base::read_file(result, std::size_t{1} << 28);
    REQUIRE(png);
    auto picture = heed::files::read_png(*png, result);
    REQUIRE(picture);
    return *picture;
}

} // namespace

Picture viewed_svg(const std::string& svg, const Folder& folder) {
    const std::string file = folder / "view.svg", result = folder / "view_svg.png";
    return viewed(svg, file, "rsvg-convert -d 72 -p 72 '" + file + "' -o '" + result + "'", result);
}

Picture viewed_pdf(const std::string& pdf, const Folder& folder) {
    const std::string file = folder / "view.pdf", stem = folder / "view_pdf";
    return viewed(pdf, file, "pdftoppm -r 72 -singlefile -png '" + file + "' '" + stem + "'",
                  stem + ".png");
}

double share_that_differs(const Picture& a, const Picture& b, int tolerance) {
    if (a.width != b.width || a.height != b.height) return 1;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
        bool differs = false;
        for (std::size_t c = 0; c < 4; ++c)
            differs = differs || std::abs(a.rgba[i + c] - b.rgba[i + c]) > tolerance;
        differing += differs;
    }
    return static_cast<double>(differing) * 4 / static_cast<double>(a.rgba.size());
}

namespace {

bool name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == ':' || c == '-' || c == '_';
}

/// The fault in character data or an attribute's value.
std::string text_fault(std::string_view text) {
    for (std::size_t at = 0; (at = text.find('&', at)) != std::string_view::npos; ++at) {
        const std::string_view rest = text.substr(at);
        bool known = false;
        for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
            known = known || rest.substr(0, entity.size()) == entity;
        if (!known) return "a bare &";
    }
    return text.find('<') == std::string_view::npos ? "" : "a bare <";
}

} // namespace

std::string xml_fault(std::string_view document) {
    if (!heed::base::is_valid_utf8(document)) return "broken UTF-8";
    for (std::size_t at = 0; at < document.size();) {
        const auto decoded = heed::base::decode_utf8(document, at);
        const char32_t c = decoded.code_point;
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF)
            return "a character that XML forbids";
        at += decoded.length;
    }
    std::vector<std::string> open;
    bool root_seen = false;
    std::size_t at = document.substr(0, 5) == "<?xml" ? document.find("?>") + 2 : 0;
    while (at < document.size()) {
        if (document[at] != '<') {
            const std::size_t end = std::min(document.find('<', at), document.size());
            const std::string_view text = document.substr(at, end - at);
            if (open.empty() && text.find_first_not_of(" \n") != std::string_view::npos)
                return "text outside the root";
            if (const std::string fault = text_fault(text); !fault.empty()) return fault;
            if (text.find("]]>") != std::string_view::npos) return "a bare ]]>";
            at = end;
            continue;
        }
        std::size_t p = at + 1;
        const bool closing = p < document.size() && document[p] == '/';
        p += closing;
        const std::size_t name_begin = p;
        while (p < document.size() && name_character(document[p])) ++p;
        const std::string name(document.substr(name_begin, p - name_begin));
        if (name.empty()) return "a tag without a name";
        if (!closing && open.empty() && root_seen) return "a second root";
        root_seen = true;
        std::set<std::string> attributes;
        while (p < document.size() && (document[p] == ' ' || document[p] == '\n')) {
            while (p < document.size() && (document[p] == ' ' || document[p] == '\n')) ++p;
            const std::size_t begin = p;
            while (p < document.size() && name_character(document[p])) ++p;
            if (p == begin) break;
            if (!attributes.insert(std::string(document.substr(begin, p - begin))).second)
                return "an attribute given twice in " + name;
            if (document.substr(p, 2) != "=\"") return "an attribute without quotes in " + name;
            const std::size_t quote = document.find('"', p + 2);
            if (quote == std::string_view::npos) return "an open quote in " + name;
            const std::string fault = text_fault(document.substr(p + 2, quote - p - 2));
            if (!fault.empty()) return fault + " in an attribute of " + name;
            p = quote + 1;
        }
        const bool empty = document.substr(p, 2) == "/>";
        p += empty;
        if (p >= document.size() || document[p] != '>') return "a tag that does not end: " + name;
        at = p + 1;
        if (closing) {
            if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
            open.pop_back();
        } else if (!empty) {
            open.push_back(name);
        }
    }
    return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

} // namespace sample
