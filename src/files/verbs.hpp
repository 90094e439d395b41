// The verbs of a painter of files, and the one walk through a figure that asks for them.
#pragma once

#include "figure/base/figure.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::files {

struct Segment {
    figure::Point a, b;
};

/// A heat grid with its colours looked up.
struct Cells {
    figure::Box box;
    figure::Index rows, cols;       // at least 1
    std::vector<std::uint32_t> rgb; // rows × cols, 0xRRGGBB
    /// The part of the box that is seen, where the grid reaches beyond.
    std::optional<figure::Box> clip{};
};

/// A handful of verbs. What they are given is visible, finite and no further than 100 000 points
/// from the origin.
class Verbs {
  public:
    virtual ~Verbs() = default;
    virtual void fill(const figure::Box& box, float radius, figure::Color color) = 0;
    /// The middle of the pen runs along the box.
    virtual void outline(const figure::Box& box, float radius, float width,
                         figure::Color color) = 0;
    virtual void line(std::span<const figure::Point> points, const figure::Line& style) = 0;
    virtual void curve(const figure::Curve& curve) = 0;
    virtual void segments(std::span<const Segment> segments, float width, figure::Color color) = 0;
    virtual void text(const figure::Text& text) = 0; // a plain line, not empty
    virtual void cells(const Cells& cells) = 0;
    virtual void image(const figure::Image& image) = 0; // of at least one pixel
};

/// Asks for every primitive in order. What cannot be seen (no colour, no size, a place that is no
/// number) is left out; a line is cut where one of its points is no number.
void walk(const figure::Figure& figure, Verbs& verbs);

} // namespace heed::files
