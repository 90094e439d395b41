// A picture as data: primitives with resolved places, in points (1/72 inch on paper, one pixel at
// scale 1 on a screen), y downward. The same figure is painted in the window and written to files.
#pragma once

#include "figure/base/palette.hpp"
#include "figure/base/tag.hpp"
#include "num/matrix.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heed::figure {

using num::Index;
using num::Matrix;

struct Point {
    float x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Box {
    float x = 0, y = 0, w = 0, h = 0;
    bool operator==(const Box&) const = default;
    bool contains(Point p) const { return p.x >= x && p.x < x + w && p.y >= y && p.y < y + h; }
};

enum class Font { sans, mono };
enum class Weight { regular, bold };

struct TextStyle {
    float size = 12; // points
    Font font = Font::sans;
    Weight weight = Weight::regular;
    bool operator==(const TextStyle&) const = default;
};

enum class AlignX { left, centre, right };
enum class AlignY { top, middle, baseline, bottom };

struct Fill { // a filled box, corners rounded by radius
    Box box;
    Color color;
    float radius = 0;
};
struct Stroke { // the outline of a box, drawn inside it
    Box box;
    Color color;
    float width = 1;
    float radius = 0;
};
struct Line { // straight pieces through the points
    std::vector<Point> points;
    Color color;
    float width = 1;
    bool dashed = false;
};
struct Curve { // one cubic Bézier
    Point a, control_a, control_b, b;
    Color color;
    float width = 1;
};
struct Text {
    std::string text; // valid UTF-8, one line
    Point at;
    TextStyle style;
    Color color;
    AlignX align_x = AlignX::left;
    AlignY align_y = AlignY::baseline;
    float degrees = 0;  // clockwise about `at`
    bool heads = false; // of titles, or of a caption: a page's left is where these begin
};
/// Cells of a grid, counted from the corner of row 0 and column 0; may begin and end within one.
struct Viewport {
    float row = 0, col = 0, rows = 0, cols = 0;
    bool operator==(const Viewport&) const = default;
};

/// Cells of one row, from first up to and without last.
struct CellRun {
    Index row = 0, first = 0, last = 0;
    bool operator==(const CellRun&) const = default;
};

/// Rows and columns of a grid that stand back: each mixes the colours of its cells with `color`, as
/// far as that is opaque.
struct Veils {
    struct Run { // from first up to and without last
        Index first = 0, last = 0;
    };
    std::vector<Run> rows{}, cols{}; // ascending
    Color color{};
};

/// Cells coloured through a palette. What is not finite is drawn in the palette's own colour for
/// it; a row that is marked as having no distribution is hatched; masked cells are both.
struct Heat {
    Box box;
    std::shared_ptr<const Matrix<float>> values;
    PaletteId palette = PaletteId::amber;
    float low = 0, high = 1; // values that the palette's ends stand for
    std::vector<Index> hatched_rows;
    std::vector<CellRun> masked{};                 // by row, ascending
    std::optional<Viewport> shown{};               // what fills the box; all of it where not set
    std::shared_ptr<const struct Levels> levels{}; // of a large matrix; painters may use them
    Veils veils{};
};

/// 8-bit RGBA, rows from the top, alpha not multiplied in.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba; // width × height × 4
};
/// A photograph or, not smooth, cells: each pixel a box of its own, through which what lies below
/// may be seen.
struct Image {
    Box box;
    std::shared_ptr<const Pixels> pixels;
    bool smooth = true;
};

using Primitive = std::variant<Fill, Stroke, Line, Curve, Text, Heat, Image>;

struct Target {
    Box box;
    Tag tag;
    std::optional<Viewport> shown{}; // of `Cells`: what fills the box, as of a Heat
    std::optional<Curve> curve{};    // of a `Link`: it can be picked all along

    /// The tag where it is of this kind, else null.
    template <class Kind> const Kind* as() const { return std::get_if<Kind>(&tag); }
};
struct Hit {
    Tag tag;
    Box box;
    int row = -1,
        col = -1; // the cell, where the tag is `Cells` or `Strip`; of a `Stripe` the column alone

    template <class Kind> const Kind* as() const { return std::get_if<Kind>(&tag); }
};

struct Figure {
    float width = 0, height = 0;
    Color background;
    std::string title; // one line of plain words: what the picture shows; becomes its alt text
    std::vector<Primitive> items;
    std::vector<Target> targets; // later ones lie above earlier ones
    bool stacked = false;        // of two maps: one lies above the other
};

/// The uppermost target under a point; of curves that lie upon each other the nearest or, of nearly
/// equal ones, the uppermost.
std::optional<Hit> pick(const Figure& figure, Point point);

/// One line a primitive, coordinates to a tenth of a point: what tests compare.
std::string dump(const Figure& figure);

} // namespace heed::figure
