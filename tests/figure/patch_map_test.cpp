// What a patch attends to, upon its picture.
#include "figure/views/patch_map.hpp"

#include "catch.hpp"
#include "golden.hpp"
#include "samples.hpp"

#include <algorithm>

using namespace heed::figure;
using namespace samples;

namespace {

/// Red from the left to the right, green from the top to the bottom.
std::shared_ptr<const Pixels> photograph(int width, int height) {
    auto pixels = std::make_shared<Pixels>(Pixels{width, height, {}});
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto shade = [](int at, int of) {
                return static_cast<std::uint8_t>(255 * at / std::max(1, of - 1));
            };
            pixels->rgba.insert(pixels->rgba.end(), {shade(x, width), shade(y, height), 40, 255});
        }
    }
    return pixels;
}

PatchMapData three_by_three() {
    PatchMapData data;
    data.title = "Encoder layer 2 · head 1";
    data.subtitle = "patch 2,3 attends to patches";
    data.picture = photograph(12, 12);
    data.rows = data.cols = 3;
    data.leading = {"⟨class⟩", "⟨distillation⟩"};
    data.query = 7; // the last of the second row
    data.weights = {0.2f, 0.05f, 0.3f, 0, 0.05f, 0.1f, 0.15f, 0.1f, 0, 0.04f, 0.01f};
    data.classes = {{"tabby cat", 0.71f}, {"a very long name of a class that does not fit", 0.2f}};
    return data;
}

template <class T> std::vector<T> items_of(const Figure& figure) {
    std::vector<T> found;
    for (const Primitive& item : figure.items) {
        if (const T* one = std::get_if<T>(&item)) found.push_back(*one);
    }
    return found;
}

const Pixels& patches_of(const Figure& figure) {
    for (const Image& image : items_of<Image>(figure)) {
        if (!image.smooth) return *items_of<Image>(figure).back().pixels;
    }
    FAIL("no cells");
    static const Pixels none;
    return none;
}

} // namespace

TEST_CASE("a patch's attention upon its picture is as approved") {
    Frame frame = plain_frame(760, 480);
    frame.caption = "vit-tiny · Encoder layer 2 · head 1 · cat.jpg";
    CHECK(difference_from_golden("patch_map", dump(patch_map(three_by_three(), {}, frame))) == "");
}

TEST_CASE("a patch is the more coloured the more it gets, and one that gets nothing is clear") {
    const PatchMapData data = three_by_three();
    const Figure figure = patch_map(data, {}, plain_frame(760, 480));
    const Pixels& cells = patches_of(figure);
    REQUIRE(cells.width == 3);
    REQUIRE(cells.height == 3);
    const auto cover = [&](int patch) {
        return int{cells.rgba[static_cast<std::size_t>(patch) * 4 + 3]};
    };
    CHECK(cover(0) > 150); // the largest
    CHECK(cover(0) < 180); // under which the picture is still seen
    CHECK(cover(1) == 0);
    CHECK(cover(6) == 0);
    CHECK(cover(4) == Approx(cover(0) / 2.0).margin(1));
    CHECK(cover(3) == cover(5));
    // The picture lies below, whole and square.
    const auto images = items_of<Image>(figure);
    REQUIRE(images.size() == 2);
    CHECK(images[0].smooth);
    CHECK(images[0].box == images[1].box);
    CHECK(images[0].box.w == images[0].box.h);
}

TEST_CASE("patches and the tokens before them can be picked") {
    const Figure figure = patch_map(three_by_three(), {}, plain_frame(760, 480, dark_theme()));
    const Box box = items_of<Image>(figure)[0].box;
    const auto hit = pick(figure, {box.x + 0.9f * box.w, box.y + 0.4f * box.h});
    REQUIRE(hit);
    CHECK(hit->as<tag::Cells>());
    CHECK(hit->row == 1);
    CHECK(hit->col == 2);
    int chips = 0;
    for (const Target& t : figure.targets) chips += t.as<tag::RowLabel>() != nullptr;
    CHECK(chips == 2);
}

TEST_CASE("without a picture the view says what to do") {
    PatchMapData data = three_by_three();
    data.picture = nullptr;
    data.instead = "No picture yet.";
    const Figure figure = patch_map(data, {}, plain_frame(600, 400));
    CHECK(items_of<Image>(figure).empty());
    const auto texts = items_of<Text>(figure);
    CHECK(std::ranges::any_of(texts, [](const Text& t) { return t.text == "No picture yet."; }));
}

TEST_CASE("a picture that stands on its side keeps its patches square, whatever the frame") {
    for (const auto& [width, height] :
         {std::pair(260.f, 200.f), std::pair(900.f, 140.f), std::pair(1400.f, 1200.f)}) {
        PatchMapData data = three_by_three();
        data.rows = 2;
        data.weights.resize(8);
        data.query = 0;
        const Figure figure = patch_map(data, {}, plain_frame(width, height));
        const Box box = items_of<Image>(figure)[0].box;
        CHECK(box.w / 3 == Approx(box.h / 2).epsilon(0.01));
    }
}

TEST_CASE("a small picture under its colours keeps the brightest patch's colour") {
    const auto picture = photograph(64, 32);
    heed::num::Matrix<float> weights(1, 2);
    weights << 0, 0.5f;
    const Color ground{255, 255, 255};
    const auto small = overlaid(*picture, weights, PaletteId::amber, ground, 16);
    REQUIRE(small->width == 16);
    REQUIRE(small->height == 8);
    const auto at = [&](int x) {
        const auto* p = small->rgba.data() + static_cast<std::size_t>(4 * 16 + x) * 4;
        return Color{p[0], p[1], p[2], p[3]};
    };
    const Color full = colour_of(PaletteId::amber, 1, 0, 1);
    CHECK(std::abs(at(14).r - full.r) < 30);
    CHECK(std::abs(at(14).b - full.b) < 30);
    const std::uint8_t* from = picture->rgba.data() + static_cast<std::size_t>(16 * 64 + 8) * 4;
    const Color dim = mixed({from[0], from[1], from[2]}, ground, 0.55f);
    CHECK(at(2) == dim);
}
