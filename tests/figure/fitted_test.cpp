#include "figure/base/fitted.hpp"

#include "catch.hpp"

#include <cmath>

using namespace heed;
using figure::Box;
using figure::Figure;

namespace {

Figure sample() {
    Figure figure;
    figure.width = 200;
    figure.height = 100;
    figure.items = {
        figure::Fill{{20, 30, 40, 10}, {}, 3}, figure::Line{{{70, 20}, {90, 20}}, {}, 4},
        figure::Text{
            "word", {100, 60}, {10}, {}, figure::AlignX::left, figure::AlignY::baseline, 90}};
    figure.targets = {{{20, 30, 40, 10}, figure::tag::Cells{1, 2}}};
    return figure;
}

/// Letters as wide as they are high.
figure::Extent square(const std::string& text, const figure::TextStyle& style) {
    return {style.size * static_cast<float>(text.size()), style.size, 0};
}

} // namespace

TEST_CASE("a picture stands in the middle of a width, and its targets with it") {
    const Figure middle = figure::centred(400, [](float width) {
        Figure figure = sample();
        figure.width = width;
        return figure;
    });
    CHECK(middle.width == 400);
    const Box drawn = figure::drawn_box(middle);
    CHECK(std::abs(drawn.x + drawn.w / 2 - 200) < 1.5f);
    const auto& fill = std::get<figure::Fill>(middle.items.front());
    CHECK(middle.targets.front().box.x == Approx(fill.box.x));
}

TEST_CASE("words of a picture in the middle end where the picture does") {
    // A map of 200 points from a margin of 10.
    const Figure middle = figure::centred(400, [](float width) {
        Figure figure;
        figure.width = width;
        figure.items = {figure::Fill{{10, 40, 200, 50}, {}, 0}};
        figure.height = width; // as it was asked for
        return figure;
    });
    CHECK(std::get<figure::Fill>(middle.items.front()).box.x == Approx(100));
    CHECK(middle.height == Approx(220)); // 200 and both margins
}

TEST_CASE("the box of what is drawn holds lines with their width and turned words") {
    // The word is 40 wide and 10 high; turned clockwise it hangs from (100, 60), its letters' tops
    // to the right.
    const Box box = figure::content_box(sample(), square);
    CHECK(box.x == Approx(20));
    CHECK(box.y == Approx(18));
    CHECK(box.x + box.w == Approx(110));
    CHECK(box.y + box.h == Approx(100));
    CHECK(figure::content_box(Figure{}).w == 0);
}

TEST_CASE("the box of a curve ends where it turns, not at the points that pull at it") {
    Figure figure;
    figure.items = {figure::Curve{{0, 0}, {0, -40}, {100, -40}, {100, 0}, {}, 2}};
    Box box = figure::content_box(figure, square);
    CHECK(box.y == Approx(-31)); // y(½) = ¾ · −40, and half of its width
    CHECK(box.y + box.h == Approx(1));
    CHECK(box.x == Approx(-1));
    CHECK(box.w == Approx(102));
    // One that swings out to both sides: y = −3 t (1 − t) (1 − 2t) · 10, at t = ½ ∓ √3 / 6.
    figure.items = {figure::Curve{{0, 0}, {10, -10}, {20, 10}, {30, 0}, {}, 0}};
    box = figure::content_box(figure, square);
    CHECK(box.y == Approx(-5 / std::sqrt(3.f)));
    CHECK(box.h == Approx(10 / std::sqrt(3.f)));
}

TEST_CASE("a scaled figure has every length times the factor, and its targets") {
    const Figure twice = figure::scaled(sample(), 2);
    CHECK(twice.width == 400);
    const auto& fill = std::get<figure::Fill>(twice.items[0]);
    CHECK(fill.box == Box{40, 60, 80, 20});
    CHECK(fill.radius == 6);
    CHECK(std::get<figure::Line>(twice.items[1]).width == 8);
    CHECK(std::get<figure::Line>(twice.items[1]).points[1] == figure::Point{180, 40});
    CHECK(std::get<figure::Text>(twice.items[2]).style.size == 20);
    CHECK(twice.targets[0].box == Box{40, 60, 80, 20});
    CHECK(figure::dump(figure::scaled(twice, 0.5f)) == figure::dump(sample()));
}

TEST_CASE("a figure that is cut begins where the cut does") {
    const Figure part = figure::cut_to(sample(), {20, 18, 90, 82});
    CHECK(part.width == 90);
    CHECK(part.height == 82);
    CHECK(std::get<figure::Fill>(part.items[0]).box == Box{0, 12, 40, 10});
    CHECK(figure::content_box(part, square).x == Approx(0));
}
