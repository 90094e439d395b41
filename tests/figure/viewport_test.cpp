#include "catch.hpp"

#include "figure/base/levels.hpp"
#include "figure/base/value_range.hpp"
#include "figure/base/viewport.hpp"
#include "samples.hpp"
#include "texts.hpp"

#include <cmath>
#include <limits>
#include <random>

using namespace heed::figure;
using namespace samples;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

MapData large_map(Index n) {
    MapData map;
    map.title = "large";
    auto values = std::make_shared<Matrix<float>>(n, n);
    std::mt19937 random(5);
    for (Index i = 0; i < values->size(); ++i) {
        values->data()[i] = static_cast<float>(random() % 1000) / 1000;
    }
    map.values = values;
    for (Index i = 0; i < n; ++i) {
        map.row_labels.push_back("q" + std::to_string(i));
        map.col_labels.push_back("k" + std::to_string(i));
    }
    return map;
}

const Heat& map_heat(const Figure& figure) {
    for (const Primitive& item : figure.items) {
        const auto* heat = std::get_if<Heat>(&item);
        if (heat != nullptr && heat->values->cols() > 1) return *heat;
    }
    FAIL("no map");
    return std::get<Heat>(figure.items[0]);
}

const Target& cells_of(const Figure& figure) {
    for (const Target& target : figure.targets) {
        if (target.as<tag::Cells>()) return target;
    }
    FAIL("no cells");
    return figure.targets[0];
}

} // namespace

TEST_CASE("zooming keeps the place under the pointer, and never leaves the grid") {
    const Viewport all = whole(2048, 1024);
    const Point at{0.25f, 0.75f};
    Viewport v = all;
    for (int i = 0; i < 12; ++i) {
        const float row = v.row + at.y * v.rows, col = v.col + at.x * v.cols;
        v = zoomed(v, 1.25f, at, 2048, 1024);
        CHECK(v.row + at.y * v.rows == Approx(row).epsilon(1e-4));
        CHECK(v.col + at.x * v.cols == Approx(col).epsilon(1e-4));
        CHECK(v.rows / v.cols == Approx(2).epsilon(1e-4));
    }
    for (int i = 0; i < 100; ++i) v = zoomed(v, 1.25f, at, 2048, 1024);
    CHECK(std::min(v.rows, v.cols) == Approx(2));
    for (int i = 0; i < 200; ++i) v = zoomed(v, 0.8f, at, 2048, 1024);
    CHECK(v == all);
    v = moved(zoomed(all, 4, at, 2048, 1024), 1e6f, -1e6f, 2048, 1024);
    CHECK(v.row + v.rows == Approx(2048));
    CHECK(v.col == 0);
    // Of one cell there is nothing closer; a saved place of another sentence is moved inside.
    CHECK(zoomed(whole(1, 1), 2, {0.5f, 0.5f}, 1, 1) == whole(1, 1));
    CHECK(inside({900, 900, 100, 100}, 10, 5) == whole(10, 5));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(inside({nan, nan, nan, nan}, 10, 5) == whole(10, 5));
}

TEST_CASE("a part of the map fills the very place of the whole, labelled with its own tokens") {
    MapData map = large_map(40);
    HeatmapOptions options;
    const Figure before = heatmap(map, options, frame_of(900, 700));
    options.viewport = Viewport{10.6f, 4, 5, 5};
    options.selected = {12, 6};
    const Figure part = heatmap(map, options, frame_of(900, 700));
    CHECK(std::abs(map_heat(part).box.x - map_heat(before).box.x) < 12);
    CHECK(map_heat(part).values == map_heat(before).values); // one shared matrix
    CHECK(map_heat(part).shown == options.viewport);
    int rows = 0, cols = 0;
    for (const Target& target : part.targets) {
        rows += target.as<tag::RowLabel>() != nullptr;
        cols += target.as<tag::ColLabel>() != nullptr;
    }
    CHECK(rows == 5); // 11 to 15: those whose middle is seen
    CHECK(cols == 5);
    CHECK(has_text(part, "q11"));
    CHECK_FALSE(has_text(part, "q10"));
    CHECK_FALSE(has_text(part, "q16"));
    CHECK(has_text(part, "query 11–16 of 40 · key 5–9 of 40"));
    // What is pointed at is the cell that is drawn there, and cell_box says where it lies.
    const Target& cells = cells_of(part);
    const Box box = cell_box(cells, 12, 6);
    const auto hit = pick(part, {box.x + box.w / 2, box.y + box.h / 2});
    REQUIRE(hit);
    CHECK(hit->row == 12);
    CHECK(hit->col == 6);
    const auto under = heat_at(part, {box.x + box.w / 2, box.y + box.h / 2});
    REQUIRE(under);
    CHECK(under->value == (*map.values)(12, 6));
    // Numbers of the cells that are seen, and of no other.
    int numbers = 0;
    for (const Text& text : texts_of(part)) numbers += text.style.font == Font::mono;
    CHECK(numbers <= 25 + 3);
    CHECK(numbers >= 16);
}

TEST_CASE("nothing of a part is drawn outside of its grid") {
    MapData map = large_map(30);
    map.rows_without_distribution = {3, 4, 12};
    HeatmapOptions options;
    options.viewport = Viewport{2.5f, 7.5f, 6, 6};
    for (const auto& cell :
         {std::pair(3, 9), std::pair(2, 7), std::pair(20, 9), std::pair(4, 29)}) {
        options.selected = cell;
        options.hovered = cell;
        const Figure figure = heatmap(map, options, frame_of(800, 600));
        const Box grid = map_heat(figure).box;
        for (const Primitive& item : figure.items) {
            const auto* fill = std::get_if<Fill>(&item);
            const auto* stroke = std::get_if<Stroke>(&item);
            const auto* text = std::get_if<Text>(&item);
            if (text != nullptr && text->style.font == Font::mono && text->at.x < grid.x + grid.w) {
                const Extent size = measure(text->text, text->style);
                CHECK(text->at.x - size.width / 2 >= grid.x - 1); // a number in its cell
                CHECK(text->at.x + size.width / 2 <= grid.x + grid.w + 1);
            }
            if (fill == nullptr && stroke == nullptr) continue;
            const Box box = fill != nullptr ? fill->box : stroke->box;
            if (box.x > grid.x + grid.w) continue; // the colour bar
            CHECK(box.x >= grid.x - 3);
            CHECK(box.y >= grid.y - 3);
            CHECK(box.x + box.w <= grid.x + grid.w + 3);
            CHECK(box.y + box.h <= grid.y + grid.h + 3);
        }
    }
}

TEST_CASE("each level keeps the strongest of four, and none where nothing is finite") {
    Matrix<float> values = Matrix<float>::Zero(129, 70);
    values(128, 69) = -3;
    values.block(0, 0, 2, 2).setConstant(-kInf);
    const auto levels = make_levels(values);
    REQUIRE(levels->coarser.size() == 2);
    CHECK(levels->coarser[0]->rows() == 65);
    CHECK(levels->coarser[0]->cols() == 35);
    CHECK(levels->coarser[1]->rows() == 33);
    CHECK((*levels->coarser[0])(64, 34) == -3);
    CHECK((*levels->coarser[1])(32, 17) == -3);
    CHECK_FALSE(std::isfinite((*levels->coarser[0])(0, 0)));
    CHECK((*levels->coarser[1])(0, 0) == 0);
    const auto shared = std::make_shared<const Matrix<float>>(values);
    CHECK(level_for(shared, levels.get(), 3).values == shared);
    CHECK(level_for(shared, levels.get(), 0.6f).values == shared);
    CHECK(level_for(shared, levels.get(), 0.5f).cells == 2);
    CHECK(level_for(shared, levels.get(), 0.01f).cells == 4);
    CHECK(level_for(shared, nullptr, 0.01f).cells == 1);
}

TEST_CASE("a prepared map has the colours that it would have without") {
    MapData map = large_map(300);
    for (const bool weights : {true, false}) {
        map.weights = weights;
        map.signed_values = !weights;
        for (const RangeMode mode : {RangeMode::row, RangeMode::map, RangeMode::fixed}) {
            map.prepared = nullptr;
            const ValueRange plain = value_range(map, mode, {}, light_theme());
            map.prepared = prepared(map.values);
            REQUIRE(map.prepared);
            const ValueRange range = value_range(map, mode, {}, light_theme());
            CHECK(range.low == plain.low);
            CHECK(range.high == plain.high);
            CHECK(range.high_text == plain.high_text);
            CHECK((*range.values - *plain.values).cwiseAbs().maxCoeff() == 0);
            CHECK(range.levels);
        }
    }
    CHECK_FALSE(prepared(std::make_shared<const Matrix<float>>(Matrix<float>::Zero(9, 9))));
}
