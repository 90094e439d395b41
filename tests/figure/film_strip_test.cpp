#include "figure/parts/film_strip.hpp"

#include "catch.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

using namespace heed::figure;

namespace {

std::vector<FilmFrame> frames_of(std::size_t n) {
    std::vector<FilmFrame> frames;
    for (std::size_t i = 0; i < n; ++i) {
        frames.push_back({25 * i, std::make_shared<const Matrix<float>>(
                                      Matrix<float>::Constant(15, 15, 1.0f / 15))});
    }
    return frames;
}

Frame strip_of(float width, float height) {
    Frame frame;
    frame.width = width;
    frame.height = height;
    frame.theme = &light_theme();
    return frame;
}

std::vector<Box> heats_of(const Figure& figure) {
    std::vector<Box> boxes;
    for (const auto& item : figure.items) {
        if (const auto* heat = std::get_if<Heat>(&item)) boxes.push_back(heat->box);
    }
    return boxes;
}

} // namespace

TEST_CASE("a film of any length fits into its strip, a frame beside the other") {
    for (const float width : {300.f, 820.f, 1400.f}) {
        for (const std::size_t n : {1u, 4u, 20u, 40u}) {
            const Figure figure = film_strip(frames_of(n), n / 2, strip_of(width, 84));
            const auto boxes = heats_of(figure);
            REQUIRE(boxes.size() == n);
            CHECK(figure.targets.size() == n);
            CHECK(boxes.back().x + boxes.back().w <= width + 0.5f);
            for (std::size_t i = 1; i < n; ++i) {
                CHECK(boxes[i].x >= boxes[i - 1].x + boxes[i - 1].w);
            }
            const FilmSpan span = film_span(n, width);
            CHECK(span.first == boxes.front().x + boxes.front().w / 2);
            CHECK(span.last == boxes.back().x + boxes.back().w / 2);
            samples::check_texts(figure, &measure);
        }
    }
}

TEST_CASE("a map without an opinion is no blank frame") {
    const Figure figure = film_strip(frames_of(1), {}, strip_of(820, 84));
    for (const auto& item : figure.items) {
        const auto* heat = std::get_if<Heat>(&item);
        if (!heat) continue;
        const float tone = ((*heat->values)(0, 0) - heat->low) / (heat->high - heat->low);
        CHECK(tone > 0.2f); // of the palette, where its end is a weight of 1
        CHECK(tone < 0.5f);
    }
}

TEST_CASE("the frame that is shown large says its step, whatever its neighbours do") {
    const Figure figure = film_strip(frames_of(30), 17, strip_of(700, 84));
    bool named = false;
    for (const auto& item : figure.items) {
        const auto* text = std::get_if<Text>(&item);
        named = named || (text && text->text == "425");
    }
    CHECK(named);
}
