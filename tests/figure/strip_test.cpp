// Strips along the sides of maps and grids, and what their choice leaves of them.
#include "figure/parts/strip.hpp"

#include "catch.hpp"
#include "figure/base/viewport.hpp"
#include "golden.hpp"
#include "samples.hpp"

#include <algorithm>

using namespace heed;
using namespace heed::figure;

namespace {

std::shared_ptr<const Matrix<float>> row_of(std::initializer_list<float> values, bool upright) {
    const auto n = static_cast<Index>(values.size());
    auto m = std::make_shared<Matrix<float>>(upright ? n : 1, upright ? 1 : n);
    std::copy(values.begin(), values.end(), m->data());
    return m;
}

std::vector<Target> strips_of(const Figure& figure) {
    std::vector<Target> found;
    for (const Target& t : figure.targets) {
        if (t.as<tag::Strip>()) found.push_back(t);
    }
    return found;
}

Box strip_of(const Figure& figure) {
    for (const Target& t : figure.targets) {
        if (t.as<tag::Cells>()) return t.box;
    }
    return {};
}

MapData three_by_four() {
    MapData map;
    map.title = "Encoder layer 1 · head 1";
    auto values = std::make_shared<Matrix<float>>(3, 4);
    *values << 0.5f, 0.25f, 0.125f, 0.125f, 0, 0.5f, 0.25f, 0.25f, 1, 0, 0, 0;
    map.values = values;
    map.row_labels = {"a", "b", "c"};
    map.col_labels = {"d", "e", "f", "g"};
    return map;
}

HeatmapOptions with_strips() {
    HeatmapOptions options;
    options.row_strip = Strip{row_of({0.5f, 0.25f, 0}, true), true};
    options.col_strip = Strip{row_of({0.25f, 0.25f, 0.25f, 0.25f}, false), true};
    return options;
}

Frame frame() {
    Frame f;
    f.width = 700;
    f.height = 500;
    f.theme = &light_theme();
    f.measure = &samples::plain_measure;
    return f;
}

} // namespace

TEST_CASE("a choice falls into runs of neighbours that are alike, and no choice is all of them") {
    const auto runs = choice_runs({1, 2, 4}, 6);
    REQUIRE(runs.size() == 5);
    CHECK(runs[1].first == 1);
    CHECK(runs[1].last == 3);
    CHECK(runs[1].chosen);
    CHECK_FALSE(runs[4].chosen);
    REQUIRE(choice_runs({}, 6).size() == 1);
    CHECK(choice_runs({}, 6)[0].chosen);
}

TEST_CASE("strips lie along the whole of a map's sides, and a place in one is its row or column") {
    const Figure figure = heatmap(three_by_four(), with_strips(), frame());
    const Box cells = strip_of(figure);
    const auto strips = strips_of(figure);
    REQUIRE(strips.size() == 2);
    CHECK(strips[0].box.y == cells.y);
    CHECK(strips[0].box.h == cells.h);
    CHECK(strips[0].box.x + strips[0].box.w <= cells.x);
    CHECK(strips[1].box.x == cells.x);
    CHECK(strips[1].box.w == cells.w);
    CHECK(strips[1].box.y + strips[1].box.h <= cells.y);
    const auto row = pick(figure, {strips[0].box.x + 5, cells.y + cells.h * 0.5f});
    REQUIRE(row.has_value());
    CHECK(row->as<tag::Strip>()->of == StripOf::queries);
    CHECK(row->row == 1);
    CHECK(row->col == 0);
    const auto col = pick(figure, {cells.x + cells.w * 0.9f, strips[1].box.y + 5});
    REQUIRE(col.has_value());
    CHECK(col->as<tag::Strip>()->of == StripOf::keys);
    CHECK(col->col == 3);
    const auto value = heat_at(figure, {strips[0].box.x + 5, cells.y + cells.h * 0.5f});
    REQUIRE(value.has_value());
    CHECK(value->value == 0.25f);
}

TEST_CASE("strips of a part of a map are of that part") {
    HeatmapOptions options = with_strips();
    options.viewport = Viewport{1, 2, 2, 2};
    const Figure figure = heatmap(three_by_four(), options, frame());
    const Box cells = strip_of(figure);
    const auto strips = strips_of(figure);
    const auto row = pick(figure, {strips[0].box.x + 5, cells.y + cells.h * 0.9f});
    CHECK(row->row == 2);
    const auto col = pick(figure, {cells.x + cells.w * 0.1f, strips[1].box.y + 5});
    CHECK(col->col == 2);
}

TEST_CASE("rows and columns that are not chosen fade, and the choice is marked on the strips") {
    HeatmapOptions options = with_strips();
    options.chosen_rows = {1};
    options.chosen_cols = {0, 3};
    const Figure figure = heatmap(three_by_four(), options, frame());
    CHECK(difference_from_golden("heatmap_filtered", dump(figure)) == "");
}

TEST_CASE("without strips and choice a map is as it always was") {
    const std::string plain = dump(heatmap(three_by_four(), {}, frame()));
    CHECK(plain.find("strip") == std::string::npos);
    const std::string tinted = dump(heatmap(three_by_four(), with_strips(), frame()));
    CHECK(tinted.find("strip") != std::string::npos);
}

TEST_CASE("strips of layers and heads go along their thumbnails, and others fade") {
    HeadGrid grid;
    grid.title = "Encoder self-attention";
    grid.layers = 2;
    grid.heads = 3;
    grid.maps.assign(6, three_by_four().values);
    grid.layer_strip = Strip{row_of({0.5f, 0.25f}, true), true};
    grid.head_strip = Strip{row_of({1, 1, 1}, false), false};
    grid.chosen_layers = {1};
    const Figure figure = head_grid(grid, frame());
    CHECK(difference_from_golden("head_grid_filtered", dump(figure)) == "");
    const auto strips = strips_of(figure);
    REQUIRE(strips.size() == 2);
    for (const Target& t : figure.targets) {
        const auto* at = t.as<tag::Head>();
        if (!at) continue;
        const Point middle{t.box.x + t.box.w / 2, t.box.y + t.box.h / 2};
        const auto layer = pick(figure, {strips[0].box.x + 5, middle.y});
        CHECK(layer->row == at->layer);
        const auto head = pick(figure, {middle.x, strips[1].box.y + 5});
        CHECK(head->col == at->head);
    }
}

TEST_CASE("every small map frames the chosen cell, and what a filter leaves out of it fades") {
    HeadGrid grid;
    grid.layers = 1;
    grid.heads = 2;
    grid.maps.assign(2, three_by_four().values);
    const auto accents = [&](const Figure& figure) {
        return std::ranges::count_if(figure.items, [](const Primitive& item) {
            const auto* stroke = std::get_if<Stroke>(&item);
            return stroke && stroke->color == light_theme().accent;
        });
    };
    CHECK(accents(head_grid(grid, frame())) == 0);
    grid.cell = std::pair(1, 2);
    grid.chosen_rows = {1};
    const Figure figure = head_grid(grid, frame());
    CHECK(accents(figure) == 2);
    int maps = 0;
    for (const Primitive& item : figure.items) {
        const auto* heat = std::get_if<Heat>(&item);
        if (!heat) continue;
        ++maps;
        CHECK(heat->veils.rows.size() == 2); // above the row and below it
        CHECK(heat->veils.cols.empty());
    }
    CHECK(maps == 2);
    grid.cell = std::pair(3, 2); // of another text
    CHECK(accents(head_grid(grid, frame())) == 0);
}

TEST_CASE("a strip that says nothing is of no colour of the map") {
    HeatmapOptions options = with_strips();
    options.row_strip->tinted = false;
    const Figure figure = heatmap(three_by_four(), options, frame());
    const auto strips = strips_of(figure);
    CHECK_FALSE(heat_at(figure, {strips[0].box.x + 5, strips[0].box.y + 5}).has_value());
}

TEST_CASE("with a filter there are no frames on a strip of no colour, nor pieces of a cross") {
    HeatmapOptions options = with_strips();
    options.row_strip->tinted = false;
    options.chosen_rows = {1};
    const auto strokes = [&] {
        const Figure figure = heatmap(three_by_four(), options, frame());
        const Box strip = strips_of(figure)[0].box, cells = strip_of(figure);
        std::size_t on_strip = 0, across = 0;
        for (const Primitive& item : figure.items) {
            const auto* stroke = std::get_if<Stroke>(&item);
            if (!stroke) continue;
            on_strip += stroke->color == light_theme().accent && stroke->box.x < cells.x &&
                        stroke->box.x >= strip.x;
            across +=
                stroke->box.y >= cells.y && stroke->box.w == cells.w && stroke->box.h < cells.h / 2;
        }
        return std::pair(on_strip, across);
    };
    CHECK(strokes() == std::pair<std::size_t, std::size_t>(0, 0));
    options.selected = {2, 2};
    CHECK(strokes().second == 0);
    options.chosen_rows.clear();
    CHECK(strokes().second > 0);
}

TEST_CASE("frames in the colour of a score stand clear of the strips, which may be hidden") {
    HeadGrid grid;
    grid.layers = 2;
    grid.heads = 3;
    grid.maps.assign(6, three_by_four().values);
    grid.layer_strip = Strip{row_of({1, 1}, true), false};
    grid.head_strip = Strip{row_of({1, 1, 1}, false), false};
    grid.shades.assign(6, 0.5f);
    grid.shade_range = range_between(nullptr, PaletteId::amber, {0, 1}, "score");
    const Color shade = colour_of(PaletteId::amber, 0.5f, 0, 1);
    const Figure figure = head_grid(grid, frame());
    const auto strips = strips_of(figure);
    REQUIRE(strips.size() == 2);
    const float right = strips[0].box.x + strips[0].box.w - kStripGap + 1; // a hidden one's ground
    const float below = strips[1].box.y + strips[1].box.h - kStripGap + 1;
    int frames = 0;
    for (const Primitive& item : figure.items) {
        const auto* stroke = std::get_if<Stroke>(&item);
        if (!stroke || !(stroke->color == shade)) continue;
        ++frames;
        CHECK(stroke->box.x >= right);
        CHECK(stroke->box.y >= below);
    }
    CHECK(frames == 6);
}

TEST_CASE("a strip above a narrow map still says what it is") {
    MapData map = map_of(weights(9, 9), repeated(kEnglish, 9), repeated(kEnglish, 9));
    HeatmapOptions options;
    options.col_strip = Strip{weights(1, 9), true};
    for (const float width : {340.f, 420.f, 900.f}) {
        INFO(width);
        const Figure figure = heatmap(map, options, frame_of(width, 420));
        const auto texts = texts_of(figure);
        CHECK(std::any_of(texts.begin(), texts.end(), [](const Text& text) {
            return text.text.find("attention received, max ") != std::string::npos;
        }));
    }
}
