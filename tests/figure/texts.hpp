// The texts of a figure: where their letters stand, and whether any touch.
#pragma once

#include "catch.hpp"

#include "samples.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace samples {

using heed::figure::Figure;
using heed::figure::Point;
using heed::figure::Primitive;
using heed::figure::Text;

/// The corners of the letters of a text: from cap height to a little below the baseline.
struct Quad {
    Point corner[4];
};

inline Quad quad_of(const Text& text, Measure measure) {
    const Extent extent = measure(text.text, text.style);
    const Point offset = baseline_offset(extent, text.align_x, text.align_y);
    const float top = offset.y - 0.72f * text.style.size,
                bottom = offset.y + 0.1f * text.style.size;
    const float angle = text.degrees * 3.14159265f / 180;
    const float c = std::cos(angle), s = std::sin(angle);
    const auto turned = [&](float x, float y) {
        return Point{text.at.x + c * x - s * y, text.at.y + s * x + c * y};
    };
    return {{turned(offset.x, top), turned(offset.x + extent.width, top),
             turned(offset.x + extent.width, bottom), turned(offset.x, bottom)}};
}

/// Separating axes: two rectangles are apart where one of their sides divides them.
inline bool apart(const Quad& a, const Quad& b) {
    for (const Quad* quad : {&a, &b}) {
        for (int i = 0; i < 2; ++i) {
            const Point p = quad->corner[i], q = quad->corner[i + 1];
            const Point axis{q.x - p.x, q.y - p.y};
            const auto reach = [&](const Quad& of) {
                float low = 1e30f, high = -1e30f;
                for (const Point corner : of.corner) {
                    const float along = corner.x * axis.x + corner.y * axis.y;
                    low = std::min(low, along);
                    high = std::max(high, along);
                }
                return std::pair(low, high);
            };
            const auto [a_low, a_high] = reach(a);
            const auto [b_low, b_high] = reach(b);
            if (a_high <= b_low || b_high <= a_low) return true;
        }
    }
    return false;
}

inline std::vector<Text> texts_of(const Figure& figure) {
    std::vector<Text> result;
    for (const Primitive& item : figure.items) {
        if (const Text* text = std::get_if<Text>(&item)) result.push_back(*text);
    }
    return result;
}

inline bool has_text(const Figure& figure, const std::string& wanted) {
    const auto texts = texts_of(figure);
    return std::any_of(texts.begin(), texts.end(),
                       [&](const Text& text) { return text.text == wanted; });
}

/// Every text lies inside the figure, and no two of them touch.
inline void check_texts(const Figure& figure, Measure measure) {
    const auto texts = texts_of(figure);
    std::vector<Quad> quads;
    for (const Text& text : texts) {
        quads.push_back(quad_of(text, measure));
        for (const Point corner : quads.back().corner) {
            INFO(text.text << " at " << text.at.x << ", " << text.at.y << " in " << figure.width
                           << " × " << figure.height);
            REQUIRE(corner.x >= -0.5f);
            REQUIRE(corner.y >= -0.5f);
            REQUIRE(corner.x <= figure.width + 0.5f);
            REQUIRE(corner.y <= figure.height + 0.5f);
        }
    }
    for (std::size_t i = 0; i < quads.size(); ++i) {
        for (std::size_t j = i + 1; j < quads.size(); ++j) {
            if (apart(quads[i], quads[j])) continue;
            FAIL("\"" << texts[i].text << "\" lies upon \"" << texts[j].text << "\" in "
                      << figure.width << " × " << figure.height);
        }
    }
}

} // namespace samples
