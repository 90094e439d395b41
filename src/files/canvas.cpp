#include "files/canvas.hpp"

#include "figure/base/pen.hpp"
#include "figure/base/script.hpp"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace heed::files {
namespace {

constexpr double kPi = std::numbers::pi;

struct DestroySurface {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};

/// Draws a line as a picture fine enough for print: a page has one pixel a point for the pictures
/// that letters of emoji are.
void show_as_picture(const figure::TextLayout& layout, cairo_t* page) {
    constexpr double kPixels = 6; // a point, 432 an inch
    const figure::Extent extent = layout.extent();
    const double up = 1.5 * extent.ascent, high = up + 2.0 * extent.descent;
    const std::unique_ptr<cairo_surface_t, DestroySurface> picture(cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(extent.width * kPixels)) + 1,
        static_cast<int>(std::ceil(high * kPixels))));
    cairo_t* upon = cairo_create(picture.get());
    cairo_scale(upon, kPixels, kPixels);
    cairo_translate(upon, 0, up);
    cairo_set_source(upon, cairo_get_source(page));
    layout.show(upon);
    cairo_destroy(upon);
    cairo_translate(page, 0, -up);
    cairo_scale(page, 1 / kPixels, 1 / kPixels);
    cairo_set_source_surface(page, picture.get(), 0, 0);
    cairo_paint(page);
}

} // namespace

/// The box with its edges between pixels; one that is thinner than a pixel stays as thin as it is.
figure::Box CanvasVerbs::on_grid(const figure::Box& box) const {
    if (grid_ == 0 || box.w * grid_ < 1 || box.h * grid_ < 1) return box;
    const auto snap = [&](float at) { return static_cast<float>(std::round(at * grid_) / grid_); };
    const float left = snap(box.x), top = snap(box.y);
    return {left, top, snap(box.x + box.w) - left, snap(box.y + box.h) - top};
}

float CanvasVerbs::whole_pixels(float width) const {
    if (grid_ == 0) return width;
    return static_cast<float>(std::max(1.0, std::round(width * grid_)) / grid_);
}

void CanvasVerbs::ink(figure::Color color) {
    cairo_set_source_rgba(canvas_, color.r / 255.0, color.g / 255.0, color.b / 255.0,
                          color.a / 255.0);
}

void CanvasVerbs::trace(const figure::Box& box, float radius) {
    cairo_new_path(canvas_);
    if (radius <= 0) {
        cairo_rectangle(canvas_, box.x, box.y, box.w, box.h);
        return;
    }
    const double r = radius;
    const double left = box.x + r, right = box.x + box.w - r;
    const double top = box.y + r, bottom = box.y + box.h - r;
    cairo_arc(canvas_, right, top, r, -kPi / 2, 0);
    cairo_arc(canvas_, right, bottom, r, 0, kPi / 2);
    cairo_arc(canvas_, left, bottom, r, kPi / 2, kPi);
    cairo_arc(canvas_, left, top, r, kPi, 3 * kPi / 2);
    cairo_close_path(canvas_);
}

void CanvasVerbs::stroke(float width, figure::Color color) {
    ink(color);
    cairo_set_line_width(canvas_, width);
    cairo_set_line_join(canvas_, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(canvas_);
}

void CanvasVerbs::fill(const figure::Box& box, float radius, figure::Color color) {
    trace(on_grid(box), radius);
    ink(color);
    cairo_fill(canvas_);
}

void CanvasVerbs::outline(const figure::Box& box, float radius, float width, figure::Color color) {
    const float pen = whole_pixels(width);
    const figure::Box outer =
        on_grid({box.x - width / 2, box.y - width / 2, box.w + width, box.h + width});
    trace({outer.x + pen / 2, outer.y + pen / 2, outer.w - pen, outer.h - pen}, radius);
    ink(color);
    cairo_set_line_width(canvas_, pen);
    cairo_set_line_join(canvas_, CAIRO_LINE_JOIN_MITER);
    cairo_stroke(canvas_);
}

void CanvasVerbs::line(std::span<const figure::Point> points, const figure::Line& style) {
    const bool upright = points.size() == 2 && points[0].x == points[1].x;
    const bool level = points.size() == 2 && points[0].y == points[1].y;
    const float pen = upright || level ? whole_pixels(style.width) : style.width;
    const auto snap = [&](float at, bool across) { // the pen's edge, or the line's end
        if (grid_ == 0 || !(upright || level)) return static_cast<double>(at);
        const double pixel = std::round(at * grid_);
        const double wide = std::round(pen * grid_);
        return (across ? pixel - std::floor(wide / 2) + wide / 2 : pixel) / grid_;
    };
    cairo_new_path(canvas_);
    for (const figure::Point p : points)
        cairo_line_to(canvas_, snap(p.x, upright), snap(p.y, level));
    if (style.dashed) {
        const figure::Dashes d = figure::dashes(style.width);
        const double lengths[] = {d.on, d.off};
        cairo_set_dash(canvas_, lengths, 2, 0);
    }
    stroke(pen, style.color);
    cairo_set_dash(canvas_, nullptr, 0, 0);
}

void CanvasVerbs::curve(const figure::Curve& c) {
    cairo_new_path(canvas_);
    cairo_move_to(canvas_, c.a.x, c.a.y);
    cairo_curve_to(canvas_, c.control_a.x, c.control_a.y, c.control_b.x, c.control_b.y, c.b.x,
                   c.b.y);
    stroke(c.width, c.color);
}

void CanvasVerbs::segments(std::span<const Segment> segments, float width, figure::Color color) {
    cairo_new_path(canvas_);
    for (const Segment& s : segments) {
        cairo_move_to(canvas_, s.a.x, s.a.y);
        cairo_line_to(canvas_, s.b.x, s.b.y);
    }
    stroke(width, color);
}

void CanvasVerbs::text(const figure::Text& text) {
    const figure::FontsInUse held; // until the canvas has let go of the font
    const figure::TextLayout layout(text.text, text.style);
    const figure::Point start =
        figure::baseline_offset(layout.extent(), text.align_x, text.align_y);
    cairo_save(canvas_);
    cairo_translate(canvas_, text.at.x, text.at.y);
    if (text.degrees != 0) cairo_rotate(canvas_, text.degrees * kPi / 180);
    cairo_translate(canvas_, start.x, start.y);
    ink(text.color);
    const bool on_page = grid_ == 0;
    constexpr float kLongest = 5000; // points, of a picture
    if (on_page && figure::has_emoji(text.text) && layout.extent().width < kLongest) {
        show_as_picture(layout, canvas_);
    } else {
        layout.show(canvas_);
    }
    cairo_restore(canvas_);
}

void CanvasVerbs::cells(const Cells& cells) {
    const std::unique_ptr<cairo_surface_t, DestroySurface> image(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(cells.cols), static_cast<int>(cells.rows)));
    unsigned char* pixels = cairo_image_surface_get_data(image.get());
    // Without memory for it the image is in error, and so is a canvas that is given it: the painter
    // asks the canvas at the end.
    const int stride = cairo_image_surface_get_stride(image.get());
    for (figure::Index i = 0; pixels && i < cells.rows; ++i) {
        auto* row = reinterpret_cast<std::uint32_t*>(pixels + i * stride);
        for (figure::Index j = 0; j < cells.cols; ++j)
            row[j] = cells.rgb[static_cast<std::size_t>(i * cells.cols + j)];
    }
    cairo_surface_mark_dirty(image.get());

    const figure::Box seen = cells.clip ? on_grid(*cells.clip) : cells.box;
    spread(image.get(), static_cast<double>(cells.cols), static_cast<double>(cells.rows), cells.box,
           seen, false);
}

void CanvasVerbs::image(const figure::Image& image) {
    const figure::Pixels& from = *image.pixels;
    const std::unique_ptr<cairo_surface_t, DestroySurface> surface(
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, from.width, from.height));
    unsigned char* pixels = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; pixels && y < from.height; ++y) {
        auto* row =
            reinterpret_cast<std::uint32_t*>(pixels + static_cast<std::ptrdiff_t>(y) * stride);
        const std::uint8_t* rgba =
            from.rgba.data() + static_cast<std::ptrdiff_t>(y) * from.width * 4;
        for (int x = 0; x < from.width; ++x, rgba += 4) {
            const std::uint32_t a = rgba[3];
            const auto times = [&](std::uint32_t c) { return (c * a + 127) / 255; };
            row[x] = a << 24 | times(rgba[0]) << 16 | times(rgba[1]) << 8 | times(rgba[2]);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    const figure::Box box = on_grid(image.box);
    spread(surface.get(), from.width, from.height, box, box, image.smooth);
}

void CanvasVerbs::spread(cairo_surface_t* surface, double cols, double rows, const figure::Box& box,
                         const figure::Box& seen, bool smooth) {
    cairo_save(canvas_);
    // Without it, a border between two pixels would be mixed with what lies below.
    cairo_set_antialias(canvas_, CAIRO_ANTIALIAS_NONE);
    cairo_new_path(canvas_);
    cairo_rectangle(canvas_, seen.x, seen.y, seen.w, seen.h);
    cairo_set_source_surface(canvas_, surface, 0, 0);
    cairo_pattern_t* pattern = cairo_get_source(canvas_);
    cairo_matrix_t to_cells;
    cairo_matrix_init_scale(&to_cells, cols / box.w, rows / box.h);
    cairo_matrix_translate(&to_cells, -box.x, -box.y);
    cairo_pattern_set_matrix(pattern, &to_cells);
    cairo_pattern_set_filter(pattern, smooth ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
    // Rounding may ask for a pixel just outside; on a page there are no pixels to round to.
    if (grid_ > 0 || smooth) cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD);
    cairo_fill(canvas_);
    cairo_restore(canvas_);
}

} // namespace heed::files
