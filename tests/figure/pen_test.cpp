#include "catch.hpp"

#include "figure/base/pen.hpp"

using namespace heed::figure;

TEST_CASE("dashes grow with their line and stay visible on a hairline") {
    CHECK(dashes(2).on == 8);
    CHECK(dashes(2).off == 6);
    CHECK(dashes(0.25f).on == 4);
    CHECK(dashes(0.25f).off == 3);
}

TEST_CASE("hatching is told from the row under it, fine in low rows and never coarse") {
    Heat heat;
    heat.box = {0, 0, 100, 80};
    heat.values = std::make_shared<const Matrix<float>>(Matrix<float>::Zero(8, 4));
    const Hatching usual = hatching(heat, 3); // rows of 10 points
    CHECK(usual.spacing == 5);
    CHECK(usual.width == 0.625f);
    CHECK_FALSE(usual.color == colour_of(heat.palette, 0, heat.low, heat.high));
    heat.box.h = 8;
    CHECK(hatching(heat, 0).spacing == 2);
    CHECK(hatching(heat, 0).width == 0.5f);
    heat.box.h = 800;
    CHECK(hatching(heat, 7).spacing == 6);
    CHECK(hatching(heat, 7).width == 1);
}
