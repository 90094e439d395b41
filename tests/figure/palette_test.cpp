#include "catch.hpp"

#include "figure/base/oklab.hpp"
#include "figure/base/palette.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

using namespace heed::figure;

namespace {

constexpr PaletteId kSequential[] = {PaletteId::amber, PaletteId::ember, PaletteId::lagoon,
                                     PaletteId::heather, PaletteId::grey};

float lightness(PaletteId id, int i) { return to_oklab(table(id)[static_cast<std::size_t>(i)]).L; }

float distance(const OkLab& x, const OkLab& y) {
    return std::sqrt((x.L - y.L) * (x.L - y.L) + (x.a - y.a) * (x.a - y.a) +
                     (x.b - y.b) * (x.b - y.b));
}

/// As a person without one kind of cone sees it (Machado, Oliveira and Fernandes 2009, severity 1).
enum class Vision { protanopia, deuteranopia };
Color seen(Color color, Vision vision) {
    static const float matrices[2][3][3] = {{{0.152286f, 1.052583f, -0.204868f},
                                             {0.114503f, 0.786281f, 0.099216f},
                                             {-0.003882f, -0.048116f, 1.051998f}},
                                            {{0.367322f, 0.860646f, -0.227968f},
                                             {0.280085f, 0.672501f, 0.047413f},
                                             {-0.011820f, 0.042940f, 0.968881f}}};
    const auto& m = matrices[static_cast<int>(vision)];
    const float in[3] = {to_linear(color.r), to_linear(color.g), to_linear(color.b)};
    std::uint8_t out[3];
    for (int i = 0; i < 3; ++i) {
        const float x = m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2];
        out[i] = static_cast<std::uint8_t>(from_linear(std::clamp(x, 0.f, 1.f)) + 0.5f);
    }
    return {out[0], out[1], out[2]};
}

} // namespace

TEST_CASE("lightness of the one-sided palettes is monotone in even steps") {
    for (const PaletteId id : kSequential) {
        INFO(name(id));
        const float whole = lightness(id, 255) - lightness(id, 0);
        CHECK(std::abs(whole) > 0.55f);
        for (int i = 0; i < 255; ++i) {
            INFO("entry " << i);
            const float step = (lightness(id, i + 1) - lightness(id, i)) / whole * 255;
            REQUIRE(step > 0);
            const float expected = lightness(id, 0) + whole * static_cast<float>(i) / 255.f;
            REQUIRE(std::abs(lightness(id, i) - expected) < 0.0025f);
        }
    }
}

TEST_CASE("the diverging palettes are as light on one side as on the other") {
    for (const PaletteId id : {PaletteId::diverging, PaletteId::diverging_dark}) {
        INFO(name(id));
        for (int i = 1; i <= 127; ++i) {
            INFO("distance " << i);
            REQUIRE(std::abs(lightness(id, 128 - i) - lightness(id, 128 + i)) < 0.01f);
        }
        const OkLab centre = to_oklab(table(id)[128]);
        CHECK(std::hypot(centre.a, centre.b) < 0.015f);
        CHECK(to_oklab(table(id)[0]).b < 0);
        CHECK(to_oklab(table(id)[255]).b > 0);
    }
}

TEST_CASE("ends are told apart without red or green cones") {
    for (const PaletteId id : kPalettes) {
        for (const Vision vision : {Vision::protanopia, Vision::deuteranopia}) {
            INFO(name(id) << " " << static_cast<int>(vision));
            const OkLab low = to_oklab(seen(table(id)[0], vision));
            const OkLab high = to_oklab(seen(table(id)[255], vision));
            const OkLab middle = to_oklab(seen(table(id)[128], vision));
            CHECK(distance(low, high) > 0.15f);
            CHECK(distance(low, middle) > 0.15f);
            CHECK(distance(high, middle) > 0.15f);
        }
    }
}

TEST_CASE("no table holds its colour for what is not finite") {
    for (const PaletteId id : kPalettes) {
        INFO(name(id));
        const OkLab odd = to_oklab(not_finite(id));
        for (const Color color : table(id)) REQUIRE(distance(odd, to_oklab(color)) > 0.008f);
        CHECK(colour_of(id, std::numeric_limits<float>::quiet_NaN(), 0, 1) == not_finite(id));
        CHECK(colour_of(id, -std::numeric_limits<float>::infinity(), 0, 1) == not_finite(id));
    }
}

TEST_CASE("a palette's name finds it") {
    std::set<std::string_view> names;
    for (const PaletteId id : kPalettes) {
        CHECK(palette_named(name(id)) == id);
        names.insert(name(id));
    }
    CHECK(names.size() == std::size(kPalettes));
    CHECK_FALSE(palette_named("rainbow").has_value());
}

TEST_CASE("the entry for a value is the nearest, halves up, and ends hold beyond the range") {
    CHECK(table_index(0, 0, 1) == 0);
    CHECK(table_index(1, 0, 1) == 255);
    CHECK(table_index(-3, 0, 1) == 0);
    CHECK(table_index(7, 0, 1) == 255);
    CHECK(table_index(0, -2, 2) == 128); // 127.5 goes up
    CHECK(table_index(0.5f, 0, 255) == 1);
    CHECK(table_index(0.49f, 0, 255) == 0);
    for (int i = 0; i <= 255; ++i) {
        REQUIRE(table_index(static_cast<float>(i), 0, 255) == i);
    }
    CHECK(table_index(3, 3, 3) == 0);
    CHECK(table_index(4, 3, 3) == 255);
    CHECK(colour_of(PaletteId::grey, 1, 0, 1) == table(PaletteId::grey)[255]);
}

TEST_CASE("ink reads on every colour of every palette") {
    for (const PaletteId id : kPalettes) {
        for (const Color ground : table(id)) {
            REQUIRE(contrast(ink_on(ground), ground) >= 4.5f);
            REQUIRE(contrast(soft_ink_on(ground, 0.4f), ground) >= 4.5f);
        }
    }
    CHECK(ink_on({255, 255, 255}) == Color{0, 0, 0});
    CHECK(ink_on({20, 10, 40}) == Color{255, 255, 255});
    CHECK(std::abs(contrast({0, 0, 0}, {255, 255, 255}) - 21) < 1e-4f);
}

TEST_CASE("a mixture at the ends is the colour itself") {
    const Color a{10, 20, 30, 40}, b{200, 100, 50, 250};
    CHECK(mixed(a, b, 0) == a);
    CHECK(mixed(a, b, 1) == b);
    CHECK(mixed({0, 0, 0}, {255, 255, 255}, 0.5f) == Color{128, 128, 128});
}
