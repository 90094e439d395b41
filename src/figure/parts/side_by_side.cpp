#include "figure/parts/side_by_side.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace heed::figure {

namespace {

void shift(Point& point, Point by) {
    point.x += by.x;
    point.y += by.y;
}
void shift(Line& line, Point by) {
    for (Point& point : line.points) shift(point, by);
}
void shift(Curve& curve, Point by) {
    for (Point* point : {&curve.a, &curve.control_a, &curve.control_b, &curve.b}) {
        shift(*point, by);
    }
}
void shift(Text& text, Point by) { shift(text.at, by); }
void shift(auto& boxed, Point by) {
    boxed.box.x += by.x;
    boxed.box.y += by.y;
}

} // namespace

void put(Figure& onto, const Figure& piece, Point at, int which) {
    for (Primitive item : piece.items) {
        std::visit([&](auto& primitive) { shift(primitive, at); }, item);
        onto.items.push_back(std::move(item));
    }
    for (Target target : piece.targets) {
        shift(target, at);
        if (target.curve) shift(*target.curve, at);
        if (auto* cells = std::get_if<tag::Cells>(&target.tag)) cells->part = which;
        if (auto* row = std::get_if<tag::RowLabel>(&target.tag)) row->part = which;
        if (auto* col = std::get_if<tag::ColLabel>(&target.tag)) col->part = which;
        onto.targets.push_back(target);
    }
}

Figure side_by_side(Figure left, const Figure& right) {
    put(left, right, {left.width, 0});
    left.width += right.width;
    left.height = std::max(left.height, right.height);
    left.title += " | " + right.title;
    return left;
}

Figure stacked(Figure above, const Figure& below) {
    put(above, below, {0, above.height});
    above.width = std::max(above.width, below.width);
    above.height += below.height;
    above.stacked = true;
    above.title += " | " + below.title;
    return above;
}

} // namespace heed::figure
