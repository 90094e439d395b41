#include "figure/film_strip.hpp"
#include "figure/views/training_room.hpp"

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
            const Figure figure = film_strip(frames_of(n), n / 2, samples::frame_of(width, 84));
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

TEST_CASE("a frame has the colours that the alignment above it has for the same weights") {
    const auto frames = frames_of(1);
    const auto heat_of = [](const Figure& figure) {
        for (const auto& item : figure.items) {
            if (const auto* heat = std::get_if<Heat>(&item)) return *heat;
        }
        FAIL("no map");
        return Heat{};
    };
    TrainingRoomData data;
    data.alignment = frames[0].weights;
    data.rows.assign(15, "a");
    data.columns.assign(15, "b");
    const Heat above = heat_of(training_alignment(data, samples::frame_of(560, 520)));
    const Heat frame = heat_of(film_strip(frames, {}, samples::frame_of(820, 84)));
    CHECK(*frame.values == *above.values);
    CHECK(frame.palette == above.palette);
    CHECK(frame.low == above.low);
    CHECK(frame.high == above.high);
}

TEST_CASE("the first frame says that the numbers are of steps, where it has room") {
    const Figure few = film_strip(frames_of(7), 6, samples::frame_of(820, 84));
    CHECK(samples::has_text(few, "step 0"));
    CHECK(samples::has_text(few, "25"));
    CHECK(samples::has_text(film_strip(frames_of(40), 39, samples::frame_of(820, 84)), "step 0"));
}

TEST_CASE("of narrow frames too the first says that the numbers are of steps") {
    for (const std::size_t count : {12U, 20U, 40U}) {
        INFO(count << " frames");
        const Figure figure =
            film_strip(frames_of(static_cast<int>(count)), count - 1, samples::frame_of(700, 84));
        CHECK(samples::has_text(figure, "step 0"));
        samples::check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("the frame that is shown large says its step, whatever its neighbours do") {
    const Figure figure = film_strip(frames_of(30), 17, samples::frame_of(700, 84));
    bool named = false;
    for (const auto& item : figure.items) {
        const auto* text = std::get_if<Text>(&item);
        named = named || (text && text->text == "425");
    }
    CHECK(named);
}

TEST_CASE("the outline of a frame with a map has the corners of the map") {
    const auto corners = [](const Figure& figure) {
        std::vector<float> radii;
        for (const auto& item : figure.items) {
            if (const auto* stroke = std::get_if<Stroke>(&item)) radii.push_back(stroke->radius);
        }
        return radii;
    };
    std::vector<FilmFrame> frames = frames_of(3);
    frames[2].weights = nullptr; // not measured yet
    const auto radii = corners(film_strip(frames, 1, samples::frame_of(820, 84)));
    REQUIRE(radii.size() == 3);
    CHECK(radii[0] == 0);
    CHECK(radii[1] > 0); // around the one that is shown, off its map
    CHECK(radii[2] > 0);
}
