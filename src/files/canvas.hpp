// The painter of PNG and PDF: a figure on a Cairo canvas.
#pragma once

#include "figure/base/text_layout.hpp"
#include "files/verbs.hpp"

typedef struct _cairo_surface cairo_surface_t; // as cairo.h has it

namespace heed::files {

/// Draws in the canvas's own transform, which only scales: one user unit is a point. On pixels,
/// boxes and the lines along an axis lie upon whole pixels, as in the window, and the border of a
/// heat grid is as sharp as its cells.
class CanvasVerbs final : public Verbs {
  public:
    /// `pixels_per_point` is 0 on a page, which has no pixels.
    CanvasVerbs(cairo_t* canvas, float pixels_per_point)
        : canvas_(canvas), grid_(pixels_per_point) {}

    void fill(const figure::Box& box, float radius, figure::Color color) override;
    void outline(const figure::Box& box, float radius, float width, figure::Color color) override;
    void line(std::span<const figure::Point> points, const figure::Line& style) override;
    void curve(const figure::Curve& curve) override;
    void segments(std::span<const Segment> segments, float width, figure::Color color) override;
    void text(const figure::Text& text) override;
    void cells(const Cells& cells) override;
    void image(const figure::Image& image) override;

  private:
    figure::Box on_grid(const figure::Box& box) const;
    float whole_pixels(float width) const;
    void ink(figure::Color color);
    /// A surface of so many pixels, spread over `box` where it is seen.
    void spread(cairo_surface_t* surface, double cols, double rows, const figure::Box& box,
                const figure::Box& seen, bool smooth);
    void trace(const figure::Box& box, float radius);
    void stroke(float width, figure::Color color);

    cairo_t* canvas_;
    double grid_;
};

} // namespace heed::files
