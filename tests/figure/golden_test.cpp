#include "catch.hpp"

#include "golden.hpp"
#include "samples.hpp"

#include <cmath>

using namespace heed::figure;
using namespace samples;

TEST_CASE("figures are as approved") {
    const auto check = [](const std::string& name, const Figure& figure) {
        INFO(name);
        CHECK(difference_from_golden(name, dump(figure)) == "");
    };

    HeatmapOptions options;
    options.selected = {7, 1};
    MapData english = map_of(weights(10, 10), kEnglish, kEnglish);
    english.rows_without_distribution = {3};
    Frame light = plain_frame(937, 640, light_theme());
    light.caption = "base · seed 1 · encoder layer 5 · head 3";
    check("heatmap_light", heatmap(english, options, light));

    MapData masked = map_of(signed_values(6, 7, 4), repeated(kEnglish, 6), kChinese);
    masked.signed_values = true;
    masked.weights = false;
    options.selected = {1, 2};
    options.hovered = {4, 4};
    options.range = RangeMode::row;
    check("heatmap_dark", heatmap(masked, options, plain_frame(420, 360, dark_theme())));

    MapData slanted = map_of(weights(24, 24, true), repeated(kMixed, 24), repeated(kMixed, 24));
    check("heatmap_slanted", heatmap(slanted, {}, plain_frame(640, 560, light_theme())));

    HeadGrid grid;
    grid.layers = 2;
    grid.heads = 4;
    for (int i = 0; i < 8; ++i) grid.maps.push_back(weights(5 + i, 5 + i));
    grid.selected = {1, 2};
    check("head_grid", head_grid(grid, plain_frame(240, 0, light_theme())));

    LinksOptions links;
    links.selected = {2, 1};
    links.cut_off = 0.2f;
    const MapData four = map_of(weights(5, 5), repeated(kEnglish, 5), repeated(kEnglish, 5));
    check("arcs", arcs(four, links, plain_frame(500, 300, light_theme())));
    const MapData cross = map_of(weights(4, 7), repeated(kEnglish, 4), kChinese);
    check("lines", lines(cross, links, plain_frame(600, 240, dark_theme())));

    std::vector<StageThumbnail> stages;
    for (const char* label : {"Q·Kᵀ", "÷ √d", "softmax"}) {
        StageThumbnail stage;
        stage.label = label;
        stage.values = weights(4, 4);
        stage.id = static_cast<int>(stages.size()) + 3;
        stage.signed_values = stages.size() < 2;
        stages.push_back(stage);
    }
    check("stage_strip", stage_strip(stages, 5, plain_frame(0, 0, light_theme())));
}
