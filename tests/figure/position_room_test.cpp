#include "catch.hpp"

#include "base/check.hpp"
#include "figure/views/position_room.hpp"
#include "golden.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <map>

using namespace heed::figure;
using namespace samples;

namespace {

constexpr PositionPart kPositionParts[] = {PositionPart::picture, PositionPart::curves,
                                           PositionPart::offsets};

} // namespace

TEST_CASE("the positions room is as approved") {
    PositionRoomOptions options;
    options.position = 3;
    options.offset = -2;
    CHECK(difference_from_golden("position_room",
                                 dump(position_room(positions_of(10, 12), options,
                                                    frame_of(900, 620, &plain_measure)))) == "");
}

TEST_CASE("texts of the positions room keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {937, 640},
                                        {640, 480},
                                        {420, 520},
                                        {300, 240},
                                        {0, 0}}) {
        for (const Index n : {1, 7, 128, 2000}) {
            for (const bool absent : {false, true}) {
                INFO(n << " positions in " << width << " × " << height);
                PositionRoomData data = absent ? PositionRoomData{} : positions_of(n, 64);
                if (absent) data.offsets = {};
                PositionRoomOptions options;
                if (n > 7) options.position = 5;
                Frame frame = frame_of(width, height, measure);
                frame.caption = "transformer base · seed 1";
                check_texts(position_room(data, options, frame), measure);
                for (const PositionPart part : kPositionParts) {
                    check_texts(position_part(data, part, options, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("every curve of a dimension has its name, however short") {
    PositionRoomData data = positions_of(20, 64);
    data.dimensions = {0, 1, 16, 17};
    const Figure figure = position_part(data, PositionPart::curves, {}, frame_of(480, 300));
    for (const char* name : {"2", "17", "18"}) CHECK(has_text(figure, name));
    CHECK(has_text(figure, data.dimension_word + " 1"));
}

TEST_CASE("every position, dimension and offset is found where it is drawn") {
    const Figure figure = position_room(positions_of(20, 16), {}, frame_of(1000, 800));
    std::map<int, tag::Cells> grids;
    for (const Target& target : figure.targets) {
        const auto* cells = target.as<tag::Cells>();
        REQUIRE(cells);
        grids[cells->part] = *cells;
        const auto hit = pick(figure, {target.box.x + target.box.w * 0.999f, target.box.y + 1});
        REQUIRE(hit);
        CHECK(hit->col == cells->cols - 1);
    }
    using enum PositionPart;
    CHECK(grids.at(static_cast<int>(picture)) == tag::Cells{20, 16, 0});
    CHECK(grids.at(static_cast<int>(curves)) == tag::Cells{1, 20, 1});
    CHECK(grids.at(static_cast<int>(offsets)) == tag::Cells{1, 39, 2});
}

TEST_CASE("a model without positions says so in all three places") {
    PositionRoomData none;
    none.title = "No positions";
    const Figure figure = position_room(none, {}, frame_of(1000, 800));
    const auto texts = texts_of(figure);
    CHECK(std::count_if(texts.begin(), texts.end(), [](const Text& text) {
              return text.text == "No positions are added to the embedding";
          }) == 2);
    CHECK(has_text(figure, "Scores do not depend on places"));
    CHECK(figure.targets.empty());
}

TEST_CASE("a marked position shows the values of its curves") {
    PositionRoomOptions options;
    options.position = 2;
    const Figure figure =
        position_part(positions_of(8, 20), PositionPart::curves, options, frame_of(700, 400));
    CHECK(has_text(figure, "dimension 5  0.31")); // sin (2 / 10000^(4/20)) = sin 0.317
    CHECK(has_text(figure, "with their values at position 3"));
    options.position = 8; // one more than there are
    for (const Text& text : texts_of(position_part(positions_of(8, 20), PositionPart::curves,
                                                   options, frame_of(700, 400)))) {
        CHECK(text.text.find("their values") == std::string::npos);
    }
}

TEST_CASE("positions and dimensions are counted from 1, as tokens are") {
    for (const Index n : {3, 12, 128}) {
        CAPTURE(n);
        for (const PositionPart part : {PositionPart::picture, PositionPart::curves}) {
            const Figure figure = position_part(positions_of(n, 64), part, {}, frame_of(700, 400));
            if (part == PositionPart::picture)
                CHECK((has_text(figure, "1") || has_text(figure, "2")));
            const auto texts = texts_of(figure); // zero stands beside the colours alone
            CHECK(std::ranges::count(texts, "0", &Text::text) <= 1);
        }
    }
    CHECK(has_text(
        position_part(positions_of(128, 64), PositionPart::picture, {}, frame_of(700, 400)), "60"));
}

TEST_CASE("the curves are two waves that turn a few times in a sentence") {
    CHECK(telling_dimensions(20) == std::vector<Index>{4, 5, 6, 7});
    CHECK(telling_dimensions(512) == std::vector<Index>{102, 103, 104, 105});
    CHECK(telling_dimensions(4) == std::vector<Index>{0, 1, 2, 3});
    CHECK(telling_dimensions(1) == std::vector<Index>{0});
    CHECK(telling_dimensions(0).empty());
}

TEST_CASE("curves of a length that is not that of their axis are refused") {
    PositionRoomData data = positions_of(4, 4);
    data.offsets.push_back({"another", {1, 2}, {}, {}});
    CHECK_THROWS_AS(position_room(data, {}, frame_of(900, 700)), heed::base::ContractError);
}

TEST_CASE("frames without room, and odd marks, give a figure of positions") {
    for (const float side : {0.f, 1.f, 17.f, 90.f, 500.f, -5.f, 1e30f}) {
        PositionRoomOptions odd;
        odd.position = 4000;
        odd.dimension = -3;
        odd.offset = 99;
        CHECK(std::isfinite(position_room(positions_of(3, 5), odd, frame_of(side, side)).height));
        CHECK(std::isfinite(position_room({}, odd, frame_of(side, side)).height));
        for (const PositionPart part : kPositionParts) {
            CHECK(std::isfinite(
                position_part(positions_of(1, 1), part, odd, frame_of(side, side)).height));
        }
    }
}

TEST_CASE("waves between positions are drawn through the positions, which alone are cells") {
    PositionRoomData data = positions_of(12, 20);
    constexpr int kBetween = 4;
    auto waves = std::make_shared<Matrix<float>>(11 * kBetween + 1, 20);
    waves->setConstant(0.5f);
    data.waves = waves;
    data.between = kBetween;
    PositionRoomOptions options;
    options.position = 3;
    const Figure figure = position_part(data, PositionPart::curves, options, frame_of(700, 400));
    const auto cells = std::ranges::find_if(
        figure.targets, [](const Target& target) { return target.as<tag::Cells>() != nullptr; });
    REQUIRE(cells != figure.targets.end());
    CHECK(cells->as<tag::Cells>()->cols == 12);
    CHECK(dump(figure).find("dimension 5  0.5") != std::string::npos);
}

TEST_CASE("the chosen position has a frame in the ink of words, and its number at the left") {
    PositionRoomOptions options;
    options.position = 7; // the eighth
    for (const Theme& theme : {light_theme(), dark_theme()}) {
        const Figure figure = position_part(positions_of(128, 80), PositionPart::picture, options,
                                            frame_of(700, 300, &heed::figure::measure, theme));
        int frames = 0, ticks = 0;
        for (const Primitive& item : figure.items) {
            const auto* stroke = std::get_if<Stroke>(&item);
            frames += stroke && stroke->color == theme.text;
        }
        for (const Text& text : texts_of(figure)) {
            const bool strong = text.style.weight == Weight::bold && text.color == theme.text;
            ticks += text.text == "8" && text.align_x == AlignX::right && strong;
        }
        CHECK(frames == 1);
        CHECK(ticks == 1);
        CHECK(has_text(figure, "value")); // the colour bar's name
        check_texts(figure, &heed::figure::measure);
    }
    const Figure curves =
        position_part(positions_of(128, 80), PositionPart::curves, options, frame_of(400, 300));
    CHECK(has_text(curves, "value"));
    check_texts(curves, &heed::figure::measure);
}
