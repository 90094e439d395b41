#include "files/svg.hpp"

#include "figure/base/pen.hpp"
#include "figure/base/script.hpp"
#include "figure/base/text_layout.hpp"
#include "files/picture.hpp"
#include "files/plain_line.hpp"
#include "files/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace heed::files {
namespace {

using figure::Box;
using figure::Color;
using figure::Index;
using figure::Point;

constexpr Index kMostPathCells = Index{256} * 256;
constexpr Index kEnlargedSide = 2048; // pixels that an embedded picture may grow to
constexpr int kEnlargedCells = 512;   // the same of cells that something is seen through

/// At most `digits` decimals, no trailing zeros, the same in every locale.
std::string number(double value, int digits = 2) {
    std::string text = fmt::format("{:.{}f}", value, digits);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
    return out;
}

/// ` fill="#rrggbb"`, with its opacity where it has one.
std::string paint(const char* attribute, Color c) {
    std::string out = fmt::format(" {}=\"#{:02x}{:02x}{:02x}\"", attribute, c.r, c.g, c.b);
    if (c.a != 255) out += fmt::format(" {}-opacity=\"{}\"", attribute, number(c.a / 255.0, 3));
    return out;
}

std::string place(const Box& box) {
    return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.x),
                       number(box.y), number(box.w), number(box.h));
}

std::string stroke(float width, Color color) {
    return fmt::format(" fill=\"none\"{} stroke-width=\"{}\"", paint("stroke", color),
                       number(width));
}

std::string base64(std::string_view bytes) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t triple = 0;
        for (std::size_t k = 0; k < 3; ++k)
            triple = triple << 8 | (k < left ? static_cast<unsigned char>(bytes[at + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= left ? kDigits[triple >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

/// The font that the figure was measured with, then what other systems have in its place. None of
/// emoji, which viewers find by themselves: from one that is named, some take digits and blanks.
std::string families(const std::string& measured, figure::Font font, std::string_view text) {
    std::string list = "'" + measured + "'";
    std::replace(list.begin() + 1, list.end() - 1, '\'', ' ');
    list += font == figure::Font::mono ? ", 'DejaVu Sans Mono', Menlo, Consolas"
                                       : ", 'DejaVu Sans', 'Helvetica Neue', Arial";
    switch (figure::han_forms(text)) {
    case figure::Han::chinese:
        list += ", 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei'";
        break;
    case figure::Han::japanese: list += ", 'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic'"; break;
    case figure::Han::korean:
        list += ", 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic'";
        break;
    case figure::Han::none: break;
    }
    return list + (font == figure::Font::mono ? ", monospace" : ", sans-serif");
}

/// A lone "I" is read as a bar; not all viewers know features of fonts, such as the serifs that
/// layouts of text ask for, but every face of equal widths has some.
bool is_lone_i(std::string_view text) { return text == "I"; }

/// Escaped letters; in a face of equal widths the minus, which may be no wider than its hyphen,
/// is of the other face.
std::string letters(const std::string& text, bool mono, const std::string& sans) {
    const std::string all = escaped(figure::isolated(text));
    if (!mono) return all;
    constexpr std::string_view kMinus = "−";
    const std::string minus = fmt::format("<tspan font-family=\"{}\">{}</tspan>",
                                          escaped(families(sans, figure::Font::sans, "")), kMinus);
    std::string out;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t next = std::min(all.find(kMinus, at), all.size());
        out += all.substr(at, next - at);
        if (next < all.size()) out += minus;
        at = next + kMinus.size();
    }
    return out;
}

const char* language(std::string_view text) {
    switch (figure::han_forms(text)) {
    case figure::Han::chinese: return " xml:lang=\"zh-Hans\"";
    case figure::Han::japanese: return " xml:lang=\"ja\"";
    case figure::Han::korean: return " xml:lang=\"ko\"";
    case figure::Han::none: break;
    }
    return "";
}

class SvgVerbs final : public Verbs {
  public:
    explicit SvgVerbs(std::string& out) : out_(out) {}

    void fill(const Box& box, float radius, Color color) override {
        add("<rect{}{}{}/>\n", place(box), rounding(radius), paint("fill", color));
    }

    void outline(const Box& box, float radius, float width, Color color) override {
        add("<rect{}{}{}/>\n", place(box), rounding(radius), stroke(width, color));
    }

    void line(std::span<const Point> points, const figure::Line& style) override {
        std::string d;
        for (const Point p : points)
            d += fmt::format("{}{} {}", d.empty() ? 'M' : 'L', number(p.x), number(p.y));
        std::string dash;
        if (style.dashed) {
            const figure::Dashes lengths = figure::dashes(style.width);
            dash =
                fmt::format(" stroke-dasharray=\"{} {}\"", number(lengths.on), number(lengths.off));
        }
        add("<path d=\"{}\"{}{} stroke-linejoin=\"round\"/>\n", d, stroke(style.width, style.color),
            dash);
    }

    void curve(const figure::Curve& c) override {
        add("<path d=\"M{} {}C{} {} {} {} {} {}\"{}/>\n", number(c.a.x), number(c.a.y),
            number(c.control_a.x), number(c.control_a.y), number(c.control_b.x),
            number(c.control_b.y), number(c.b.x), number(c.b.y), stroke(c.width, c.color));
    }

    void segments(std::span<const Segment> segments, float width, Color color) override {
        std::string d;
        for (const Segment& s : segments)
            d += fmt::format("M{} {}L{} {}", number(s.a.x), number(s.a.y), number(s.b.x),
                             number(s.b.y));
        add("<path d=\"{}\"{}/>\n", d, stroke(width, color));
    }

    void text(const figure::Text& text) override {
        // The height is placed by measured numbers: viewers disagree about dominant-baseline.
        const float down = figure::baseline_offset(figure::measure(text.text, text.style),
                                                   text.align_x, text.align_y)
                               .y;
        const bool turned = text.degrees != 0;
        const bool right_to_left = figure::is_right_to_left(text.text);
        const bool mono = text.style.font == figure::Font::mono || is_lone_i(text.text);
        std::string where =
            turned ? fmt::format(" transform=\"translate({} {}) rotate({})\"", number(text.at.x),
                                 number(text.at.y), number(text.degrees))
                   : fmt::format(" x=\"{}\"", number(text.at.x));
        const float y = turned ? down : text.at.y + down;
        if (!turned || y != 0) where += fmt::format(" y=\"{}\"", number(y));
        add("<text{} font-family=\"{}\" font-size=\"{}\"{}{}{}{}{} "
            "xml:space=\"preserve\">{}</text>\n",
            where,
            escaped(families(mono ? mono_ : sans_, mono ? figure::Font::mono : figure::Font::sans,
                             text.text)),
            number(text.style.size),
            text.style.weight == figure::Weight::bold
                ? fmt::format(" font-weight=\"{}\"", figure::kBoldWeight)
                : "",
            anchor(text.align_x, right_to_left), right_to_left ? " direction=\"rtl\"" : "",
            language(text.text), paint("fill", text.color), letters(text.text, mono, sans_));
    }

    void cells(const Cells& cells) override {
        if (cells.clip) { // a drawing of its own, which shows nothing beyond its box
            const Box& c = *cells.clip;
            add("<svg{} viewBox=\"{} {} {} {}\" preserveAspectRatio=\"none\">\n", place(c),
                number(c.x), number(c.y), number(c.w), number(c.h));
        }
        if (cells.rows * cells.cols <= kMostPathCells)
            cell_paths(cells);
        else
            cell_picture(cells);
        if (cells.clip) out_ += "</svg>\n";
    }

    void image(const figure::Image& image) override {
        const figure::Pixels& p = *image.pixels;
        Picture picture{p.width, p.height, p.rgba};
        if (!image.smooth) picture = enlarged(picture);
        embed(image.box, picture, image.smooth);
    }

  private:
    /// Cells as large as an even number of pixels each: some viewers smooth whatever they are told.
    static Picture enlarged(const Picture& small) {
        const int times = std::max(1, kEnlargedCells / std::max(small.width, small.height));
        Picture large{small.width * times, small.height * times, {}};
        large.rgba.reserve(small.rgba.size() * static_cast<std::size_t>(times * times));
        for (int y = 0; y < large.height; ++y) {
            for (int x = 0; x < large.width; ++x) {
                const std::uint8_t* from = small.at(x / times, y / times);
                large.rgba.insert(large.rgba.end(), from, from + 4);
            }
        }
        return large;
    }

    void embed(const Box& box, const Picture& picture, bool smooth) {
        add("<image{} preserveAspectRatio=\"none\"{} "
            "xlink:href=\"data:image/png;base64,{}\"/>\n",
            place(box), smooth ? "" : " style=\"image-rendering:pixelated\"",
            base64(write_png(picture)));
    }

    template <class... Parts> void add(fmt::format_string<Parts...> format, Parts&&... parts) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Parts>(parts)...);
    }

    static std::string rounding(float radius) {
        return radius > 0 ? fmt::format(" rx=\"{}\"", number(radius)) : "";
    }

    /// Start and end are meant in the direction of reading.
    static const char* anchor(figure::AlignX align, bool right_to_left) {
        if (align == figure::AlignX::centre) return " text-anchor=\"middle\"";
        const bool end = (align == figure::AlignX::right) != right_to_left;
        return end ? " text-anchor=\"end\"" : "";
    }

    void cell_paths(const Cells& cells) {
        std::map<std::uint32_t, std::string> path_of; // ordered: same figure, same bytes
        for (Index i = 0; i < cells.rows; ++i) {
            const std::uint32_t* row = cells.rgb.data() + i * cells.cols;
            for (Index j = 0; j < cells.cols;) {
                Index end = j + 1;
                while (end < cells.cols && row[end] == row[j]) ++end;
                fmt::format_to(std::back_inserter(path_of[row[j]]), "M{} {}h{}v1H{}z", j, i,
                               end - j, j);
                j = end;
            }
        }
        const Box& box = cells.box;
        add("<g transform=\"translate({} {}) scale({} {})\" shape-rendering=\"crispEdges\">\n",
            number(box.x), number(box.y), number(box.w / static_cast<double>(cells.cols), 6),
            number(box.h / static_cast<double>(cells.rows), 6));
        for (const auto& [rgb, d] : path_of) add("<path fill=\"#{:06x}\" d=\"{}\"/>\n", rgb, d);
        out_ += "</g>\n";
    }

    void cell_picture(const Cells& cells) {
        const Index wide = std::max<Index>(1, kEnlargedSide / cells.cols);
        const Index high = std::max<Index>(1, kEnlargedSide / cells.rows);
        Picture picture{
            static_cast<int>(cells.cols * wide), static_cast<int>(cells.rows * high), {}};
        picture.rgba.reserve(static_cast<std::size_t>(cells.cols * wide * cells.rows * high) * 4);
        for (Index i = 0; i < cells.rows * high; ++i) {
            for (Index j = 0; j < cells.cols * wide; ++j) {
                const std::uint32_t rgb =
                    cells.rgb[static_cast<std::size_t>(i / high * cells.cols + j / wide)];
                picture.rgba.insert(picture.rgba.end(), {static_cast<std::uint8_t>(rgb >> 16),
                                                         static_cast<std::uint8_t>(rgb >> 8),
                                                         static_cast<std::uint8_t>(rgb), 255});
            }
        }
        embed(cells.box, picture, false);
    }

    std::string& out_;
    std::string sans_ = figure::family(figure::Font::sans);
    std::string mono_ = figure::family(figure::Font::mono);
};

} // namespace

std::string write_svg(const figure::Figure& figure, bool transparent) {
    const std::string width = number(figure.width), height = number(figure.height);
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out += fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" role=\"img\" "
                       "width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\">\n",
                       width, height);
    const std::string title = plain_line(figure.title);
    if (!title.empty()) out += "<title>" + escaped(title) + "</title>\n";
    SvgVerbs verbs(out);
    if (!transparent && figure.background.a > 0)
        verbs.fill({0, 0, figure.width, figure.height}, 0, figure.background);
    walk(figure, verbs);
    return out + "</svg>\n";
}

} // namespace heed::files
