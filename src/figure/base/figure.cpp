#include "figure/base/figure.hpp"

#include "figure/base/viewport.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kNear = 5;       // points beside a thin curve that still pick it
constexpr float kNearer = 0.75f; // points by which a lower curve has to be the nearer one

Point along(const Curve& c, float t) {
    const float s = 1 - t;
    const float a = s * s * s, p = 3 * s * s * t, q = 3 * s * t * t, b = t * t * t;
    return {a * c.a.x + p * c.control_a.x + q * c.control_b.x + b * c.b.x,
            a * c.a.y + p * c.control_a.y + q * c.control_b.y + b * c.b.y};
}

float distance(Point point, Point a, Point b) {
    const float x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const float t =
        length > 0 ? std::clamp(((point.x - a.x) * x + (point.y - a.y) * y) / length, 0.f, 1.f) : 0;
    return std::hypot(point.x - a.x - t * x, point.y - a.y - t * y);
}

/// The distance of a point from a curve; beyond `most` where that is already certain.
float distance(Point point, const Curve& c, float most) {
    const auto [left, right] = std::minmax({c.a.x, c.control_a.x, c.control_b.x, c.b.x});
    const auto [top, bottom] = std::minmax({c.a.y, c.control_a.y, c.control_b.y, c.b.y});
    if (point.x < left - most || point.x > right + most || point.y < top - most ||
        point.y > bottom + most) {
        return most + 1;
    }
    constexpr int kPieces = 24;
    float least = most + 1;
    Point from = c.a;
    for (int i = 1; i <= kPieces; ++i) {
        const Point to = along(c, static_cast<float>(i) / kPieces);
        least = std::min(least, distance(point, from, to));
        from = to;
    }
    return least;
}

} // namespace

std::optional<GridSize> grid_size(const Tag& tag) {
    if (const auto* cells = std::get_if<tag::Cells>(&tag))
        return GridSize{cells->rows, cells->cols};
    if (const auto* strip = std::get_if<tag::Strip>(&tag))
        return GridSize{strip->rows, strip->cols};
    if (const auto* stripe = std::get_if<tag::Stripe>(&tag)) return GridSize{1, stripe->features};
    return std::nullopt;
}

std::optional<Hit> pick(const Figure& figure, Point point) {
    std::optional<Hit> link; // the nearest so far; what lies above links comes first
    float nearest = 0;
    for (auto it = figure.targets.rbegin(); it != figure.targets.rend(); ++it) {
        if (it->curve) {
            const float most = std::max(kNear, it->curve->width / 2 + 1);
            float away = distance(point, *it->curve, most);
            if (it->box.contains(point)) away = std::min(away, most);
            if (away > most || (link && away > nearest - kNearer)) continue;
            link = Hit{it->tag, it->box};
            nearest = away;
            continue;
        }
        if (!it->box.contains(point)) continue;
        if (link) return link;
        Hit hit{it->tag, it->box};
        const auto cell = [](float place, int count) {
            return std::clamp(static_cast<int>(place), 0, count - 1);
        };
        const auto grid = grid_size(it->tag);
        if (grid && grid->rows > 0 && grid->cols > 0) {
            const Viewport v = it->shown.value_or(whole(grid->rows, grid->cols));
            if (!it->as<tag::Stripe>())
                hit.row = cell(v.row + (point.y - it->box.y) / it->box.h * v.rows, grid->rows);
            hit.col = cell(v.col + (point.x - it->box.x) / it->box.w * v.cols, grid->cols);
        }
        return hit;
    }
    return link;
}

namespace {

/// Words of one line, separated by spaces; numbers to a tenth, and never "-0.0".
class DumpLine {
  public:
    explicit DumpLine(std::string_view word) : text_(word) {}

    DumpLine& word(std::string_view word) {
        text_ += ' ';
        text_ += word;
        return *this;
    }
    DumpLine& number(float value) {
        char buffer[64];
        const float rounded = std::round(value * 10) / 10 + 0.f;
        const auto end =
            std::to_chars(buffer, buffer + sizeof buffer, rounded, std::chars_format::fixed, 1);
        return word({buffer, static_cast<std::size_t>(end.ptr - buffer)});
    }
    DumpLine& point(Point p) { return number(p.x).number(p.y); }
    DumpLine& box(const Box& b) { return number(b.x).number(b.y).number(b.w).number(b.h); }
    DumpLine& shown(const Viewport& v) {
        return word("shown").number(v.row).number(v.col).number(v.rows).number(v.cols);
    }
    DumpLine& color(Color c) {
        constexpr char digits[] = "0123456789abcdef";
        std::string hex = "#";
        for (const std::uint8_t byte : {c.r, c.g, c.b, c.a}) {
            hex += digits[byte >> 4];
            hex += digits[byte & 15];
        }
        if (c.a == 255) hex.resize(7);
        return word(hex);
    }
    DumpLine& quoted(const std::string& text) { return word("\"" + text + "\""); }
    std::string end() { return std::move(text_) + "\n"; }

  private:
    std::string text_;
};

struct Dumper {
    std::string operator()(const Fill& f) const {
        return DumpLine("fill").box(f.box).color(f.color).number(f.radius).end();
    }
    std::string operator()(const Stroke& s) const {
        return DumpLine("stroke").box(s.box).color(s.color).number(s.width).number(s.radius).end();
    }
    std::string operator()(const Line& l) const {
        DumpLine line(l.dashed ? "dashed" : "line");
        line.color(l.color).number(l.width);
        for (const Point p : l.points) line.point(p);
        return line.end();
    }
    std::string operator()(const Curve& c) const {
        return DumpLine("curve")
            .point(c.a)
            .point(c.control_a)
            .point(c.control_b)
            .point(c.b)
            .color(c.color)
            .number(c.width)
            .end();
    }
    std::string operator()(const Text& t) const {
        constexpr std::string_view xs[] = {"left", "centre", "right"};
        constexpr std::string_view ys[] = {"top", "middle", "baseline", "bottom"};
        DumpLine line("text");
        line.point(t.at).number(t.style.size);
        line.word(t.style.font == Font::mono ? "mono" : "sans");
        if (t.style.weight == Weight::bold) line.word("bold");
        line.word(xs[static_cast<int>(t.align_x)]).word(ys[static_cast<int>(t.align_y)]);
        if (t.degrees != 0) line.word("turned").number(t.degrees);
        return line.color(t.color).quoted(t.text).end();
    }
    /// Few pixels are told one by one.
    std::string operator()(const Image& i) const {
        constexpr std::size_t kTold = 256;
        DumpLine line(i.smooth ? "image" : "cells");
        line.box(i.box);
        if (!i.pixels) return line.end();
        line.word(std::to_string(i.pixels->width) + "x" + std::to_string(i.pixels->height));
        const auto& rgba = i.pixels->rgba;
        for (std::size_t p = 0; !i.smooth && rgba.size() / 4 <= kTold && p < rgba.size(); p += 4) {
            line.color({rgba[p], rgba[p + 1], rgba[p + 2], rgba[p + 3]});
        }
        return line.end();
    }
    std::string operator()(const Heat& h) const {
        DumpLine line("heat");
        line.box(h.box);
        const Index rows = h.values ? h.values->rows() : 0, cols = h.values ? h.values->cols() : 0;
        line.word(std::to_string(rows) + "x" + std::to_string(cols)).word(name(h.palette));
        line.number(h.low).number(h.high);
        if (h.shown) line.shown(*h.shown);
        for (const Index row : h.hatched_rows) line.word("hatched").word(std::to_string(row));
        for (const CellRun& run : h.masked) {
            line.word("masked")
                .word(std::to_string(run.row))
                .word(":")
                .word(std::to_string(run.first) + "-" + std::to_string(run.last));
        }
        for (const bool of_rows : {true, false}) {
            for (const Veils::Run& run : of_rows ? h.veils.rows : h.veils.cols) {
                line.word(of_rows ? "veiled rows" : "veiled columns")
                    .word(std::to_string(run.first) + "-" + std::to_string(run.last));
            }
        }
        return line.end();
    }
};

/// A tag's name and numbers.
struct TagWords {
    std::string_view name;
    int first = 0, second = 0, third = 0;
};

struct TagTeller {
    TagWords operator()(const tag::Cells& t) const { return {"cells", t.rows, t.cols, t.part}; }
    TagWords operator()(const tag::Head& t) const { return {"head", t.layer, t.head}; }
    TagWords operator()(const tag::RowLabel& t) const { return {"row_label", t.query, 0, t.part}; }
    TagWords operator()(const tag::ColLabel& t) const { return {"col_label", t.key, 0, t.part}; }
    TagWords operator()(const tag::Link& t) const { return {"link", t.query, t.key, t.which}; }
    TagWords operator()(const tag::Stage& t) const { return {"stage", t.id}; }
    TagWords operator()(const tag::Bar& t) const { return {"bar", t.place, t.series, t.part}; }
    TagWords operator()(const tag::Control& t) const { return {"control", t.axis}; }
    TagWords operator()(const tag::Stripe& t) const {
        return {"stripe", t.of, t.features, t.which};
    }
    TagWords operator()(const tag::Node& t) const { return {"node", t.level, t.place}; }
    TagWords operator()(const tag::Square& t) const {
        return {"square", t.token, t.head, t.of_key ? 1 : 0};
    }
    TagWords operator()(const tag::Strip& t) const {
        return {"strip", t.rows, t.cols, static_cast<int>(t.of)};
    }
    TagWords operator()(const tag::Slot& t) const { return {"slot", t.place}; }
};

} // namespace

std::string dump(const Figure& figure) {
    std::string text = DumpLine("figure")
                           .number(figure.width)
                           .number(figure.height)
                           .color(figure.background)
                           .quoted(figure.title)
                           .end();
    for (const Primitive& item : figure.items) text += std::visit(Dumper{}, item);
    for (const Target& target : figure.targets) {
        DumpLine line("target");
        const TagWords tag = std::visit(TagTeller{}, target.tag);
        line.box(target.box).word(tag.name);
        line.word(std::to_string(tag.first)).word(std::to_string(tag.second));
        if (tag.third != 0) line.word(std::to_string(tag.third));
        if (target.shown) line.shown(*target.shown);
        text += line.end();
    }
    return text;
}

} // namespace heed::figure
