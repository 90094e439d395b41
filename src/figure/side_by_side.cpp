#include "figure/side_by_side.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace heed::figure {

namespace {

void shift(Line& line, float x) {
    for (Point& point : line.points) point.x += x;
}
void shift(Curve& curve, float x) {
    for (Point* point : {&curve.a, &curve.control_a, &curve.control_b, &curve.b}) point->x += x;
}
void shift(Text& text, float x) { text.at.x += x; }
void shift(auto& boxed, float x) { boxed.box.x += x; }

} // namespace

Figure side_by_side(Figure left, const Figure& right) {
    for (Primitive item : right.items) {
        std::visit([&](auto& primitive) { shift(primitive, left.width); }, item);
        left.items.push_back(std::move(item));
    }
    for (Target target : right.targets) {
        target.box.x += left.width;
        left.targets.push_back(target);
    }
    left.width += right.width;
    left.height = std::max(left.height, right.height);
    left.title += " | " + right.title;
    return left;
}

} // namespace heed::figure
