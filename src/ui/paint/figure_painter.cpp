#include "ui/paint/figure_painter.hpp"

#include "figure/base/levels.hpp"
#include "figure/base/pen.hpp"
#include "figure/base/viewport.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::ui {

using figure::Box;
using figure::Point;

ImU32 packed(figure::Color color, float opacity) {
    const auto alpha = static_cast<unsigned>(std::lround(static_cast<float>(color.a) * opacity));
    return IM_COL32(color.r, color.g, color.b, alpha);
}

struct FigurePainter::Canvas {
    ImDrawList& list;
    ImVec2 origin;
    float scale;
    ImVec2 clip_low, clip_high;

    ImVec2 at(Point p) const { return {origin.x + p.x * scale, origin.y + p.y * scale}; }
    /// Edges on whole pixels: neighbours then meet without a seam, and hairlines stay hairlines.
    ImVec2 snapped(Point p) const {
        return {std::round(origin.x + p.x * scale), std::round(origin.y + p.y * scale)};
    }
    bool sees(ImVec2 low, ImVec2 high) const {
        return high.x >= clip_low.x && low.x <= clip_high.x && high.y >= clip_low.y &&
               low.y <= clip_high.y;
    }
};

void FigurePainter::paint(const figure::Figure& figure, ImDrawList& list, ImVec2 origin,
                          float scale) {
    const Canvas canvas{list, origin, scale, list.GetClipRectMin(), list.GetClipRectMax()};
    for (const figure::Primitive& item : figure.items) {
        std::visit([&](const auto& primitive) { draw(primitive, canvas); }, item);
    }
}

void FigurePainter::text(const figure::Text& text, ImDrawList& list, ImVec2 origin, float scale) {
    draw(text, Canvas{list, origin, scale, list.GetClipRectMin(), list.GetClipRectMax()});
}

void FigurePainter::draw(const figure::Fill& fill, const Canvas& c) {
    const ImVec2 low = c.snapped({fill.box.x, fill.box.y});
    ImVec2 high = c.snapped({fill.box.x + fill.box.w, fill.box.y + fill.box.h});
    if (fill.box.w > 0 && high.x - low.x < 1) high.x = low.x + 1; // a thin bar does not vanish
    if (fill.box.h > 0 && high.y - low.y < 1) high.y = low.y + 1;
    if (!c.sees(low, high)) return;
    const float radius = fill.radius * c.scale;
    if (fill.box.w == fill.box.h && 2 * fill.radius >= fill.box.w) { // a box would keep corners
        const ImVec2 middle((low.x + high.x) / 2, (low.y + high.y) / 2);
        return c.list.AddCircleFilled(middle, radius, packed(fill.color), 0);
    }
    c.list.AddRectFilled(low, high, packed(fill.color), radius);
}

void FigurePainter::draw(const figure::Stroke& stroke, const Canvas& c) {
    const ImVec2 low = c.snapped({stroke.box.x, stroke.box.y});
    const ImVec2 high = c.snapped({stroke.box.x + stroke.box.w, stroke.box.y + stroke.box.h});
    if (!c.sees(low, high)) return;
    const float width = std::max(1.0f, std::round(stroke.width * c.scale));
    shim::outline(c.list, low, high, packed(stroke.color), stroke.radius * c.scale, width);
}

namespace {

/// `on` and `off` in pixels.
void dashes(ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 color, float width, float on, float off) {
    const float dx = b.x - a.x, dy = b.y - a.y;
    const float length = std::hypot(dx, dy);
    if (length <= 0) return;
    for (float from = 0; from < length; from += on + off) {
        const float to = std::min(from + on, length);
        list.AddLine({a.x + dx * from / length, a.y + dy * from / length},
                     {a.x + dx * to / length, a.y + dy * to / length}, color, width);
    }
}

} // namespace

namespace {

/// True where a line turns by more than a right angle at its second point.
bool turns_back(ImVec2 before, ImVec2 at, ImVec2 after) {
    return (at.x - before.x) * (after.x - at.x) + (at.y - before.y) * (after.y - at.y) < 0;
}

/// True of a line of few corners; curves of many points keep their exact places.
bool is_wire(const figure::Line& line) { return line.points.size() > 2 && line.points.size() < 9; }

/// Moves a point of a wire so that its upright and level pieces lie on whole pixels.
void on_pixels(const std::vector<Point>& points, std::size_t i, float width, ImVec2& at) {
    const float half = std::lround(width) % 2 == 1 ? 0.5f : 0;
    const auto shares = [&](auto axis) {
        const float own = axis(points[i]);
        return (i > 0 && axis(points[i - 1]) == own) ||
               (i + 1 < points.size() && axis(points[i + 1]) == own);
    };
    if (shares([](Point p) { return p.x; })) at.x = std::round(at.x) + half;
    if (shares([](Point p) { return p.y; })) at.y = std::round(at.y) + half;
}

} // namespace

void FigurePainter::draw(const figure::Line& line, const Canvas& c) {
    if (line.points.size() < 2) return;
    const float width = std::max(line.width * c.scale, 1.0f);
    // Rules along an axis sit on whole pixels; sloped lines keep their exact places.
    if (line.points.size() == 2) {
        const Point a = line.points[0], b = line.points[1];
        if ((a.x == b.x || a.y == b.y) && !line.dashed) {
            const float whole = std::max(1.0f, std::round(width));
            ImVec2 low = c.snapped({std::min(a.x, b.x), std::min(a.y, b.y)});
            ImVec2 high = c.snapped({std::max(a.x, b.x), std::max(a.y, b.y)});
            if (a.x == b.x) {
                low.x -= std::floor(whole / 2);
                high.x = low.x + whole;
            } else {
                low.y -= std::floor(whole / 2);
                high.y = low.y + whole;
            }
            if (c.sees(low, high)) c.list.AddRectFilled(low, high, packed(line.color));
            return;
        }
    }
    if (line.dashed) {
        const figure::Dashes lengths = figure::dashes(line.width);
        for (std::size_t i = 1; i < line.points.size(); ++i) {
            dashes(c.list, c.at(line.points[i - 1]), c.at(line.points[i]), packed(line.color),
                   width, lengths.on * c.scale, lengths.off * c.scale);
        }
        return;
    }
    std::vector<ImVec2> points;
    points.reserve(line.points.size());
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        points.push_back(c.at(line.points[i]));
        if (is_wire(line)) on_pixels(line.points, i, width, points.back());
        const std::size_t n = points.size();
        if (n < 3 || !turns_back(points[n - 3], points[n - 2], points[n - 1])) continue;
        // A mitre there would reach far beyond the corner, which is a value.
        const ImVec2 corner = points[n - 2], next = points[n - 1];
        points.pop_back();
        shim::polyline(c.list, points, packed(line.color), false, width);
        points = {corner, next};
    }
    shim::polyline(c.list, points, packed(line.color), false, width);
}

void FigurePainter::draw(const figure::Curve& curve, const Canvas& c) {
    const ImVec2 a = c.at(curve.a), b = c.at(curve.b);
    const ImVec2 p = c.at(curve.control_a), q = c.at(curve.control_b);
    const ImVec2 low(std::min({a.x, b.x, p.x, q.x}), std::min({a.y, b.y, p.y, q.y}));
    const ImVec2 high(std::max({a.x, b.x, p.x, q.x}), std::max({a.y, b.y, p.y, q.y}));
    if (!c.sees(low, high)) return;
    // Lines of whole pixels are drawn with a third of the triangles that others take. The opacity
    // makes up for the width: there is as much ink.
    const float width = std::max(curve.width * c.scale, 0.5f);
    const float whole = std::max(std::round(width), 1.0f);
    const float opacity = std::min(width / whole, 255.0f / std::max<float>(curve.color.a, 1));
    c.list.AddBezierCubic(a, p, q, b, packed(curve.color, opacity), whole, 0);
}

void FigurePainter::draw(const figure::Text& text, const Canvas& c) {
    if (text.text.empty()) return;
    const Label& label = labels_.get(text.text, text.style, c.scale, text.color);
    if (label.page == 0) return;
    const Point baseline = figure::baseline_offset(label.extent, text.align_x, text.align_y);
    const float x = baseline.x * c.scale - label.origin_x;
    const float y = baseline.y * c.scale - label.origin_y;
    const float w = static_cast<float>(label.width), h = static_cast<float>(label.height);
    const ImVec2 anchor = c.at(text.at);
    const ImU32 color = label.coloured ? IM_COL32(255, 255, 255, text.color.a) : packed(text.color);
    const ImTextureID page = shim::texture(label.page);
    if (text.degrees == 0) {
        // Upright text is drawn texel on pixel: nothing blurs it.
        const ImVec2 low(std::round(anchor.x + x), std::round(anchor.y + y));
        if (!c.sees(low, {low.x + w, low.y + h})) return;
        c.list.AddImage(page, low, {low.x + w, low.y + h}, {label.u0, label.v0},
                        {label.u1, label.v1}, color);
        return;
    }
    const float angle = text.degrees * std::numbers::pi_v<float> / 180;
    const float cosine = std::cos(angle), sine = std::sin(angle);
    const auto turned = [&](float px, float py) {
        return ImVec2(anchor.x + px * cosine - py * sine, anchor.y + px * sine + py * cosine);
    };
    c.list.AddImageQuad(page, turned(x, y), turned(x + w, y), turned(x + w, y + h),
                        turned(x, y + h), {label.u0, label.v0}, {label.u1, label.v0},
                        {label.u1, label.v1}, {label.u0, label.v1}, color);
}

namespace {

/// Cells without the shaders: one rectangle each. Slow for large maps, right for all.
void cells_as_rectangles(ImDrawList& list, const HeatJob& job) {
    const auto& values = *job.values;
    const Box& box = job.box;
    list.PushClipRect({box.x, box.y}, {box.x + box.w, box.y + box.h}, true);
    const float w = box.w / job.shown.cols, h = box.h / job.shown.rows;
    const auto last = [](float end, figure::Index all) {
        return std::min(all, static_cast<figure::Index>(std::ceil(end)));
    };
    const figure::Index row_end = last(job.shown.row + job.shown.rows, values.rows());
    const figure::Index col_end = last(job.shown.col + job.shown.cols, values.cols());
    const auto edge = [](float from, figure::Index i, float first, float side) {
        return std::round(from + (static_cast<float>(i) - first) * side);
    };
    for (auto r = static_cast<figure::Index>(job.shown.row); r < row_end; ++r) {
        const float top = edge(box.y, r, job.shown.row, h);
        const float bottom = edge(box.y, r + 1, job.shown.row, h);
        for (auto k = static_cast<figure::Index>(job.shown.col); k < col_end && bottom > top; ++k) {
            const float left = edge(box.x, k, job.shown.col, w);
            const float right = edge(box.x, k + 1, job.shown.col, w);
            if (right <= left) continue;
            list.AddRectFilled(
                {left, top}, {right, bottom},
                packed(figure::colour_of(job.palette, values(r, k), job.low, job.high)));
        }
    }
    list.PopClipRect();
}

/// Stripes on one raster for the whole picture, so that rows meet.
void hatch(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 color, float spacing, float width) {
    list.PushClipRect(low, high, true);
    const float height = high.y - low.y;
    const float first = std::ceil((low.x + low.y) / spacing) * spacing - high.y;
    const float past = width; // beyond the clip: slanted ends would leave notches
    for (float x = first; x < high.x; x += spacing) {
        list.AddLine({x - past, high.y + past}, {x + height + past, low.y - past}, color, width);
    }
    list.PopClipRect();
}

} // namespace

void FigurePainter::draw(const figure::Heat& heat, const Canvas& c) {
    if (!heat.values || heat.values->size() == 0) return;
    const ImVec2 low = c.snapped({heat.box.x, heat.box.y});
    const ImVec2 high = c.snapped({heat.box.x + heat.box.w, heat.box.y + heat.box.h});
    if (!c.sees(low, high) || high.x <= low.x || high.y <= low.y) return;
    const figure::Viewport shown = figure::shown(heat);
    const float cell = std::max((high.x - low.x) / shown.cols, (high.y - low.y) / shown.rows);
    const figure::Level level = figure::level_for(heat.values, heat.levels.get(), cell);
    const auto of = static_cast<float>(level.cells);
    const HeatJob job{level.values,
                      heat.palette,
                      heat.low,
                      heat.high,
                      {low.x, low.y, high.x - low.x, high.y - low.y},
                      {shown.row / of, shown.col / of, shown.rows / of, shown.cols / of}};
    if (!renderer_.add_heat(c.list, job)) cells_as_rectangles(c.list, job);
    for (const figure::Box& box : figure::veil_boxes(heat)) {
        c.list.AddRectFilled(c.snapped({box.x, box.y}), c.snapped({box.x + box.w, box.y + box.h}),
                             packed(heat.veils.color));
    }
    for (const figure::HatchedBox& row : figure::hatched_boxes(heat)) {
        const ImVec2 from = c.snapped({row.box.x, row.box.y});
        const ImVec2 to = c.snapped({row.box.x + row.box.w, row.box.y + row.box.h});
        if (to.x <= from.x || to.y <= from.y || !c.sees(from, to)) continue;
        if (row.ground) c.list.AddRectFilled(from, to, packed(*row.ground));
        if (!row.hatched) continue;
        hatch(c.list, from, to, packed(row.pen.color), row.pen.spacing * c.scale,
              row.pen.width * c.scale);
    }
}

namespace {

/// One rectangle a pixel, with edges on whole pixels of the screen.
void pixels_as_rectangles(ImDrawList& list, const figure::Pixels& pixels, ImVec2 low, ImVec2 high) {
    const auto edge = [](float from, float to, int i, int count) {
        return std::round(from + (to - from) * static_cast<float>(i) / static_cast<float>(count));
    };
    const std::uint8_t* rgba = pixels.rgba.data();
    for (int y = 0; y < pixels.height; ++y) {
        const float top = edge(low.y, high.y, y, pixels.height);
        const float bottom = edge(low.y, high.y, y + 1, pixels.height);
        for (int x = 0; x < pixels.width; ++x, rgba += 4) {
            if (rgba[3] == 0) continue;
            list.AddRectFilled({edge(low.x, high.x, x, pixels.width), top},
                               {edge(low.x, high.x, x + 1, pixels.width), bottom},
                               IM_COL32(rgba[0], rgba[1], rgba[2], rgba[3]));
        }
    }
}

} // namespace

void FigurePainter::draw(const figure::Image& image, const Canvas& c) {
    if (!image.pixels || image.pixels->rgba.empty()) return;
    const ImVec2 low = c.snapped({image.box.x, image.box.y});
    const ImVec2 high = c.snapped({image.box.x + image.box.w, image.box.y + image.box.h});
    if (!c.sees(low, high) || high.x <= low.x || high.y <= low.y) return;
    if (!image.smooth) return pixels_as_rectangles(c.list, *image.pixels, low, high);
    c.list.AddImage(shim::texture(images_.texture_of(image.pixels)), low, high);
}

} // namespace heed::ui
