// The painter of PNG and PDF: a figure on a Cairo canvas.
#pragma once

#include "figure/text_layout.hpp"
#include "files/verbs.hpp"

namespace heed::files {

enum class Medium { pixels, page };

/// Draws in the canvas's own transform: one user unit is a point. On pixels the border of a heat
/// grid is as sharp as its cells.
class CanvasVerbs final : public Verbs {
  public:
    CanvasVerbs(cairo_t* canvas, Medium medium) : canvas_(canvas), medium_(medium) {}

    void fill(const figure::Box& box, float radius, figure::Color color) override;
    void outline(const figure::Box& box, float radius, float width, figure::Color color) override;
    void line(std::span<const figure::Point> points, const figure::Line& style) override;
    void curve(const figure::Curve& curve) override;
    void segments(std::span<const Segment> segments, float width, figure::Color color) override;
    void text(const figure::Text& text) override;
    void cells(const Cells& cells) override;

  private:
    void ink(figure::Color color);
    void trace(const figure::Box& box, float radius);
    void stroke(float width, figure::Color color);

    cairo_t* canvas_;
    Medium medium_;
};

} // namespace heed::files
