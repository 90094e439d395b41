#include "figure/base/fitted.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace heed::figure {

namespace {

/// Grows by points and boxes.
struct Around {
    bool any = false;
    float left = 0, top = 0, right = 0, bottom = 0;

    void add(Point p, float by = 0) {
        if (!any) {
            left = right = p.x;
            top = bottom = p.y;
            any = true;
        }
        left = std::min(left, p.x - by);
        right = std::max(right, p.x + by);
        top = std::min(top, p.y - by);
        bottom = std::max(bottom, p.y + by);
    }
    void add(const Box& box) {
        add(Point{box.x, box.y});
        add(Point{box.x + box.w, box.y + box.h});
    }
};

void add_text(Around& around, const Text& text, Measure measure) {
    const Extent extent = measure(text.text, text.style);
    const Point from = baseline_offset(extent, text.align_x, text.align_y);
    const float turn = text.degrees * std::numbers::pi_v<float> / 180;
    const float cosine = std::cos(turn), sine = std::sin(turn);
    for (const float x : {from.x, from.x + extent.width}) {
        for (const float y : {from.y - extent.ascent, from.y + extent.descent}) {
            around.add(Point{text.at.x + cosine * x - sine * y, text.at.y + sine * x + cosine * y});
        }
    }
}

/// Both ends of a cubic, and where it turns back along either axis: the roots of its derivative.
void add_curve(Around& around, const Curve& curve) {
    const auto at = [&](float t) {
        const float u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
        const auto sum = [&](float Point::*axis) {
            return a * (curve.a.*axis) + b * (curve.control_a.*axis) + c * (curve.control_b.*axis) +
                   d * (curve.b.*axis);
        };
        return Point{sum(&Point::x), sum(&Point::y)};
    };
    around.add(curve.a, curve.width / 2);
    around.add(curve.b, curve.width / 2);
    for (const auto axis : {&Point::x, &Point::y}) {
        const float p0 = curve.a.*axis, p1 = curve.control_a.*axis, p2 = curve.control_b.*axis,
                    p3 = curve.b.*axis;
        const float a = p3 - 3 * p2 + 3 * p1 - p0, b = 2 * (p2 - 2 * p1 + p0), c = p1 - p0;
        const float root = std::sqrt(std::max(b * b - 4 * a * c, 0.f));
        // In this form a may be 0; what lies outside of the curve is left out.
        const float q = -0.5f * (b + std::copysign(root, b));
        for (const float t : {a != 0 ? q / a : -1, q != 0 ? c / q : -1}) {
            if (t > 0 && t < 1) around.add(at(t), curve.width / 2);
        }
    }
}

template <class T> inline constexpr bool has_box = requires(T item) { item.box; };

/// Hands every place of an item to `at`, and every length to `length`.
template <class At, class Length> void each_place(Primitive& item, At&& at, Length&& length) {
    std::visit(
        [&]<class T>(T& it) {
            if constexpr (has_box<T>) {
                at(it.box.x, it.box.y);
                length(it.box.w);
                length(it.box.h);
            }
            if constexpr (std::is_same_v<T, Fill> || std::is_same_v<T, Stroke>) length(it.radius);
            if constexpr (std::is_same_v<T, Line>) {
                for (Point& p : it.points) at(p.x, p.y);
            }
            if constexpr (std::is_same_v<T, Curve>) {
                for (Point* p : {&it.a, &it.control_a, &it.control_b, &it.b}) at(p->x, p->y);
            }
            if constexpr (std::is_same_v<T, Text>) {
                at(it.at.x, it.at.y);
                length(it.style.size);
            }
            if constexpr (requires { it.width; }) length(it.width);
        },
        item);
}

template <class At, class Length> Figure mapped(Figure figure, At&& at, Length&& length) {
    for (Primitive& item : figure.items) each_place(item, at, length);
    for (Target& target : figure.targets) {
        at(target.box.x, target.box.y);
        length(target.box.w);
        length(target.box.h);
        if (!target.curve) continue;
        Primitive curve = *target.curve;
        each_place(curve, at, length);
        target.curve = std::get<Curve>(curve);
    }
    return figure;
}

} // namespace

Box content_box(const Figure& figure, Measure measure) {
    Around around;
    for (const Primitive& item : figure.items) {
        std::visit(
            [&]<class T>(const T& it) {
                if constexpr (has_box<T>) around.add(it.box);
                if constexpr (std::is_same_v<T, Line>) {
                    for (const Point& p : it.points) around.add(p, it.width / 2);
                }
                if constexpr (std::is_same_v<T, Curve>) add_curve(around, it);
                if constexpr (std::is_same_v<T, Text>) add_text(around, it, measure);
            },
            item);
    }
    return {around.left, around.top, around.right - around.left, around.bottom - around.top};
}

Box drawn_box(const Figure& figure) {
    const float left = content_box(figure).x;
    Figure rest = figure;
    std::erase_if(rest.items, [&](const Primitive& item) {
        const auto* text = std::get_if<Text>(&item);
        return text != nullptr && text->align_x == AlignX::left &&
               text->style.weight != Weight::bold && text->at.x < left + 1;
    });
    return content_box(rest);
}

Figure scaled(Figure figure, float factor) {
    figure.width *= factor;
    figure.height *= factor;
    return mapped(
        std::move(figure),
        [&](float& x, float& y) {
            x *= factor;
            y *= factor;
        },
        [&](float& length) { length *= factor; });
}

Figure centred(float width, const std::function<Figure(float)>& draw) {
    constexpr float kLeast = 24; // a smaller shift is not worth a narrower picture
    Figure figure = draw(width);
    const Box drawn = drawn_box(figure);
    const float shift = std::floor((width - drawn.w) / 2 - drawn.x);
    if (shift < kLeast) return figure;
    figure = draw(width - 2 * shift); // its words are broken at its own width
    const float height = figure.height;
    return cut_to(std::move(figure), {-shift, 0, width, height});
}

Figure cut_to(Figure figure, const Box& box) {
    figure.width = box.w;
    figure.height = box.h;
    return mapped(
        std::move(figure),
        [&](float& x, float& y) {
            x -= box.x;
            y -= box.y;
        },
        [](float&) {});
}

} // namespace heed::figure
