#include "files/verbs.hpp"

#include "figure/base/palette.hpp"
#include "figure/base/pen.hpp"
#include "figure/base/value_range.hpp"
#include "figure/base/viewport.hpp"
#include "files/plain_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace heed::files {
namespace {

using figure::Box;
using figure::Color;
using figure::Index;
using figure::Point;

constexpr float kFar = 100'000; // beyond it Cairo's fixed-point places overflow

bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }
Point near(Point p) { return {std::clamp(p.x, -kFar, kFar), std::clamp(p.y, -kFar, kFar)}; }

bool drawable(const Box& box) {
    return finite({box.x, box.y}) && finite({box.w, box.h}) && box.w > 0 && box.h > 0;
}
Box near(const Box& box) {
    const Point a = near(Point{box.x, box.y});
    const Point b = near(Point{box.x + box.w, box.y + box.h});
    return {a.x, a.y, b.x - a.x, b.y - a.y};
}
bool drawable(float width, Color color) { return std::isfinite(width) && width > 0 && color.a > 0; }
float fitting_radius(float radius, const Box& box) {
    if (!(radius > 0)) return 0; // NaN too
    return std::min({radius, box.w / 2, box.h / 2});
}

std::uint32_t rgb(Color c) {
    return std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | std::uint32_t{c.b};
}

/// Stripes that rise to the right, on one raster for the whole picture so that rows meet.
std::vector<Segment> stripes_across(const Box& box, float spacing) {
    const float right = box.x + box.w, bottom = box.y + box.h;
    constexpr float kMostStripes = 10'000;
    spacing = std::max(spacing, (box.w + box.h) / kMostStripes);
    std::vector<Segment> stripes;
    const auto first = static_cast<long>(std::ceil((box.x + box.y) / spacing));
    const auto last = static_cast<long>(std::floor((right + bottom) / spacing));
    for (long k = first; k <= last; ++k) {
        const float c = static_cast<float>(k) * spacing; // x + y along a stripe
        const Segment stripe{{std::max(box.x, c - bottom), std::min(bottom, c - box.x)},
                             {std::min(right, c - box.y), std::max(box.y, c - right)}};
        if (stripe.b.x > stripe.a.x) stripes.push_back(stripe);
    }
    return stripes;
}

/// The cells of a heat grid that can be seen, with their colours looked up. Where cells are smaller
/// than a point, blocks of them are drawn by their strongest value, so that no peak falls between
/// two pixels and no file holds what nobody can see. Veils are mixed in: some readers draw an image
/// over every pixel that it touches, and one beyond a veil would have its whole colour.
Cells cells_of(const figure::Heat& heat) {
    const auto& values = *heat.values;
    const figure::CellRange seen = figure::cells_seen(heat);
    const Box first = figure::cell_box(heat.box, figure::shown(heat), seen.row, seen.col);
    const auto block = [](float side) {
        return std::max<Index>(1, static_cast<Index>(1 / std::max(side, 1e-4f)));
    };
    const Index tall = block(first.h), wide = block(first.w);
    const Index rows = seen.row_end - seen.row, cols = seen.col_end - seen.col;
    const figure::Matrix<float> part = values.block(seen.row, seen.col, rows, cols);
    const figure::Matrix<float> drawn =
        tall * wide > 1 ? figure::strongest_of_blocks(part, tall, wide) : part;
    const Box box{first.x, first.y, first.w * static_cast<float>(wide * drawn.cols()),
                  first.h * static_cast<float>(tall * drawn.rows())};
    Cells cells{near(box), drawn.rows(), drawn.cols(), {}, {}};
    const bool whole = rows == values.rows() && cols == values.cols();
    if (!whole || tall * wide > 1) cells.clip = near(heat.box);
    if (whole && tall * wide == 1) cells.box = near(heat.box);
    cells.rgb.reserve(static_cast<std::size_t>(drawn.size()));
    for (Index row = 0; row < drawn.rows(); ++row) {
        for (Index col = 0; col < drawn.cols(); ++col) {
            const figure::Color color =
                figure::colour_of(heat.palette, drawn(row, col), heat.low, heat.high);
            const int veils =
                figure::veils_over(heat, seen.row + row * tall, seen.col + col * wide);
            cells.rgb.push_back(rgb(figure::veiled(color, heat.veils, veils)));
        }
    }
    return cells;
}

class Walk {
  public:
    explicit Walk(Verbs& verbs) : verbs_(verbs) {}

    void operator()(const figure::Fill& fill) const {
        if (!drawable(fill.box) || fill.color.a == 0) return;
        const Box box = near(fill.box);
        verbs_.fill(box, fitting_radius(fill.radius, box), fill.color);
    }

    void operator()(const figure::Stroke& stroke) const {
        if (!drawable(stroke.box) || !drawable(stroke.width, stroke.color)) return;
        const Box box = near(stroke.box);
        const float radius = fitting_radius(stroke.radius, box);
        if (2 * stroke.width >= std::min(box.w, box.h)) { // no room for an inside
            verbs_.fill(box, radius, stroke.color);
            return;
        }
        const float half = stroke.width / 2;
        verbs_.outline({box.x + half, box.y + half, box.w - stroke.width, box.h - stroke.width},
                       std::max(0.0f, radius - half), stroke.width, stroke.color);
    }

    void operator()(const figure::Line& line) const {
        if (!drawable(line.width, line.color)) return;
        std::vector<Point> piece;
        const auto draw_piece = [&] {
            if (piece.size() >= 2) verbs_.line(piece, line);
            piece.clear();
        };
        for (const Point p : line.points) {
            if (finite(p))
                piece.push_back(near(p));
            else
                draw_piece();
        }
        draw_piece();
    }

    void operator()(const figure::Curve& curve) const {
        if (!drawable(curve.width, curve.color)) return;
        if (!finite(curve.a) || !finite(curve.control_a) || !finite(curve.control_b) ||
            !finite(curve.b))
            return;
        figure::Curve placed = curve;
        for (Point* p : {&placed.a, &placed.control_a, &placed.control_b, &placed.b}) *p = near(*p);
        verbs_.curve(placed);
    }

    void operator()(const figure::Text& text) const {
        if (!finite(text.at) || !std::isfinite(text.degrees)) return;
        if (!drawable(text.style.size, text.color)) return;
        figure::Text placed = text;
        placed.text = plain_line(text.text);
        placed.at = near(text.at);
        placed.style.size = std::min(text.style.size, 10'000.0f);
        if (!placed.text.empty()) verbs_.text(placed);
    }

    void operator()(const figure::Heat& heat) const {
        if (!heat.values || heat.values->size() == 0 || !drawable(heat.box)) return;
        verbs_.cells(cells_of(heat));
        for (const figure::HatchedBox& row : figure::hatched_boxes(heat)) {
            const Box box = near(row.box);
            if (!drawable(box)) continue;
            if (row.ground) verbs_.fill(box, 0, *row.ground);
            if (!row.hatched) continue;
            verbs_.segments(stripes_across(box, row.pen.spacing), row.pen.width, row.pen.color);
        }
    }

    void operator()(const figure::Image& image) const {
        if (!image.pixels || image.pixels->rgba.empty() || !drawable(image.box)) return;
        verbs_.image({near(image.box), image.pixels, image.smooth});
    }

  private:
    Verbs& verbs_;
};

} // namespace

void walk(const figure::Figure& figure, Verbs& verbs) {
    const Walk visit(verbs);
    for (const figure::Primitive& item : figure.items) std::visit(visit, item);
}

} // namespace heed::files
