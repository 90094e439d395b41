#include "catch.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/pen.hpp"
#include "figure/base/sheet.hpp"
#include "figure/parts/series_chart.hpp"
#include "figure/views/plots.hpp"
#include "recurrent_samples.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using namespace heed::figure;
using namespace samples;

namespace {

constexpr std::pair<float, float> kSizes[] = {{1200, 900}, {937, 640}, {640, 480},
                                              {420, 520},  {300, 240}, {0, 0}};

} // namespace

TEST_CASE("labels of a heat map keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : kSizes) {
        for (const Index n : {1, 2, 7, 13, 32, 60}) {
            for (const auto* list : {&kEnglish, &kChinese, &kMixed}) {
                INFO(n << " tokens in " << width << " × " << height);
                const auto labels = repeated(*list, n);
                HeatmapOptions options;
                options.selected = {static_cast<int>(n / 2), static_cast<int>(n - 1)};
                Frame frame = frame_of(width, height, measure);
                frame.caption = "transformer base · seed 1 · encoder layer 5 · head 3";
                check_texts(heatmap(map_of(weights(n, n), labels, labels), options, frame),
                            measure);
            }
        }
    }
}

TEST_CASE("labels of the other figures keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : kSizes) {
        INFO(width << " × " << height);
        const Frame frame = frame_of(width, height, measure);
        for (const Index n : {1, 7, 20}) {
            const auto labels = repeated(kMixed, n);
            LinksOptions links;
            links.selected = {0, static_cast<int>(n - 1)};
            check_texts(arcs(map_of(weights(n, n), labels, labels), links, frame), measure);
            check_texts(lines(map_of(weights(n, 7), labels, kChinese), links, frame), measure);
        }
        HeadGrid grid;
        grid.title = "Encoder self-attention";
        grid.layers = 12;
        grid.heads = 16;
        grid.maps.assign(12 * 16, weights(4, 4));
        grid.selected = {10, 14};
        check_texts(head_grid(grid, frame), measure);
    }
}

TEST_CASE("every cell is found at its centre, and gives back its row and column") {
    for (const auto& [rows, cols] : {std::pair<Index, Index>{6, 7}, {1, 1}, {40, 90}}) {
        const Figure figure =
            heatmap(map_of(weights(rows, cols), repeated(kEnglish, rows), repeated(kEnglish, cols)),
                    {}, frame_of(800, 600));
        const auto target =
            std::find_if(figure.targets.begin(), figure.targets.end(),
                         [](const Target& t) { return t.as<tag::Cells>() != nullptr; });
        REQUIRE(target != figure.targets.end());
        for (Index row = 0; row < rows; ++row) {
            for (Index col = 0; col < cols; ++col) {
                const Box& box = target->box;
                const Point centre{
                    box.x + (static_cast<float>(col) + 0.5f) * box.w / static_cast<float>(cols),
                    box.y + (static_cast<float>(row) + 0.5f) * box.h / static_cast<float>(rows)};
                const auto hit = pick(figure, centre);
                REQUIRE(hit);
                REQUIRE(hit->as<tag::Cells>());
                REQUIRE(hit->row == row);
                REQUIRE(hit->col == col);
            }
        }
        CHECK_FALSE(pick(figure, {-1, -1}));
    }
}

TEST_CASE("a number in a cell is the value of that cell, rounded") {
    MapData map = map_of(signed_values(8, 8, 7.77f), repeated(kEnglish, 8), repeated(kEnglish, 8));
    map.weights = false;
    map.signed_values = true;
    for (const bool as_weights : {false, true}) {
        if (as_weights) map = map_of(weights(8, 8, true), map.row_labels, map.col_labels);
        const Figure figure = heatmap(map, {}, frame_of(900, 700));
        int numbers = 0;
        for (const Text& text : texts_of(figure)) {
            const auto hit = pick(figure, text.at);
            if (!hit || !hit->as<tag::Cells>()) continue;
            std::string digits = text.text;
            if (digits.starts_with("−")) digits.replace(0, std::string("−").size(), "-");
            const float value = (*map.values)(hit->row, hit->col);
            INFO(text.text << " for " << value);
            REQUIRE(std::abs(std::stof(digits) - value) <= 0.00501f);
            ++numbers;
        }
        CHECK(numbers == (as_weights ? 8 * 9 / 2 : 64)); // masked cells have none
    }
}

TEST_CASE("masked cells show no number, nor do weights that would be 0.00") {
    auto values = std::make_shared<Matrix<float>>(3, 3);
    values->setConstant(0.006f);
    (*values)(2, 0) = 0.004f;
    (*values)(0, 1) = -std::numeric_limits<float>::infinity();
    (*values)(0, 2) = std::numeric_limits<float>::quiet_NaN();
    (*values)(1, 2) = 0;
    const MapData map = map_of(values, repeated(kEnglish, 3), repeated(kEnglish, 3));
    const auto texts = texts_of(heatmap(map, {}, frame_of(600, 500)));
    const auto shown = [&](const char* number) {
        return std::ranges::count(texts, number, &Text::text);
    };
    CHECK(shown("0.01") == 5);
    CHECK(shown("0.00") == 0);
}

TEST_CASE("labels are kept verbatim in every script") {
    const auto n = static_cast<Index>(kMixed.size());
    const Figure figure = heatmap(map_of(weights(n, n), kMixed, kMixed), {}, frame_of(1600, 1400));
    const auto texts = texts_of(figure);
    for (const std::string& label : kMixed) {
        if (label.empty()) continue;
        INFO(label);
        const auto times = std::count_if(texts.begin(), texts.end(),
                                         [&](const Text& text) { return text.text == label; });
        CHECK(times == 2);
    }
}

TEST_CASE("a label that is too long keeps its two ends, and whole letters") {
    const std::string emoji = "👩‍👩‍👧";
    const std::string label = emoji + std::string(200, 'x') + "苹果";
    const Figure figure =
        heatmap(map_of(weights(2, 2), {label, "b"}, {"a", "b"}), {}, frame_of(500, 400));
    const auto texts = texts_of(figure);
    const auto found = std::find_if(texts.begin(), texts.end(), [](const Text& text) {
        return text.text.find("…") != std::string::npos;
    });
    REQUIRE(found != texts.end());
    CHECK(found->text.starts_with(emoji));
    CHECK(found->text.ends_with("苹果"));
}

TEST_CASE("maps of nothing, of one cell and of frames without room give a figure") {
    for (const auto& [rows, cols] :
         {std::pair<Index, Index>{0, 0}, {0, 4}, {4, 0}, {1, 1}, {1, 300}, {300, 1}}) {
        for (const float side :
             {0.f, 1.f, 17.f, 90.f, 500.f, -5.f, 1e30f, std::numeric_limits<float>::quiet_NaN()}) {
            INFO(rows << " × " << cols << " in " << side);
            const MapData map =
                map_of(std::make_shared<Matrix<float>>(Matrix<float>::Constant(rows, cols, 0.25f)),
                       repeated(kMixed, rows), repeated(kMixed, cols));
            const Frame frame = frame_of(side, side);
            LinksOptions links;
            links.selected = {99, -3};
            HeatmapOptions options;
            options.selected = {99, -3};
            options.hovered = {-1, 4000};
            CHECK(std::isfinite(heatmap(map, options, frame).height));
            CHECK(std::isfinite(lines(map, links, frame).height));
            if (rows == cols) CHECK(std::isfinite(arcs(map, links, frame).height));
            CHECK(std::isfinite(head_grid({}, frame).height));
            CHECK(std::isfinite(stage_strip({}, 0, frame).height));
            CHECK(std::isfinite(stage_strip({StageThumbnail{}}, 0, frame).height));
        }
    }
    CHECK(std::isfinite(heatmap({}, {}, frame_of(300, 200)).width));
}

TEST_CASE("a map of what is not finite gives a figure") {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(),
                              -std::numeric_limits<float>::infinity(), 3e38f, -3e38f, 1e-42f}) {
        auto values = std::make_shared<Matrix<float>>(Matrix<float>::Constant(3, 3, value));
        MapData map = map_of(values, repeated(kEnglish, 3), repeated(kEnglish, 3));
        for (const RangeMode mode : {RangeMode::row, RangeMode::map, RangeMode::fixed}) {
            for (const bool is_signed : {false, true}) {
                map.signed_values = is_signed;
                map.weights = !is_signed;
                HeatmapOptions options;
                options.range = mode;
                const Figure figure = heatmap(map, options, frame_of(500, 400));
                for (const Primitive& item : figure.items) {
                    if (const Heat* heat = std::get_if<Heat>(&item)) {
                        CHECK(std::isfinite(heat->low));
                        CHECK(heat->high > heat->low);
                    }
                }
            }
        }
    }
}

TEST_CASE("two thousand tokens are one heat primitive with thinned labels and no numbers") {
    const auto labels = repeated(kEnglish, 2000);
    auto values = std::make_shared<Matrix<float>>(Matrix<float>::Zero(2000, 2000));
    (*values)(1234, 77) = 0.9f;
    HeatmapOptions options;
    options.selected = {1234, 77};
    const Figure figure = heatmap(map_of(values, labels, labels), options, frame_of(937, 640));
    CHECK(texts_of(figure).size() < 120);
    int maps = 0;
    for (const Primitive& item : figure.items) {
        const Heat* heat = std::get_if<Heat>(&item);
        if (heat == nullptr || heat->values->cols() == 1) continue; // the colour bar has one column
        ++maps;
        CHECK(heat->values->maxCoeff() == 0.9f); // the only peak is still there
    }
    CHECK(maps == 1);
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("a selection outside the map is not drawn") {
    const MapData map = map_of(weights(3, 3), repeated(kEnglish, 3), repeated(kEnglish, 3));
    HeatmapOptions options;
    const std::string plain = dump(heatmap(map, options, frame_of(500, 400)));
    options.selected = {3, 0};
    options.hovered = {0, -1};
    CHECK(dump(heatmap(map, options, frame_of(500, 400))) == plain);
}

TEST_CASE("rows without any key are hatched and say why") {
    MapData map = map_of(weights(6, 6), repeated(kEnglish, 6), repeated(kEnglish, 6));
    map.rows_without_distribution = {1, 2, 4};
    const Figure figure = heatmap(map, {}, frame_of(700, 600));
    const auto texts = texts_of(figure);
    CHECK(std::count_if(texts.begin(), texts.end(), [](const Text& text) {
              return text.text == "no key: all are masked";
          }) == 2); // one for each run of rows
    const auto heat = std::find_if(figure.items.begin(), figure.items.end(),
                                   [](auto& item) { return std::holds_alternative<Heat>(item); });
    CHECK(std::get<Heat>(*heat).hatched_rows == std::vector<Index>{1, 2, 4});
}

TEST_CASE("masked cells are hatched in a colour that no value has, down to the smallest cells") {
    for (const Index n : {6, 60, 2000}) {
        MapData map = map_of(weights(n, n, true), repeated(kEnglish, n), repeated(kEnglish, n));
        for (Index i = 0; i + 1 < n; ++i) map.masked.push_back({i, i + 1, n});
        const Figure figure = heatmap(map, {}, frame_of(800, 700));
        CHECK(has_text(figure, "masked"));
        const auto item = std::find_if(figure.items.begin(), figure.items.end(),
                                       [](auto& i) { return std::holds_alternative<Heat>(i); });
        const Heat& heat = std::get<Heat>(*item);
        const auto boxes = hatched_boxes(heat);
        REQUIRE_FALSE(boxes.empty());
        CHECK(boxes.size() <= 700); // no more than there are points
        float area = 0;
        for (const HatchedBox& box : boxes) {
            CHECK(box.ground == not_finite(heat.palette));
            CHECK(box.hatched == (n < 100));
            area += box.box.w * box.box.h;
            // Nothing of what a query may look at is covered.
            const Index row = static_cast<Index>(
                (box.box.y - heat.box.y) / heat.box.h * static_cast<float>(n) + 0.01f);
            const float first =
                heat.box.x + static_cast<float>(row + 1) * heat.box.w / static_cast<float>(n);
            CHECK(box.box.x >= first - 0.01f);
        }
        const float share = area / (heat.box.w * heat.box.h);
        CHECK(std::abs(share - static_cast<float>(n - 1) / static_cast<float>(2 * n)) < 0.01f);
    }
    CHECK_FALSE(has_text(heatmap(map_of(weights(6, 6), kEnglish, kEnglish), {}, frame_of(800, 700)),
                         "masked"));
}

TEST_CASE("maps beside each other have cells of one size at one place, whatever they have to say") {
    const Index n = 10;
    MapData left = map_of(weights(n, n), kEnglish, kEnglish), right = left;
    right.subtitle += " · scale off · temperature 0.5 · 3 edited weights · mask causal";
    right.row_notes = {{7, "edited", false}};
    HeatmapOptions options;
    options.range = RangeMode::map;
    auto louder = std::make_shared<Matrix<float>>(*left.values);
    *louder *= 0.5f;
    right.values = louder;
    const auto boxes = [&](const MapData& a, const MapData& b) {
        Frame half = frame_of(560, 640);
        half.beside_title = 300;
        half.subtitle_lines = 2;
        const Figure figure = heatmaps_beside({a, options, half}, {b, options, half});
        std::vector<Target> cells;
        for (const Target& t : figure.targets) {
            if (t.as<tag::Cells>()) cells.push_back(t);
        }
        REQUIRE(cells.size() == 2);
        return cells;
    };
    const auto cells = boxes(left, right);
    CHECK(cells[0].box.y == cells[1].box.y);
    CHECK(cells[0].box.w == cells[1].box.w);
    CHECK(cells[0].box.h == cells[1].box.h);
    CHECK(cells[0].box.x + 560 == cells[1].box.x);
    // Without the words they lie where they lay.
    const auto plain = boxes(left, left);
    CHECK(plain[0].box == cells[0].box);
    // Of other shapes the cells are as large.
    MapData shorter = map_of(weights(4, 6), repeated(kEnglish, 4), repeated(kEnglish, 6));
    const auto unlike = boxes(left, shorter);
    CHECK(std::abs(unlike[0].box.w / 10 - unlike[1].box.w / 6) < 0.01f);
    CHECK(std::abs(unlike[0].box.h / 10 - unlike[1].box.h / 4) < 0.01f);
}

TEST_CASE("the reading of two maps beside each other is as wide as both, and whole") {
    const MapData map = map_of(weights(9, 9), kEnglish, kEnglish);
    const std::string words =
        "Largest change from original: “the” at position 7 to “not”, was 0.440, now 0.957.";
    for (const float width : {310.f, 380.f, 460.f}) {
        INFO(width);
        Frame half = frame_of(width, 420);
        half.beside_title = width;
        half.subtitle_lines = 2;
        half.reading_lines = 2;
        Frame left = half;
        left.reading = words;
        MapData right = map;
        right.subtitle += " · scale off";
        const Figure figure = heatmaps_beside({map, {}, left}, {right, {}, half});
        CHECK(has_text(figure, words));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("names of rows beside two maps are smaller before one is cut, and alike") {
    std::vector<std::string> words = kEnglish;
    words[2] = "professeur";
    const MapData map = map_of(weights(9, 9), words, kEnglish);
    Frame left = frame_of(241, 430), right = frame_of(299, 430); // of a window of 1100 × 700
    left.margin = right.margin = 24;
    const Figure figure = heatmaps_beside({map, {}, left}, {map, {}, right});
    check_texts(figure, &heed::figure::measure);
    std::multiset<float> sizes;
    for (const Text& text : texts_of(figure)) {
        if (text.text == "professeur") sizes.insert(text.style.size);
    }
    REQUIRE(sizes.size() == 2);
    CHECK(*sizes.begin() == *sizes.rbegin());
}

TEST_CASE("maps beside each other name every column where turned words have room") {
    const std::vector<std::string> words = {"the", "young", "woman", "did", "not", "give", "it",
                                            "old", "red",   "book",  "to",  "a",   "boy",  "now"};
    const MapData map = map_of(weights(14, 14), words, words);
    HeatmapOptions options;
    options.selected = {12, 12};
    for (const float width : {318.f, 340.f, 400.f}) {
        INFO(width);
        Frame half = frame_of(width, 430);
        half.beside_title = width;
        half.subtitle_lines = 2;
        const Figure figure = heatmaps_beside({map, options, half}, {map, options, half});
        for (const std::string& word : words) {
            INFO(word);
            CHECK(std::ranges::count_if(texts_of(figure), [&](const Text& text) {
                      return text.text == word && text.degrees != 0;
                  }) == 2);
        }
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("maps above each other have one bar, cells of one size, and every name") {
    const std::vector<std::string> words = {"the", "young", "woman", "did", "not", "give", "it",
                                            "old", "red",   "book",  "to",  "a",   "boy",  "now"};
    const MapData map = map_of(weights(14, 14), words, words);
    const Frame half = frame_of(196, 0), whole = frame_of(391, 0);
    CHECK_FALSE(named_heatmaps_beside({map, {}, half}, {map, {}, half}));
    const Figure figure = heatmaps_stacked({map, {}, whole}, {map, {}, whole});
    CHECK(figure.width == 391);
    for (const std::string& word : words) {
        INFO(word);
        CHECK(std::ranges::count_if(texts_of(figure),
                                    [&](const Text& text) { return text.text == word; }) == 4);
    }
    std::vector<Box> cells;
    for (const Target& t : figure.targets) {
        if (t.as<tag::Cells>()) cells.push_back(t.box);
    }
    REQUIRE(cells.size() == 2);
    CHECK(cells[0].x == cells[1].x);
    CHECK(cells[0].w == cells[1].w);
    CHECK(cells[0].h == cells[1].h);
    CHECK(cells[0].y + cells[0].h < cells[1].y);
    CHECK(std::ranges::count_if(texts_of(figure),
                                [](const Text& text) { return text.text == "weights"; }) == 1);
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("slanted words above the last columns of a map without a bar are whole") {
    std::vector<std::string> words = kEnglish;
    words.back() = "pomme";
    const MapData map = map_of(weights(10, 10), words, words);
    HeatmapOptions options;
    options.colour_bar = false;
    options.selected = {9, 9};
    for (const float width : {180.f, 200.f, 240.f}) {
        INFO(width);
        const auto texts = texts_of(heatmap(map, options, frame_of(width, 320)));
        CHECK(std::ranges::any_of(texts, [](const Text& text) {
            return text.text == "pomme" && text.degrees != 0;
        }));
    }
}

TEST_CASE("maps beside each other in a file have no empty lines below their titles") {
    const MapData map = map_of(weights(6, 6), kEnglish, kEnglish);
    MapData longer = map;
    longer.subtitle += " · scale off · temperature 0.5 · 3 edited weights · mask causal · gain 2";
    const auto tops = [](const MapData& a, const MapData& b, float width) {
        Frame half = frame_of(width, 640);
        half.subtitle_lines = 2;
        std::vector<float> found;
        for (const Target& t : heatmaps_beside({a, {}, half}, {b, {}, half}).targets) {
            if (t.as<tag::Cells>()) found.push_back(t.box.y);
        }
        REQUIRE(found.size() == 2);
        CHECK(found[0] == found[1]);
        return found[0];
    };
    float alone = 0;
    for (const Target& t : heatmap(map, {}, frame_of(800, 640)).targets) {
        if (t.as<tag::Cells>()) alone = t.box.y;
    }
    CHECK(tops(map, map, 800) == alone);
    CHECK(tops(map, longer, 800) > alone);      // one line below, of both
    CHECK(tops(map, longer, 800) < alone + 25); // and no second one
    CHECK(tops(map, longer, 400) > tops(map, map, 400));
}

TEST_CASE("a sheet leaves no word alone in the last of its lines") {
    const Frame frame = frame_of(400, 300);
    const Sheet sheet(frame, 400, 300);
    const std::string words = "change when the first word of one side is replaced by another";
    for (float width = 120; width < 500; width += 7) {
        CAPTURE(width);
        const auto lines = sheet.wrapped(words, {11}, width, 9);
        std::string all;
        for (const std::string& line : lines) {
            all += (all.empty() ? "" : " ") + line;
            CHECK(sheet.width_of(line, {11}) <= width);
        }
        CHECK(all == words);
        CHECK(lines.back().find(' ') != std::string::npos);
    }
}

TEST_CASE("the colour bar names the ends of the range that colours the cells") {
    MapData map = map_of(weights(4, 4), repeated(kEnglish, 4), repeated(kEnglish, 4));
    HeatmapOptions options;
    Figure figure = heatmap(map, options, frame_of(1000, 500));
    CHECK(has_text(figure, "1.0"));
    CHECK(has_text(figure, "0.5"));
    CHECK(has_text(figure, "0"));
    CHECK(has_text(figure, "attention weight")); // what they are the weights of
    options.range = RangeMode::row;
    CHECK(has_text(heatmap(map, options, frame_of(700, 500)), "each row"));
    map.values = signed_values(4, 4, 2.5f);
    map.signed_values = true;
    map.weights = false;
    options.range = RangeMode::map;
    figure = heatmap(map, options, frame_of(700, 500));
    CHECK(has_text(figure, "2.5"));
    CHECK(has_text(figure, "−2.5"));
    CHECK(has_text(figure, "0-centred"));
    map.difference = true;
    CHECK(has_text(heatmap(map, options, frame_of(700, 500)), "difference"));
}

TEST_CASE("per-row colours give every row its own full range") {
    MapData map = map_of(weights(5, 5), repeated(kEnglish, 5), repeated(kEnglish, 5));
    HeatmapOptions options;
    options.range = RangeMode::row;
    const Figure figure = heatmap(map, options, frame_of(700, 500));
    const auto& heat = std::get<Heat>(figure.items[2]);
    for (Index row = 0; row < 5; ++row) CHECK(heat.values->row(row).maxCoeff() == 1);
}

TEST_CASE("cells under a frame end below its line") {
    const auto check = [](const Figure& figure) {
        int framed = 0;
        for (const Primitive& item : figure.items) {
            const auto* stroke = std::get_if<Stroke>(&item);
            if (!stroke || stroke->width != 1) continue;
            for (const Primitive& other : figure.items) {
                const auto* heat = std::get_if<Heat>(&other);
                if (!heat || std::abs(heat->box.x - stroke->box.x) > 1) continue;
                if (std::abs(heat->box.w - stroke->box.w) > 2) continue;
                if (std::abs(heat->box.h - stroke->box.h) > 2) continue;
                CHECK(heat->box.x > stroke->box.x);
                CHECK(heat->box.x + heat->box.w < stroke->box.x + stroke->box.w);
                ++framed;
            }
        }
        CHECK(framed > 0);
    };
    HeadGrid grid;
    grid.layers = grid.heads = 2;
    grid.maps.assign(4, weights(4, 4));
    check(head_grid(grid, frame_of(240, 0)));
    HeatmapOptions options;
    options.col_strip = Strip{weights(1, 6), true};
    check(heatmap(map_of(weights(6, 6), kEnglish, kEnglish), options, frame_of(800, 640)));
}

TEST_CASE("what lies between two stages of the strip and is not shown is said, where it has room") {
    std::vector<StageThumbnail> stages(6);
    for (StageThumbnail& stage : stages) {
        stage.label = "Q";
        stage.values = weights(6, 6);
    }
    stages[1].to_next = StageLink::layers;
    const Figure strip = stage_strip(stages, 2, frame_of(900, 104));
    CHECK(has_text(strip, "layers between"));
    check_texts(strip, &heed::figure::measure);
    CHECK_FALSE(has_text(stage_strip(stages, 2, frame_of(500, 60)), "layers between"));
    stages[1].to_next = StageLink::makes;
    CHECK_FALSE(has_text(stage_strip(stages, 2, frame_of(900, 104)), "layers between"));
    stages[4].to_next = StageLink::heads;
    CHECK(has_text(stage_strip(stages, 2, frame_of(900, 104)), "heads joined"));
}

TEST_CASE("dots between two stages are said to be layers, where those have no room upright") {
    for (const StageLink link : {StageLink::layers, StageLink::makes}) {
        for (const auto& [width, height] :
             {std::pair<float, float>{720, 560}, {482, 0}, {904, 0}, {1240, 700}}) {
            INFO(width << " × " << height);
            std::vector<StageThumbnail> stages(11);
            for (StageThumbnail& stage : stages) {
                stage.label = "Q";
                stage.values = weights(6, 6);
            }
            stages[1].to_next = link;
            const Figure figure = stage_strip(stages, 2, frame_of(width, height), "Stages");
            check_texts(figure, &heed::figure::measure);
            const bool upright = has_text(figure, "layers between");
            const bool told = has_text(figure, "…: layers between");
            CHECK(upright + told == (link == StageLink::layers ? 1 : 0));
        }
    }
}

TEST_CASE("the strip of a single head is as long as its map and the frame about it") {
    HeadGrid grid;
    grid.layers = grid.heads = 1;
    grid.maps.assign(1, weights(4, 4));
    grid.selected = {0, 0};
    grid.head_strip = Strip{weights(1, 1), false};
    const Figure figure = head_grid(grid, frame_of(240, 0));
    Box map{}, strip{};
    for (const Primitive& item : figure.items) {
        if (const auto* heat = std::get_if<Heat>(&item)) map = heat->box;
    }
    for (const Target& target : figure.targets) {
        if (target.as<tag::Strip>()) strip = target.box;
    }
    CHECK(strip.x >= map.x - 2);
    CHECK(strip.x + strip.w <= map.x + map.w + 2);
}

TEST_CASE("many layers of few heads leave room below them where the height is open") {
    const auto height = [](int layers, int heads) {
        HeadGrid grid;
        grid.layers = layers;
        grid.heads = heads;
        grid.maps.assign(static_cast<std::size_t>(layers * heads), weights(4, 4));
        return head_grid(grid, frame_of(240, 0)).height;
    };
    CHECK(height(6, 1) < 1.8f * 240);
    CHECK(height(12, 2) < 2.8f * 240);
    CHECK(height(1, 1) > 200);
    CHECK(height(2, 4) < height(4, 4));
}

TEST_CASE("every head, stage and link can be picked") {
    HeadGrid grid;
    grid.layers = 3;
    grid.heads = 5;
    grid.maps.assign(15, weights(4, 4));
    const Figure heads = head_grid(grid, frame_of(240, 0));
    std::set<std::pair<int, int>> found;
    for (const Target& target : heads.targets) {
        const Point centre{target.box.x + target.box.w / 2, target.box.y + target.box.h / 2};
        const auto hit = pick(heads, centre);
        REQUIRE(hit);
        const auto [layer, head] = std::get<tag::Head>(hit->tag);
        found.insert({layer, head});
    }
    CHECK(found.size() == 15);

    std::vector<StageThumbnail> stages(4);
    for (int i = 0; i < 4; ++i) stages[static_cast<std::size_t>(i)].id = 10 + i;
    const Figure strip = stage_strip(stages, 11, frame_of(600, 130));
    REQUIRE(strip.targets.size() == 4);
    CHECK(strip.targets[2].tag == Tag(tag::Stage{12}));

    stages[1].values = std::make_shared<const Matrix<float>>(Matrix<float>::Constant(3, 4, -0.5f));
    stages[1].rows = 3;
    stages[1].cols = 512;
    CHECK(dump(stage_strip(stages, 11, frame_of(600, 130))).find("512") == std::string::npos);
    CHECK(dump(stage_strip(stages, 11, frame_of(900, 600), "Stages")).find("3 × 512 · ±0.5") !=
          std::string::npos);

    LinksOptions every;
    every.threshold = 1;
    const Figure ribbons =
        lines(map_of(weights(3, 4), repeated(kEnglish, 3), repeated(kEnglish, 4)), every,
              frame_of(600, 300));
    const auto links = std::count_if(ribbons.targets.begin(), ribbons.targets.end(),
                                     [](const Target& t) { return t.as<tag::Link>() != nullptr; });
    CHECK(links == 12);
}

TEST_CASE("a stage says what its colours span, and maps to choose from span the same") {
    std::vector<StageThumbnail> cards(3);
    const float largest[] = {0.5f, 0.8f, 4};
    for (std::size_t i = 0; i < 3; ++i) {
        cards[i].label = "map";
        cards[i].values =
            std::make_shared<const Matrix<float>>(Matrix<float>::Constant(3, 3, largest[i]));
        cards[i].signed_values = i == 2;
        cards[i].id = static_cast<int>(i);
    }
    const Figure strip = stage_strip(cards, 0, frame_of(400, 132));
    for (const char* words : {"0–0.5", "0–0.8", "±4.00"}) CHECK(has_text(strip, words));
    cards[1].label = "a stage of a long name"; // all ranges or none: neighbours are alike
    for (const char* words : {"0–0.5", "0–0.8", "±4.00"}) {
        CHECK_FALSE(has_text(stage_strip(cards, 0, frame_of(400, 132)), words));
    }
    cards.pop_back();
    std::vector<float> ends;
    for (const Primitive& item : gallery(cards, 0, 2, frame_of(300, 0)).items) {
        if (const Heat* heat = std::get_if<Heat>(&item)) ends.push_back(heat->high);
    }
    CHECK(ends == std::vector<float>{0.8f, 0.8f});
}

TEST_CASE("stages tell their sizes whole, on two lines where one is too narrow") {
    std::vector<StageThumbnail> stages(11);
    for (StageThumbnail& stage : stages) {
        stage.label = "Q";
        stage.values =
            std::make_shared<const Matrix<float>>(Matrix<float>::Constant(10, 20, 15.1f));
        stage.cols = 512;
        stage.rows = 10;
    }
    for (const float width : {464.f, 900.f}) {
        for (const Primitive& item : stage_strip(stages, 0, frame_of(width, 560), "Stages").items) {
            const auto* text = std::get_if<Text>(&item);
            if (text != nullptr) CHECK(text->text.find("…") == std::string::npos);
        }
    }
    const Figure narrow = stage_strip(stages, 0, frame_of(464, 560), "Stages");
    CHECK(has_text(narrow, "10 × 512"));
    CHECK(has_text(narrow, "±15.10"));
}

TEST_CASE("the names of a recurrent model's stages are short rather than cut") {
    std::vector<StageThumbnail> stages(13);
    const char* names[] = {"embedding", "h encoder", "s decoder", "K",    "V",
                           "W s",       "U h",       "W s + U h", "tanh", "e scaled-dot",
                           "α softmax", "c context", "t readout"};
    for (std::size_t i = 0; i < stages.size(); ++i) {
        stages[i].label = names[i];
        stages[i].values = std::make_shared<const Matrix<float>>(Matrix<float>::Zero(3, 4));
    }
    const Figure strip = stage_strip(stages, 0, frame_of(872, 132));
    for (const Text& text : texts_of(strip)) {
        INFO(text.text);
        CHECK(text.text.find("…") == std::string::npos);
    }
    CHECK(has_text(strip, "Ws+Uh"));
    CHECK(has_text(strip, "e"));
    CHECK(has_text(stage_strip(stages, 0, frame_of(2400, 132)), "α softmax"));
}

TEST_CASE("one layer of heads stands in the middle of a high place") {
    HeadGrid grid;
    grid.layers = 1;
    grid.heads = 4;
    grid.maps.assign(4, weights(7, 7));
    Frame frame = frame_of(1020, 800, &plain_measure);
    frame.beside_title = 200; // the window's
    const Figure figure = head_grid(grid, frame);
    REQUIRE(figure.targets.size() == 4);
    const Box box = figure.targets[0].box;
    CHECK(std::abs(box.y - (800 - box.y - box.h)) < 60); // a line of numbers is above them
}

TEST_CASE("later targets lie above earlier ones") {
    Figure figure;
    figure.targets = {{{0, 0, 10, 10}, tag::Bar{1}}, {{5, 5, 10, 10}, tag::Bar{2}}};
    CHECK(pick(figure, {6, 6})->tag == Tag(tag::Bar{2}));
    CHECK(pick(figure, {4, 4})->tag == Tag(tag::Bar{1}));
    CHECK_FALSE(pick(figure, {20, 20}));
}

TEST_CASE("links below the cut-off, and what is no weight, are not drawn") {
    auto values = std::make_shared<Matrix<float>>(2, 2);
    *values << 0.5f, 0.05f, 0, std::numeric_limits<float>::quiet_NaN();
    LinksOptions options;
    options.cut_off = 0.1f;
    const Figure figure =
        lines(map_of(values, {"a", "b"}, {"c", "d"}), options, frame_of(400, 300));
    CHECK(std::count_if(figure.items.begin(), figure.items.end(),
                        [](auto& item) { return std::holds_alternative<Curve>(item); }) == 1);
}

TEST_CASE("the same arguments give the same figure") {
    const MapData map = map_of(weights(12, 12), repeated(kMixed, 12), repeated(kMixed, 12));
    const Frame frame = frame_of(900, 600);
    CHECK(dump(heatmap(map, {}, frame)) == dump(heatmap(map, {}, frame)));
    CHECK(dump(arcs(map, {}, frame)) == dump(arcs(map, {}, frame)));
}

TEST_CASE("a sentence stands below its title without a hole where there is no subtitle") {
    for (const float controls : {0.f, 200.f}) { // beside the title
        CAPTURE(controls);
        Frame frame = dark_frame(900, 500, &plain_measure);
        frame.beside_title = controls;
        frame.reading = "What the picture comes to.";
        frame.reading_lines = 2;
        const auto lines_of = [&](const std::string& subtitle) {
            Sheet sheet(frame, 900, 500);
            sheet.header("A title", subtitle);
            std::vector<float> lines;
            for (const Text& text : texts_of(sheet.figure)) lines.push_back(text.at.y);
            return lines;
        };
        const auto without = lines_of("");
        REQUIRE(without.size() == 2);
        CHECK(without[1] - without[0] > 22); // 1.2 lines of the larger type
        CHECK(without[1] - without[0] < 32);
        const auto with = lines_of("a subtitle");
        REQUIRE(with.size() == 3);
        CHECK(with[0] == without[0]);
        Sheet one(frame, 900, 500), other(frame, 900, 500);
        if (controls > 0) CHECK(one.header("A title", "") == other.header("A title", "a subtitle"));
    }
}

TEST_CASE("pictures of few heads, tokens, layers and steps grow with their place") {
    const Frame place = frame_of(1020, 800, &plain_measure);
    const auto span = []<class Kind>(const Figure& figure, const Kind&) {
        float left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
        for (const Target& target : figure.targets) {
            const bool sentence = target.box.w > 400; // below a tree
            if (!target.as<Kind>() || sentence) continue;
            left = std::min(left, target.box.x);
            top = std::min(top, target.box.y);
            right = std::max(right, target.box.x + target.box.w);
            bottom = std::max(bottom, target.box.y + target.box.h);
        }
        return Box{left, top, right - left, bottom - top};
    };
    HeadGrid grid;
    grid.layers = 2;
    grid.heads = 4;
    grid.maps.assign(8, weights(7, 7));
    CHECK(span(head_grid(grid, place), tag::Head{}).h > 0.54f * place.height);
    const Figure drawn = lines(lines_of(7, 7, kEnglish, kEnglish, {0}), {}, place);
    CHECK(span(drawn, tag::RowLabel{}).h > 0.7f * place.height);
    const float from = span(drawn, tag::RowLabel{}).x;
    const Box keys = span(drawn, tag::ColLabel{});
    CHECK(keys.x + keys.w - from > 0.8f * place.width);
    CHECK(span(flow(flow_of(6, 2, kEnglish, 5), {}, place), tag::Node{}).h > 0.6f * place.height);
    CHECK(span(beam_tree(beam_of(4, 5, kEnglish), {}, place), tag::Node{}).w > 0.85f * place.width);
}

TEST_CASE("a caption that is wider than its picture goes on in further lines, whole") {
    const std::string caption = "Transformer base · seed 1 · Encoder layer 1 · head 1 · weights · "
                                "scale off · temperature 2 · mask causal";
    const auto labels = repeated(kEnglish, 1);
    for (const bool arcs_too : {false, true}) {
        Frame frame = frame_of(240, arcs_too ? 400.f : 0.f);
        frame.caption = caption;
        const auto map = map_of(weights(1, 1), labels, labels);
        const Figure figure = arcs_too ? arcs(map, {}, frame) : heatmap(map, {}, frame);
        check_texts(figure, &heed::figure::measure);
        std::string drawn;
        for (const Primitive& item : figure.items) {
            const auto* text = std::get_if<Text>(&item);
            if (text && text->style.size == 11) drawn += " " + text->text;
        }
        for (const char* part :
             {"Transformer base", "layer 1", "head 1", "scale off", "temperature 2", "causal"}) {
            INFO(drawn);
            CHECK(drawn.find(part) != std::string::npos);
        }
        CHECK(drawn.find("…") == std::string::npos);
    }
}

TEST_CASE("a dot between two parts of a caption stays where a line breaks, and ends it") {
    Frame frame = frame_of(240, 400);
    frame.caption = "Transformer base · seed 1 · Encoder layer 1 · head 1 · weights · scale off";
    const auto labels = repeated(kEnglish, 1);
    for (float width = 200; width < 420; width += 7) {
        frame.width = width;
        std::string drawn;
        const auto map = map_of(weights(1, 1), labels, labels);
        for (const Text& text : texts_of(heatmap(map, {}, frame))) {
            if (text.style.size != 11 || text.at.y < 300) continue;
            CHECK_FALSE(text.text.starts_with("·"));
            drawn += (drawn.empty() ? "" : " ") + text.text;
        }
        CHECK(drawn.find(frame.caption) != std::string::npos);
    }
}

TEST_CASE("a caption that has no room for all of its lines ends behind a word") {
    Frame frame = frame_of(240, 150);
    frame.caption = "Encoder layer 1 · head 1. Model: Transformer base · seed 1. Text: “the young "
                    "teacher did not read the cold water and the old book again”.";
    const auto labels = repeated(kEnglish, 1);
    const Figure figure = heatmap(map_of(weights(1, 1), labels, labels), {}, frame);
    std::string last;
    for (const Text& text : texts_of(figure)) {
        if (text.style.size == 11) last = text.text;
    }
    INFO(last);
    REQUIRE(last.ends_with("…"));
    last.erase(last.size() - std::string("…").size());
    CHECK(last.find("…") == std::string::npos); // nor is anything left out of its middle
    const auto at = frame.caption.find(last);
    REQUIRE(at != std::string::npos);
    CHECK(frame.caption[at + last.size()] == ' ');
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("sorted heads use a flat place and keep their names and numbers") {
    HeadGrid grid;
    grid.layers = 6;
    grid.heads = 8;
    for (int i = 0; i < 48; ++i) {
        grid.maps.push_back(weights(10, 10));
        grid.order.push_back(47 - i);
        grid.notes.push_back("2.05 bits");
    }
    const Figure figure = head_grid(grid, frame_of(720, 200, &plain_measure));
    float size = 1e9f, lowest = 0;
    int numbers = 0;
    for (const Target& t : figure.targets) {
        size = std::min(size, t.box.w);
        lowest = std::max(lowest, t.box.y + t.box.h);
    }
    for (const Text& text : texts_of(figure)) numbers += text.text.starts_with("2.05");
    CHECK(size >= 36); // in rows of eight there would be room for 10
    CHECK(lowest <= 200);
    CHECK(numbers == 48);
}

TEST_CASE("thumbnails have the palette and the logarithms of the large map") {
    const auto heat_of = [](const Figure& figure) {
        for (const Primitive& item : figure.items) {
            if (const auto* heat = std::get_if<Heat>(&item)) return *heat;
        }
        return Heat{};
    };
    HeadGrid grid;
    grid.layers = grid.heads = 1;
    grid.maps = {weights(10, 10)};
    StageThumbnail stage;
    stage.values = grid.maps[0];
    stage.signed_values = false;
    for (const bool logarithmic : {false, true}) {
        grid.colours.palette = stage.colours.palette = PaletteId::lagoon;
        if (logarithmic) grid.colours.scale = stage.colours.scale = ColourScale::logarithmic;
        for (const Heat& heat : {heat_of(head_grid(grid, frame_of(300, 300))),
                                 heat_of(stage_strip({stage}, 0, frame_of(300, 120)))}) {
            CHECK(heat.palette == PaletteId::lagoon);
            CHECK((*heat.values == *grid.maps[0]) != logarithmic);
            CHECK(heat.values->maxCoeff() <= heat.high);
        }
    }
}

TEST_CASE("a short sentence's map is no wider than what it shows") {
    for (const Index n : {2, 6, 10}) {
        const Figure figure =
            heatmap(map_of(weights(n, n), repeated(kEnglish, n), repeated(kEnglish, n)), {},
                    frame_of(0, 0));
        float right = 0;
        for (const Target& t : figure.targets) right = std::max(right, t.box.x + t.box.w);
        INFO(n << " tokens in " << figure.width);
        CHECK(right > 0.8f * figure.width);
        CHECK(right <= figure.width);
    }
}

TEST_CASE("slanted labels of Han characters, which fill their line, stand apart") {
    const auto frame = frame_of(400, 400);
    const Sheet sheet(frame, 400, 400);
    const std::vector<std::string> words = {"我", "昨天", "吃", "了", "一个", "苹果"};
    for (const float pitch : {13.f, 16.f, 19.f, 22.f, 24.f}) {
        INFO(pitch);
        const LabelPlan plan = plan_columns(sheet, words, 6, pitch, 80);
        REQUIRE(plan.slanted);
        const float lines = static_cast<float>(plan.step) * pitch * kSlantSine;
        CHECK(lines >= 1.25f * plan.style.size - 0.01f);
    }
}

TEST_CASE("long sentences use the width, and every second or third word stands at a side") {
    for (const Index n : {40, 64, 100}) {
        const std::vector<std::string> words = {"the",     "quick", "sequence",
                                                "attends", "to",    "many"};
        const Figure figure = heatmap(map_of(weights(n, n), repeated(words, n), repeated(words, n)),
                                      {}, frame_of(720, 440));
        int rows = 0, cols = 0;
        Box cells;
        for (const Target& t : figure.targets) {
            rows += t.as<tag::RowLabel>() != nullptr;
            cols += t.as<tag::ColLabel>() != nullptr;
            if (t.as<tag::Cells>()) cells = t.box;
        }
        INFO(n << " tokens");
        CHECK(cells.w > 0.6f * 720);
        CHECK(rows * 5 >= n);
        CHECK(cols * 4 >= n);
        for (const Text& text : texts_of(figure)) {
            CHECK(text.text.find("…") == std::string::npos); // there is room for such words
        }
    }
}

TEST_CASE("where names of both sides are left out, rows and columns are said to have them") {
    MapData map = map_of(weights(100, 100), repeated({"a"}, 100), repeated({"a"}, 100));
    map.row_axis = "from";
    map.col_axis = "to";
    int said = 0;
    for (const Text& text : texts_of(heatmap(map, {}, frame_of(720, 440)))) {
        if (!text.text.ends_with(" named")) continue;
        ++said;
        CHECK(text.text.find("row") != std::string::npos);
        CHECK(text.text.find("column") != std::string::npos);
        CHECK(text.text.find("from") == std::string::npos);
    }
    CHECK(said == 1);
}

TEST_CASE("words above the columns of a map are no larger than those of its rows") {
    const std::vector<std::string> rows = {"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> cols = {"the",  "young", "teacher", "did", "not",
                                           "read", "the",   "old",     "book"};
    for (const float width : {500.f, 812.f, 1200.f}) {
        for (const float height : {280.f, 340.f, 380.f, 460.f, 700.f}) {
            INFO(width << " × " << height);
            const Figure figure =
                heatmap(map_of(weights(10, 9), rows, cols), {}, frame_of(width, height));
            float row = 100, col = 0;
            for (const Text& text : texts_of(figure)) {
                if (text.text == "jeune") row = std::min(row, text.style.size);
                if (text.text == "young") col = std::max(col, text.style.size);
            }
            CHECK(col > 0);
            CHECK(col <= row);
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("a bar stands above each group of heads that share keys and values") {
    HeadGrid grid;
    grid.layers = 2;
    grid.heads = 6;
    grid.maps.assign(12, nullptr);
    const std::size_t plain = head_grid(grid, frame_of(400, 200, &plain_measure)).items.size();
    grid.heads_per_key = 2;
    CHECK(head_grid(grid, frame_of(400, 200, &plain_measure)).items.size() == plain + 3);
    grid.heads_per_key = 6;
    CHECK(head_grid(grid, frame_of(400, 200, &plain_measure)).items.size() == plain + 1);
    Frame large = frame_of(900, 600);
    large.beside_title = 200;
    const char* words = "rows attend to columns · bars above: heads that share keys and values";
    CHECK(has_text(head_grid(grid, large), words));
    grid.heads_per_key = 1;
    CHECK_FALSE(has_text(head_grid(grid, large), words));
}

TEST_CASE("a selection is lines, and no cell is tinted by it") {
    const MapData map = map_of(weights(6, 7), repeated(kEnglish, 6), repeated(kEnglish, 7));
    HeatmapOptions options;
    options.selected = {2, 3};
    const Figure figure = heatmap(map, options, frame_of(600, 500));
    const auto cells = std::ranges::find_if(
        figure.targets, [](const Target& t) { return t.as<tag::Cells>() != nullptr; });
    REQUIRE(cells != figure.targets.end());
    const Box& g = cells->box;
    int rows = 0, columns = 0;
    for (const Primitive& item : figure.items) {
        if (const Fill* fill = std::get_if<Fill>(&item)) {
            const Box& b = fill->box;
            const bool apart =
                b.x >= g.x + g.w || b.y >= g.y + g.h || b.x + b.w <= g.x || b.y + b.h <= g.y;
            CHECK(apart);
        } else if (const Stroke* stroke = std::get_if<Stroke>(&item)) {
            const bool in_map = stroke->box.x < g.x + g.w; // and not the bar of colours
            rows += in_map && stroke->box.w == g.w && stroke->box.h < g.h / 3 ? 1 : 0;
            columns += in_map && stroke->box.h == g.h && stroke->box.w < g.w / 3 ? 1 : 0;
        }
    }
    CHECK(rows == 1);
    CHECK(columns == 1);
}

TEST_CASE("all cells of a picture write what only rounds to 1 in one way") {
    auto values = std::make_shared<Matrix<float>>(8, 8);
    values->setConstant(0.0001f);
    for (Index i = 0; i < 8; ++i) (*values)(i, i) = i % 2 == 0 ? 0.9996f : 1.f;
    HeatmapOptions options;
    options.selected = {0, 0};
    for (const float width : {300.f, 360.f, 420.f, 480.f, 600.f, 900.f}) {
        INFO(width);
        const MapData map = map_of(values, repeated(kEnglish, 8), repeated(kEnglish, 8));
        const Figure figure = heatmap(map, options, frame_of(width, 500));
        const bool wide = has_text(figure, "> 0.99"), narrow = has_text(figure, ">.99");
        if (width < 400 && !wide && !narrow) continue; // no number has room
        CHECK(wide != narrow);
        CHECK_FALSE(has_text(figure, "≈1"));
        CHECK(has_text(figure, "1.00")); // of what is 1
    }
}

TEST_CASE("the selected weight is written also where it would be 0.00") {
    auto values = std::make_shared<Matrix<float>>(2, 2);
    *values << 0.999f, 0.0001f, 0.5f, 0.5f;
    HeatmapOptions options;
    options.selected = {0, 1};
    const MapData map = map_of(values, repeated(kEnglish, 2), repeated(kEnglish, 2));
    CHECK(has_text(heatmap(map, options, frame_of(500, 400)), "< 0.01"));
    CHECK(has_text(heatmap(map, options, frame_of(500, 400)), "> 0.99"));
    (*values)(0, 1) = 0; // masked
    CHECK_FALSE(has_text(heatmap(map, options, frame_of(500, 400)), "< 0.01"));
    CHECK_FALSE(has_text(heatmap(map, options, frame_of(500, 400)), "0.00"));
}

TEST_CASE("frames in the colours of a score leave space between heads") {
    HeadGrid grid;
    grid.layers = 2;
    grid.heads = 4;
    grid.maps.assign(8, weights(5, 5));
    grid.shades.assign(8, 1.f);
    grid.shade_range.emplace();
    grid.shade_range->palette = PaletteId::lagoon;
    const Color color = colour_of(PaletteId::lagoon, 1, 0, 1);
    for (const float width : {240.f, 700.f}) {
        std::vector<Box> frames;
        for (const Primitive& item : head_grid(grid, frame_of(width, 0)).items) {
            const Stroke* stroke = std::get_if<Stroke>(&item);
            if (stroke && stroke->color == color) frames.push_back(stroke->box);
            const Fill* fill = std::get_if<Fill>(&item);
            CHECK((fill == nullptr || fill->color != color));
        }
        REQUIRE(frames.size() == 8);
        CHECK(frames[0].x + frames[0].w < frames[1].x);
        CHECK(frames[0].y + frames[0].h < frames[4].y);
    }
}

TEST_CASE("a picture of heads that goes out alone says what its maps are") {
    HeadGrid grid;
    grid.title = "Encoder self-attention";
    grid.layers = 1;
    grid.heads = 2;
    grid.maps.assign(2, weights(4, 4));
    Frame frame = frame_of(640, 0);
    const std::string words = "rows attend to columns";
    CHECK(dump(head_grid(grid, frame)).find(words) == std::string::npos);
    frame.caption = "base · seed 1";
    CHECK(dump(head_grid(grid, frame)).find(words) != std::string::npos);
    for (const char* end : {"1.0", "0.5", "0", "weights"})
        CHECK(has_text(head_grid(grid, frame), end));
}

TEST_CASE("heads coloured by a score keep the bar of their maps beside that of the score") {
    HeadGrid grid;
    grid.title = "Encoder self-attention";
    for (const int layers : {1, 2, 6}) {
        const auto count = static_cast<std::size_t>(4 * layers);
        grid.layers = layers;
        grid.heads = 4;
        grid.maps.assign(count, weights(5, 5));
        grid.shades.assign(count, 1.f);
        grid.shade_range.emplace();
        grid.shade_range->meaning = "previous";
        grid.shade_range->high_text = "0.22";
        Frame frame = frame_of(720, 500);
        frame.beside_title = 300;
        Figure figure = head_grid(grid, frame);
        INFO(layers);
        CHECK(has_text(figure, "weights"));
        CHECK(has_text(figure, "previous"));
        CHECK(has_text(figure, "0.22"));
        check_texts(figure, &heed::figure::measure);
        frame = frame_of(320, 0); // in a page
        frame.caption = "small";
        figure = head_grid(grid, frame);
        CHECK(has_text(figure, "weights"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("few heads are higher than wide where the height would stay empty") {
    HeadGrid grid;
    grid.layers = 1;
    grid.heads = 4;
    grid.maps.assign(4, weights(5, 5));
    Frame frame = frame_of(900, 600);
    frame.beside_title = 300;
    const auto heads_in = [&](float height) {
        std::vector<Box> boxes;
        frame.height = height;
        for (const Target& target : head_grid(grid, frame).targets) {
            if (target.as<tag::Head>()) boxes.push_back(target.box);
        }
        return boxes;
    };
    REQUIRE(heads_in(600).size() == 4);
    CHECK(heads_in(600)[0].h > 1.2f * heads_in(600)[0].w);
    for (const Box& box : heads_in(260)) CHECK(box.y + box.h < 260);
}

TEST_CASE("names that have no room with their values stand without them in a legend") {
    SeriesChart chart;
    chart.xs = {1, 2, 3};
    for (const char* name : {"the", "black", "cat", "did", "not", "eat", "red", "apple"})
        chart.series.push_back({name, {0.1f, 0.1f, 0.1f}});
    chart.marker = 1;
    chart.strongest_first = true;
    const Frame frame = frame_of(260, 160);
    Sheet sheet(frame, 260, 160);
    draw_series(sheet, chart, {10, 10, 240, 140});
    for (const Text& text : texts_of(sheet.figure)) CHECK_FALSE(text.text.ends_with(" more"));
    CHECK(has_text(sheet.figure, "apple"));
    CHECK(has_text(sheet.figure, "the  0.10"));
}

TEST_CASE("names of stages that have no room are short, and not halves") {
    std::vector<StageThumbnail> stages(14);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        stages[i].label = i == 0 ? "embedding" : i == 1 ? "+ positions" : "weights · V";
        stages[i].values = weights(4, 4);
    }
    const Figure figure = stage_strip(stages, 0, frame_of(872, 132));
    for (const Text& text : texts_of(figure)) CHECK(text.text.find("…") == std::string::npos);
    CHECK(has_text(figure, "embed."));
    CHECK(has_text(figure, "+ pos."));
}

TEST_CASE("stages on a narrow page stand in rows, their words whole") {
    std::vector<StageThumbnail> stages(11);
    for (StageThumbnail& stage : stages) {
        stage.label = "÷ √dₖ";
        stage.values = weights(10, 20);
        stage.rows = 10;
        stage.cols = 512;
    }
    Frame frame = frame_of(482, 0);
    frame.caption = "Model: English → français";
    const Figure figure = stage_strip(stages, 0, frame, "Stages");
    for (const Text& text : texts_of(figure)) {
        INFO(text.text);
        CHECK(text.text.find("…") == std::string::npos);
        CHECK(text.at.y < figure.height);
    }
    float left = 0, bottom = 0;
    for (const Target& card : figure.targets) {
        CHECK(card.box.w >= 70);
        left = std::max(left, card.box.x);
        bottom = std::max(bottom, card.box.y + card.box.h);
    }
    CHECK(left < 482);
    CHECK(bottom < figure.height);
    CHECK(figure.targets.back().box.y > figure.targets.front().box.y);
}

TEST_CASE("names of sorted heads stand above the frames in the colours of a score") {
    HeadGrid grid;
    grid.layers = 2;
    grid.heads = 4;
    grid.maps.assign(8, weights(5, 5));
    grid.order = {7, 6, 5, 4, 3, 2, 1, 0};
    grid.notes.assign(8, "1.39 bits");
    grid.shades.assign(8, 1.f);
    grid.shade_range.emplace();
    grid.shade_range->palette = PaletteId::lagoon;
    const Color color = colour_of(PaletteId::lagoon, 1, 0, 1);
    for (const auto& [width, height] : {std::pair{240.f, 0.f}, {800.f, 600.f}, {480.f, 300.f}}) {
        const Figure figure = head_grid(grid, frame_of(width, height, &plain_measure));
        for (const Primitive& item : figure.items) {
            const Stroke* stroke = std::get_if<Stroke>(&item);
            if (stroke == nullptr || stroke->color != color) continue;
            const Box& b = stroke->box;
            for (const Text& text : texts_of(figure)) {
                const Quad quad = quad_of(text, &plain_measure);
                const bool apart = quad.corner[2].y <= b.y || quad.corner[0].y >= b.y + b.h ||
                                   quad.corner[2].x <= b.x || quad.corner[0].x >= b.x + b.w;
                INFO(text.text << " in " << width << " × " << height);
                CHECK(apart);
            }
        }
    }
}

TEST_CASE("no inner frame cuts the number of a selected cell") {
    const MapData map = map_of(weights(10, 9), repeated(kEnglish, 10), repeated(kEnglish, 9));
    HeatmapOptions options;
    options.selected = {1, 2};
    bool low = false, high = false;
    for (float height = 200; height < 640; height += 20) {
        const Figure figure = heatmap(map, options, frame_of(600, height, &plain_measure));
        for (const Text& text : texts_of(figure)) {
            if (text.style.font != Font::mono || text.style.weight != Weight::bold) continue;
            if (text.align_x != AlignX::centre) continue;
            for (const Primitive& item : figure.items) {
                const Stroke* stroke = std::get_if<Stroke>(&item);
                if (stroke == nullptr || stroke->color != light_theme().panel) continue;
                const Box& b = stroke->box;
                INFO(text.text << " in a frame of " << b.h << " at a height of " << height);
                CHECK(b.h - 2 * stroke->width >= text.style.size);
                high = true;
            }
            low = true;
        }
    }
    CHECK(low);
    CHECK(high);
}

TEST_CASE("a difference that rounds to 0 leaves its cell empty, a chosen one is told") {
    Matrix<float> change(2, 2);
    change << 0.4f, 0.001f, -0.0004f, -0.25f;
    MapData map = map_of(std::make_shared<const Matrix<float>>(change), {"a", "b"}, {"c", "d"});
    map.signed_values = map.difference = true;
    map.weights = false;
    const auto numbers = [&](std::optional<std::pair<int, int>> chosen) {
        HeatmapOptions options;
        options.selected = chosen;
        std::ptrdiff_t count = 0;
        for (const Text& text : texts_of(heatmap(map, options, frame_of(600, 500)))) {
            count += text.style.font == Font::mono && text.align_x == AlignX::centre;
        }
        return count;
    };
    const auto all = numbers({});
    CHECK(numbers(std::pair(0, 0)) == all);     // it is told at any rate
    CHECK(numbers(std::pair(0, 1)) == all + 1); // asked for
}

TEST_CASE("the frame of a selected cell keeps all of the cell's colour") {
    HeatmapOptions options;
    options.selected = {2, 3};
    for (const Index n : {6, 12, 30, 90}) {
        INFO(n);
        const MapData map = map_of(weights(n, n), repeated(kEnglish, n), repeated(kEnglish, n));
        const Figure figure = heatmap(map, options, frame_of(600, 500));
        const auto cells = std::ranges::find_if(
            figure.targets, [](const Target& t) { return t.as<tag::Cells>() != nullptr; });
        REQUIRE(cells != figure.targets.end());
        const float w = cells->box.w / static_cast<float>(n),
                    h = cells->box.h / static_cast<float>(n);
        const Box cell{cells->box.x + 3 * w, cells->box.y + 2 * h, w, h};
        int frames = 0;
        for (const Primitive& item : figure.items) {
            const Stroke* stroke = std::get_if<Stroke>(&item);
            if (!stroke || stroke->box.x > cell.x || stroke->box.x + stroke->box.w < cell.x + w ||
                stroke->box.y > cell.y || stroke->box.y + stroke->box.h < cell.y + h) {
                CHECK_FALSE((stroke && stroke->box.x > cell.x && stroke->box.y > cell.y &&
                             stroke->box.x < cell.x + w && stroke->box.y < cell.y + h));
                continue;
            }
            if (stroke->width < 2 || stroke->box.w > 2 * w + 12 || stroke->box.h > 2 * h + 12) {
                continue;
            }
            ++frames;
            CHECK(stroke->box.x + stroke->width <= cell.x + 0.01f);
            CHECK(stroke->box.y + stroke->width <= cell.y + 0.01f);
        }
        CHECK(frames == 1);
    }
}

TEST_CASE("Han words above narrow columns stand upright, character above character") {
    const std::vector<std::string> words = {"国际货币基金组织", "昨天", "宣布", "了",
                                            "中华人民共和国",   "的",   "计划", "⟨eos⟩"};
    const auto n = static_cast<Index>(words.size());
    const MapData map = map_of(weights(n, n), words, words);
    for (const float width : {340.f, 420.f}) {
        INFO(width);
        const Frame frame = frame_of(width, 460);
        const HeatmapOptions options;
        const Figure figure = heatmaps_beside({map, options, frame}, {map, options, frame});
        int upright = 0;
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            CHECK((text.degrees == 0 || text.text == "⟨eos⟩"));
            upright += text.text == "币" || text.text == "共";
        }
        CHECK(upright == 4); // on either side
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("large cards of stages have the names of their rows and columns, small ones have none") {
    std::vector<StageThumbnail> cards(2);
    for (StageThumbnail& card : cards) {
        card.label = "map";
        card.values = weights(6, 6);
        card.row_names = card.col_names = {"one", "two", "three", "four", "five", "six"};
    }
    const auto count = [&](const Frame& frame) {
        const Figure figure = stage_strip(cards, 0, frame, "Stages");
        check_texts(figure, &heed::figure::measure);
        int names = 0;
        for (const Text& text : texts_of(figure)) names += text.text == "three";
        for (const Target& target : figure.targets) CHECK(target.as<tag::Stage>() != nullptr);
        return names;
    };
    CHECK(count(frame_of(760, 480)) == 4); // a row and a column of each
    CHECK(count(frame_of(260, 160)) == 0);
    // Eleven cards of ten words, as on the stage of a window of 1280 points.
    for (StageThumbnail& card : cards) {
        card.values = weights(10, 9);
        card.row_names = {"le",    "chat", "noir",  "n'a",   "pas",
                          "mangé", "la",   "pomme", "rouge", "three"};
        card.col_names.clear();
    }
    cards.resize(11, cards.back());
    CHECK(count(frame_of(720, 744)) == 11);
}

namespace {

/// Cards of a head: seven of features, four maps.
std::vector<StageThumbnail> cards_of(const std::vector<std::string>& rows,
                                     const std::vector<std::string>& cols) {
    std::vector<StageThumbnail> cards(11);
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const bool map = i >= 5 && i < 9;
        cards[i].label = i == 1 ? "+ positions" : "weights · V";
        cards[i].row_names = rows;
        if (map) cards[i].col_names = cols;
        cards[i].values = weights(std::ssize(rows), map ? std::ssize(cols) : 24);
        cards[i].cols = map ? std::ssize(cols) : 80;
        cards[i].rows = std::ssize(rows);
    }
    return cards;
}

int count_texts(const Figure& figure, const std::string& wanted) {
    int count = 0;
    for (const Text& text : texts_of(figure)) count += text.text == wanted;
    return count;
}

} // namespace

TEST_CASE("words of stages that the model does not know are dotted, as those of a map are") {
    auto cards = cards_of(kEnglish, kEnglish);
    const auto dotted = [&] {
        const Figure figure = stage_strip(cards, 0, frame_of(1500, 900), "Stages");
        return std::ranges::count_if(figure.items, [](const Primitive& item) {
            const auto* line = std::get_if<Line>(&item);
            return line && line->dashed && line->color == light_theme().bad;
        });
    };
    CHECK(dotted() == 0);
    for (StageThumbnail& card : cards) {
        card.unknown_rows = {1};
        if (!card.col_names.empty()) card.unknown_cols = {0, 2};
    }
    CHECK(dotted() == 11 + 4 * 2);
}

TEST_CASE("stages of long sentences have the names of their rows and columns, on paper too") {
    const std::vector<std::string> rows = {"le",    "chat",  "noir",  "n'a",   "pas",
                                           "mangé", "la",    "pomme", "rouge", "et",
                                           "cette", "petit", "chien", "⟨end⟩"};
    const std::vector<std::string> cols = {"the", "black", "cat", "did", "not",   "eat", "that",
                                           "red", "apple", "and", "one", "small", "dog"};
    const auto cards = cards_of(rows, cols);
    const Figure window = stage_strip(cards, 0, frame_of(720, 690), "Stages", "every step");
    check_texts(window, &heed::figure::measure);
    CHECK(count_texts(window, "chien") == 11);
    int named = 0; // columns: of names that are not tiny not all have room
    for (const std::string& name : cols) {
        INFO(name);
        const int maps = count_texts(window, name);
        CHECK((maps == 0 || maps == 4));
        named += maps == 4;
    }
    CHECK(named >= 7);
    std::set<float> sizes; // alike on cards with columns and without
    for (const Text& text : texts_of(window)) {
        if (text.text == "chien") sizes.insert(text.style.size);
    }
    CHECK(sizes.size() == 1);
    const Figure page = stage_strip(cards, 0, frame_of(904, 0), "Stages", "every step");
    check_texts(page, &heed::figure::measure);
    CHECK(count_texts(page, "chien") == 11);
    CHECK(count_texts(page, "black") == 4);
}

TEST_CASE("names of stages on a page are no smaller than 5 points of its 8") {
    const std::vector<std::string> french = {"le", "jeune", "professeur", "n'a",   "pas",
                                             "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> english = {"the",  "young", "teacher", "did", "not",
                                              "read", "the",   "old",     "book"};
    const std::vector<std::string> chinese = {"我", "昨天", "吃", "了", "一个", "苹果"};
    const std::vector<std::string> told = {"I", "ate", "an", "apple", "yesterday", "⟨end⟩"};
    for (const auto& [rows, cols] : {std::pair(french, english), std::pair(told, chinese)}) {
        for (const float width : {452.f, 904.f}) {
            INFO(rows[1] << " in " << width);
            const Figure page =
                stage_strip(cards_of(rows, cols), 0, frame_of(width, 0), "Stages", "every step");
            check_texts(page, &heed::figure::measure);
            for (const auto& name : rows) CHECK(count_texts(page, name) >= 11);
            for (const auto& name : cols) { // a stack is a text a letter
                const int stacks = count_texts(page, name.substr(0, std::strlen("我")));
                CHECK(count_texts(page, name) + stacks >= 4);
            }
            for (const Text& text : texts_of(page)) {
                INFO(text.text);
                CHECK(text.style.size >= 5 * 15 / 8.f);
            }
        }
    }
}

TEST_CASE("what is told of a card's range holds all of its numbers") {
    StageThumbnail card;
    card.label = "scores";
    const auto values = std::make_shared<Matrix<float>>(Matrix<float>::Constant(3, 3, 2));
    (*values)(1, 1) = 71.05f;
    card.values = values;
    card.signed_values = true;
    CHECK(has_text(stage_strip({card}, 0, frame_of(900, 400), "Stages"), "3 × 3 · ±71.05"));
}

TEST_CASE("the strip above a map that is narrower than its meaning is named below the rows too") {
    const std::vector<std::string> rows = {"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> cols = {"the",  "young", "teacher", "did", "not",
                                           "read", "the",   "old",     "book"};
    const MapData map = map_of(weights(10, 9), rows, cols);
    HeatmapOptions options;
    options.col_strip = {weights(1, 9), true};
    Frame half = frame_of(270, 460);
    half.margin = 24;
    const Figure both = heatmaps_beside({map, options, half}, {map, options, half});
    check_texts(both, &heed::figure::measure);
    int named = 0;
    for (const Text& text : texts_of(both))
        named += text.text.find("attention received, max") != std::string::npos;
    CHECK(named == 2);
}

TEST_CASE("stages of a long sentence in a low window grow, where that brings their names") {
    std::vector<std::string> words;
    for (int i = 0; i < 18; ++i) words.push_back("word" + std::to_string(i));
    const auto cards = cards_of(words, {words.begin(), words.begin() + 16});
    Frame frame = frame_of(540, 560);
    const Figure low = stage_strip(cards, 0, frame, "Stages", "every step");
    CHECK(low.height == 560);
    frame.grows = true;
    const Figure high = stage_strip(cards, 0, frame, "Stages", "every step");
    CHECK(high.height > 560);
    check_texts(high, &heed::figure::measure);
    CHECK(high.height < 1.6f * 560);
    const auto columns_named = [](const Figure& figure) {
        const auto texts = texts_of(figure);
        return std::ranges::count_if(texts, [](const Text& text) { return text.degrees != 0; });
    };
    CHECK(columns_named(low) < 8);
    CHECK(columns_named(high) >= 8); // of four maps
    CHECK(count_texts(high, "word0") >= 11);
    // Where all have names it stays as it is, and so it does where even height brings none.
    frame = frame_of(904, 700);
    frame.grows = true;
    CHECK(stage_strip(cards, 0, frame, "Stages").height == 700);
    std::vector<std::string> many(120, "word");
    frame = frame_of(540, 560);
    frame.grows = true;
    CHECK(stage_strip(cards_of(many, many), 0, frame, "Stages").height == 560);
}

TEST_CASE("columns of stages that are Chinese words have their names as stacks") {
    const std::vector<std::string> cols = {"我",   "昨天", "吃",   "了", "一个", "红",
                                           "苹果", "和",   "两个", "小", "梨"};
    const std::vector<std::string> rows = {"I",   "ate",   "an",    "apple",     "and",
                                           "two", "small", "pears", "yesterday", "⟨end⟩"};
    const Figure page = stage_strip(cards_of(rows, cols), 0, frame_of(904, 0), "Stages", "steps");
    check_texts(page, &heed::figure::measure);
    CHECK(count_texts(page, "梨") == 4);
    CHECK(count_texts(page, "天") == 4); // of a stack
}

TEST_CASE("an axis' word leaves the last number of its axis") {
    SeriesChart chart;
    for (int i = 0; i <= 60; ++i) chart.xs.push_back(static_cast<float>(i - 30));
    chart.series = {{"curve", std::vector<float>(61, 0.5f)}};
    chart.x_word = "q · k →";
    for (const float height : {86.f, 100.f, 120.f, 150.f, 220.f}) {
        INFO(height);
        const Frame frame = frame_of(300, 260);
        Sheet sheet(frame, 300, 260);
        draw_series(sheet, chart, {10, 10, 280, height});
        CHECK(has_text(sheet.figure, "30"));
        CHECK(has_text(sheet.figure, "q · k →"));
        check_texts(sheet.figure, &heed::figure::measure);
    }
}

TEST_CASE("an axis' word takes the place of no number, in a low place neither") {
    for (const auto& [from, name] : {std::pair{-30, "q · k →"}, std::pair{0, "step →"}}) {
        SeriesChart chart;
        for (int i = 0; i <= 60; ++i) chart.xs.push_back(static_cast<float>(from + i));
        chart.series = {{"curve", std::vector<float>(61, 0.5f)}};
        const auto numbers = [&](float width, float height) {
            const Frame frame = frame_of(400, 260);
            Sheet sheet(frame, 400, 260);
            draw_series(sheet, chart, {10, 10, width, height});
            check_texts(sheet.figure, &heed::figure::measure);
            int found = 0;
            for (int x = -30; x <= 60; ++x) found += has_text(sheet.figure, std::to_string(x));
            return found;
        };
        for (const float width : {200.f, 240.f, 280.f, 320.f}) {
            for (const float height : {70.f, 86.f, 100.f, 120.f}) {
                INFO(name << " " << width << " " << height);
                chart.x_word = "";
                const int all = numbers(width, height);
                chart.x_word = name;
                CHECK(numbers(width, height) == all);
            }
        }
    }
}

TEST_CASE("a legend without room for each value says what the others are at most") {
    SeriesChart chart;
    chart.xs = {1, 2, 3};
    float value = 0.5f;
    for (const char* name : {"the", "black", "cat", "did", "not", "eat", "red", "apple", "pear"}) {
        chart.series.push_back({name, {value, value, value}});
        value = 0.02f;
    }
    chart.marker = 1;
    chart.strongest_first = true;
    chart.decimals = 3;
    chart.high = 1;
    const Frame frame = frame_of(360, 160);
    Sheet sheet(frame, 360, 160);
    draw_series(sheet, chart, {10, 10, 340, 140});
    CHECK(has_text(sheet.figure, "the  0.500"));
    const auto tells_last = [](const Figure& figure, const std::string& bound) {
        return std::ranges::any_of(texts_of(figure), [&](const Text& text) {
            return text.text.starts_with("last ") && text.text.ends_with(bound);
        });
    };
    CHECK(tells_last(sheet.figure, " 0.020"));
    check_texts(sheet.figure, &heed::figure::measure);
    for (const auto& [most, bound] :
         {std::pair{0.02f, " ≤ 0.020"}, std::pair{0.0002f, " < 0.001"}}) {
        for (std::size_t i = 1; i < 9; ++i) chart.series[i].values.assign(3, i < 8 ? most : 0);
        Sheet other(frame, 360, 160);
        draw_series(other, chart, {10, 10, 340, 140});
        CHECK(tells_last(other.figure, bound));
    }
}

TEST_CASE("layers of small heads are named beside their numbers") {
    HeadGrid grid;
    grid.layers = 6;
    grid.heads = 12;
    grid.maps.assign(72, weights(5, 5));
    const Figure figure = head_grid(grid, frame_of(482, 0));
    CHECK(has_text(figure, "head →"));
    CHECK(has_text(figure, "← layer"));
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("a map of few columns is as wide as its page") {
    const auto map = map_of(weights(6, 6), kEnglish, kChinese);
    const Figure figure = heatmap(map, {}, frame_of(904, 0));
    check_texts(figure, &heed::figure::measure);
    for (const Target& target : figure.targets) {
        if (target.as<tag::Cells>()) CHECK(target.box.w > 0.7f * 904);
    }
}

TEST_CASE("stages say how their colours and the number after ± belong together") {
    std::vector<StageThumbnail> stages(6);
    for (StageThumbnail& stage : stages) {
        stage.label = "Q";
        stage.values = weights(6, 6);
    }
    for (const float width : {390.f, 900.f}) {
        for (const float height : {0.f, 500.f}) {
            INFO(width << " × " << height);
            const Figure figure = stage_strip(stages, 2, frame_of(width, height), "Stages");
            CHECK(has_text(figure, "a: the number after ± in each card"));
            check_texts(figure, &heed::figure::measure);
            stages[0].signed_values = false;
            stages[0].full = 1;
            CHECK(
                has_text(stage_strip(stages, 2, frame_of(width, height), "Stages"), "1: weights"));
            stages[0].signed_values = true;
        }
    }
    CHECK_FALSE(has_text(stage_strip(stages, 2, frame_of(900, 104)), "−a")); // of a panel
}

TEST_CASE("names of stages are whole, and columns that have no room for all have some") {
    const std::vector<std::string> english = {"yesterday", "the",  "young", "professor",
                                              "did",       "not",  "read",  "the",
                                              "old",       "book", "again", "⟨end⟩"};
    const std::vector<std::string> chinese = {"昨天", "那个", "年轻", "的",   "教授", "没有",
                                              "再",   "读",   "那本", "旧书", "了",   "。"};
    for (const auto* words : {&english, &chinese}) {
        for (const Index n : {10, 12}) {
            std::vector<StageThumbnail> stages(11);
            const std::vector<std::string> names(words->begin(), words->begin() + n);
            for (std::size_t i = 0; i < stages.size(); ++i) {
                const bool map = i >= 5 && i < 9;
                stages[i].label = map ? "scores" : "embedding";
                stages[i].values = weights(n, map ? n : 24);
                stages[i].row_names = names;
                if (map) stages[i].col_names = names;
            }
            for (const auto& [width, height] :
                 {std::pair<float, float>{452, 0}, {720, 620}, {1000, 740}}) {
                INFO(n << " words in " << width << " × " << height);
                const Figure figure = stage_strip(stages, 2, frame_of(width, height), "Stages");
                // In low cards every second row has a name, rather than each a tiny one.
                const std::string& present = names[width == 720 ? 2 : 3];
                int rows = 0, columns = 0;
                for (const Text& text : texts_of(figure)) {
                    INFO(text.text);
                    const bool name = text.degrees != 0 || text.align_x == AlignX::right;
                    if (name) CHECK(text.text.find("…") == std::string::npos);
                    rows += text.text == present && text.align_x == AlignX::right ? 1 : 0;
                    columns +=
                        text.degrees != 0 || (words == &chinese && text.text == "昨") ? 1 : 0;
                }
                CHECK(rows >= 11);
                if (width == 720 && n == 12) continue; // rows have no height to give
                CHECK(columns >= (words == &chinese ? 4 : 16));
                check_texts(figure, &heed::figure::measure);
            }
        }
    }
}

TEST_CASE("names of stages that are read with ease come before those of every column") {
    const std::vector<std::string> rows = {"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> cols = {"the",  "young", "teacher", "did", "not",
                                           "read", "the",   "old",     "book"};
    for (const auto& [width, height] : {std::pair<float, float>{720, 690}, {452, 0}}) {
        INFO(width << " × " << height);
        const Figure figure =
            stage_strip(cards_of(rows, cols), 0, frame_of(width, height), "Stages", "every step");
        float row = 0, column = 0;
        for (const Text& text : texts_of(figure)) {
            if (text.text == "professeur") row = text.style.size;
            if (text.text == "teacher" && text.degrees != 0) column = text.style.size;
        }
        CHECK(row >= 7); // page: it is enlarged
        if (height > 0) CHECK(row >= 8);
        CHECK(column > 0);
        CHECK(column <= std::max(row, 8.f) + 0.6f);
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("in small cards of stages every second name stands where not all are read with ease") {
    const std::vector<std::string> rows = {"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> cols = {"the",  "young", "teacher", "did", "not",
                                           "read", "the",   "old",     "book"};
    for (const auto& [width, height] :
         {std::pair<float, float>{540, 588}, {540, 640}, {720, 610}, {720, 690}}) {
        INFO(width << " × " << height);
        const Figure figure =
            stage_strip(cards_of(rows, cols), 0, frame_of(width, height), "Stages", "every step");
        check_texts(figure, &heed::figure::measure);
        int named = 0;
        for (const Text& text : texts_of(figure)) {
            const bool row = std::ranges::find(rows, text.text) != rows.end();
            const bool col = std::ranges::find(cols, text.text) != cols.end();
            if (!row && !col) continue;
            INFO(text.text);
            CHECK(text.style.size >= (text.degrees != 0 ? 8 : 7));
            named += row && text.align_x == AlignX::right;
        }
        CHECK(named >= 11 * 5);
    }
}

TEST_CASE("a letter above columns of stages is never on its side, and no name is tiny") {
    const std::vector<std::string> letters = {"m", "q", "a", "x", "t", "f", "m",
                                              "q", "a", "x", "m", "m", "m", "m"};
    for (const std::size_t n : {10u, 14u}) {
        for (const bool words : {false, true}) {
            for (const auto& [width, height] :
                 {std::pair<float, float>{700, 690}, {700, 610}, {790, 560}, {904, 0}}) {
                INFO(n << (words ? " with a word in " : " in ") << width << " × " << height);
                std::vector<std::string> names(letters.begin(),
                                               letters.begin() + static_cast<std::ptrdiff_t>(n));
                if (words) names.back() = "⟨end⟩";
                const Figure figure =
                    stage_strip(cards_of(names, names), 0, frame_of(width, height), "Stages");
                check_texts(figure, &heed::figure::measure);
                float rows = 0;
                int columns = 0;
                for (const Text& text : texts_of(figure)) {
                    if (text.text == "q" && text.align_x == AlignX::right) rows = text.style.size;
                }
                for (const Text& text : texts_of(figure)) {
                    if (text.text.size() == 1) CHECK(text.degrees == 0);
                    const bool column = text.align_x == AlignX::centre || text.degrees != 0;
                    if (!column || std::ranges::find(names, text.text) == names.end()) continue;
                    ++columns;
                    CHECK(text.style.size >= 8);
                    CHECK(text.style.size >= 0.84f * rows);
                }
                CHECK(rows > 0);
                // A word that is turned takes height, which low cards have not.
                if (!words || n < 14 || height == 0) CHECK(columns >= 4 * static_cast<int>(n / 3));
            }
        }
    }
}

TEST_CASE("the key of stages shows the grey of what is masked, which is no colour of a palette") {
    std::vector<StageThumbnail> stages(2);
    stages[0].values = weights(4, 4);
    auto masked = std::make_shared<Matrix<float>>(*weights(4, 4));
    (*masked)(0, 3) = -std::numeric_limits<float>::infinity();
    stages[1].values = stages[0].values;
    CHECK_FALSE(has_text(stage_strip(stages, 0, frame_of(700, 600), "Stages"), "masked"));
    stages[1].values = masked;
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        Frame frame = frame_of(700, 600);
        frame.theme = theme;
        const Figure figure = stage_strip(stages, 0, frame, "Stages");
        CHECK(has_text(figure, "masked"));
        const Color grey = not_finite(theme->stripes);
        CHECK(std::ranges::any_of(figure.items, [&](const Primitive& item) {
            const auto* rect = std::get_if<Fill>(&item);
            return rect && rect->color == grey && rect->box.w < 12;
        }));
        CHECK(contrast(grey, theme->raised) > (theme->dark ? 1.5f : 1.1f));
    }
}

TEST_CASE("beside the words of strips there is room for what is masked") {
    const Index n = 6;
    MapData map = map_of(weights(n, n, true), repeated(kEnglish, n), repeated(kEnglish, n));
    for (Index i = 0; i + 1 < n; ++i) map.masked.push_back({i, i + 1, n});
    HeatmapOptions options;
    const auto shares = std::make_shared<Matrix<float>>(Matrix<float>::Constant(1, n, 0.1f));
    options.col_strip = Strip{shares, true};
    options.row_strip =
        Strip{std::make_shared<Matrix<float>>(Matrix<float>::Constant(n, 1, 0.1f)), true};
    int told = 0;
    for (float width = 300; width <= 900; width += 20) {
        INFO(width);
        const Figure figure = heatmap(map, options, frame_of(width, 460));
        told += has_text(figure, "masked") ? 1 : 0;
        const bool strips = std::ranges::any_of(texts_of(figure), [](const Text& text) {
            return text.text.find("attention received") != std::string::npos;
        });
        if (strips) CHECK(has_text(figure, "masked"));
        check_texts(figure, &heed::figure::measure);
    }
    CHECK(told > 20);
}

TEST_CASE("the row and the column that are chosen have their names on every card, and their cell") {
    const std::vector<std::string> rows = {"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "les",   "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> cols = {"the",  "young", "teacher", "did", "not",
                                           "read", "these", "old",     "book"};
    for (const auto& [width, height] :
         {std::pair<float, float>{540, 588}, {540, 640}, {720, 610}, {720, 690}}) {
        for (const int row : {1, 2, 4, 9}) {
            for (const int col : {1, 3, 8}) {
                INFO(width << " × " << height << ", row " << row << ", column " << col);
                auto cards = cards_of(rows, cols);
                for (std::size_t i = 0; i < cards.size(); ++i) {
                    cards[i].row = row;
                    if (i >= 5 && i < 9) cards[i].col = col;
                }
                const Figure figure =
                    stage_strip(cards, 0, frame_of(width, height), "Stages", "every step");
                check_texts(figure, &heed::figure::measure);
                CHECK(count_texts(figure, rows[static_cast<std::size_t>(row)]) == 11);
                const int named = count_texts(figure, "the") + count_texts(figure, "teacher");
                if (named > 0) {
                    CHECK(count_texts(figure, cols[static_cast<std::size_t>(col)]) == 4);
                }
                CHECK(std::ranges::count_if(figure.items, [&](const Primitive& item) {
                          const auto* rect = std::get_if<Stroke>(&item);
                          return rect && rect->box.w < 60 && rect->color == light_theme().accent;
                      }) == 4);
            }
        }
    }
}

TEST_CASE("a legend of curves has a second line for names where its place is high enough") {
    SeriesChart chart;
    chart.xs = {1, 2, 3};
    float value = 0.9f;
    for (const char* name :
         {"old", "book", "read", "the (7)", "teacher", "young", "did", "not", "the (1)"}) {
        chart.series.push_back({name, {value, value, value}});
        value = 0.0002f;
    }
    chart.marker = 1;
    chart.strongest_first = true;
    chart.decimals = 3;
    chart.high = 1;
    const auto more = [&](float high) {
        const Frame frame = frame_of(320, 200);
        Sheet sheet(frame, 320, 200);
        draw_series(sheet, chart, {10, 10, 290, high});
        check_texts(sheet.figure, &heed::figure::measure);
        int told = 0;
        for (const Text& text : texts_of(sheet.figure)) told += text.text.ends_with(" more");
        return told;
    };
    CHECK(more(70) == 1);
    CHECK(more(110) == 0);
}

TEST_CASE("stages stand in the rows in which most of their names are seen") {
    const std::vector<std::string> said = {
        "le",     "jeune", "professeur", "n'a",    "pas",   "lu",     "la",    "vieille",
        "lettre", "et",    "cette",      "petite", "fille", "blonde", "court", "⟨end⟩"};
    const std::vector<std::string> read = {"the",  "young", "teacher", "did",     "not",
                                           "read", "these", "old",     "letters", "and",
                                           "this", "small", "girl",    "blond",   "runs"};
    // The places of cards in windows of 1280 × 800, 1100 × 700 and 900 × 600.
    for (const auto& [width, height] :
         {std::pair<float, float>{720, 665}, {540, 565}, {812, 465}}) {
        for (std::size_t n = 6; n <= 16; ++n) {
            INFO(n << " rows in " << width << " × " << height);
            std::vector<std::string> rows(said.begin(), said.begin() + static_cast<int>(n));
            const std::vector<std::string> cols(read.begin(),
                                                read.begin() + static_cast<int>(n) - 1);
            const Figure figure = stage_strip(cards_of(rows, cols), 0, frame_of(width, height),
                                              "Stages", "every step");
            check_texts(figure, &heed::figure::measure);
            std::size_t of_rows = 0, of_cols = 0;
            for (const Text& text : texts_of(figure)) {
                const bool row = std::ranges::find(rows, text.text) != rows.end();
                const bool col = std::ranges::find(cols, text.text) != cols.end();
                if (!row && !col) continue;
                INFO(text.text);
                CHECK(text.style.size >= (row ? 7 : 8));
                of_rows += row;
                of_cols += col;
            }
            if (width == 720 && n <= 11) CHECK(of_rows + of_cols == 11 * n + 4 * (n - 1));
            if (width == 720 && n > 11) CHECK(of_rows + of_cols >= 7 * (11 * n + 4 * (n - 1)) / 10);
            if (width == 812 && n <= 11) CHECK(of_rows == 11 * n);
            if (width == 812 && n <= 14) CHECK(of_cols >= 4 * ((n - 1) / 4));
            if (width == 540 && n <= 12)
                CHECK(of_rows + of_cols >= 7 * (11 * n + 4 * (n - 1)) / 10);
        }
    }
}

namespace {

/// The lines about cells of maps of so many rows, and the maps.
std::vector<std::pair<Stroke, Heat>> outlines_of(const Figure& figure, Index rows) {
    std::vector<std::pair<Stroke, Heat>> outlines;
    for (const Primitive& item : figure.items) {
        const auto* line = std::get_if<Stroke>(&item);
        if (!line || line->box.w >= 100) continue;
        const Point middle{line->box.x + line->box.w / 2, line->box.y + line->box.h / 2};
        for (const Primitive& other : figure.items) {
            const auto* map = std::get_if<Heat>(&other);
            if (map && map->values->rows() == rows && map->box.contains(middle))
                outlines.emplace_back(*line, *map);
        }
    }
    return outlines;
}

} // namespace

TEST_CASE("the cell that is chosen of a stage has an outline that is seen on every colour") {
    const std::vector<std::string> words = {"one", "two", "three", "four", "five", "six"};
    auto cards = cards_of(words, words);
    for (std::size_t i = 5; i < 9; ++i) cards[i].row = cards[i].col = 2;
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        Frame frame = frame_of(720, 690);
        frame.theme = theme;
        const Figure figure = stage_strip(cards, 0, frame, "Stages");
        std::vector<Color> lines;
        for (const auto& [line, map] : outlines_of(figure, 6)) lines.push_back(line.color);
        REQUIRE(lines.size() == 8); // two of each map
        for (const PaletteId palette : {theme->weights, theme->stripes}) {
            for (const Color cell : table(palette)) {
                CHECK(std::max(contrast(lines[0], cell), contrast(lines[1], cell)) > 2);
            }
        }
    }
}

TEST_CASE("the outline of a stage's chosen cell leaves the cell its colour, however small it is") {
    std::vector<std::string> rows, cols;
    for (int i = 0; i < 16; ++i) rows.push_back("r" + std::to_string(i));
    for (int i = 0; i < 14; ++i) cols.push_back("c" + std::to_string(i));
    for (const auto& [width, height] :
         {std::pair<float, float>{540, 565}, {720, 665}, {720, 1200}}) {
        INFO(width << " × " << height);
        auto cards = cards_of(rows, cols);
        for (std::size_t i = 5; i < 9; ++i) cards[i].row = cards[i].col = 5;
        const Figure figure = stage_strip(cards, 0, frame_of(width, height), "Stages");
        const auto lines = outlines_of(figure, 16);
        for (const auto& [line, map] : lines) {
            const float w = map.box.w / static_cast<float>(map.values->cols());
            const float h = map.box.h / static_cast<float>(map.values->rows());
            CHECK(line.box.w - 2 * line.width >= w - 0.01f);
            CHECK(line.box.h - 2 * line.width >= h - 0.01f);
        }
        CHECK(lines.size() == 8);
    }
}

namespace {

const std::vector<std::string> kLongRows = {"le",    "jeune", "professeur", "n'a", "pas",  "lu",
                                            "le",    "vieux", "livre",      "que", "la",   "petite",
                                            "fille", "a",     "vu",         "là",  "⟨end⟩"};
const std::vector<std::string> kLongCols = {"those", "young", "teacher", "did",  "not",
                                            "read",  "the",   "old",     "book", "that",
                                            "these", "small", "girl",    "saw"};

/// Cards of a head on a long sentence, where a cell of "pas" is chosen.
std::vector<StageThumbnail> long_cards(int col) {
    auto cards = cards_of(kLongRows, kLongCols);
    for (std::size_t i = 5; i < 9; ++i) {
        cards[i].row = 4;
        cards[i].col = col;
    }
    return cards;
}

} // namespace

TEST_CASE("a stage that has no room for the names of its columns has the chosen one's") {
    for (const auto& [width, height] :
         {std::pair<float, float>{720, 665}, {540, 565}, {812, 465}}) {
        for (const int col : {0, 4, 8, 13}) {
            INFO(width << " × " << height << ", column " << col);
            const Figure figure =
                stage_strip(long_cards(col), 0, frame_of(width, height), "Stages", "steps");
            check_texts(figure, &heed::figure::measure);
            CHECK(count_texts(figure, kLongCols[static_cast<std::size_t>(col)]) == 4);
        }
    }
}

TEST_CASE("a stage of low rows has the names of some of its columns, the chosen one among them") {
    for (const auto& [width, height] :
         {std::pair<float, float>{720, 752}, {540, 652}, {812, 552}}) {
        INFO(width << " × " << height);
        Frame frame = frame_of(width, height); // the stages of windows with long sentences
        frame.beside_title = 400;
        frame.reading = "“pas” and “not”: their score is 59.71, scaled 13.35.";
        frame.reading_lines = 2;
        const Figure figure = stage_strip(long_cards(4), 0, frame, "Stages", "every step");
        check_texts(figure, &heed::figure::measure);
        CHECK(count_texts(figure, "not") == 4);
        int named = 0;
        for (const Text& text : texts_of(figure)) {
            if (text.degrees == 0) continue;
            ++named;
            CHECK(text.style.size >= 8);
        }
        CHECK(named >= 3 * 4);
    }
}

TEST_CASE("rows of a map that are low have small names before they have none") {
    const std::vector<std::string> words = {"le",    "chat", "noir",  "n'a",   "pas",
                                            "mangé", "la",   "pomme", "rouge", "⟨end⟩"};
    const MapData map = map_of(weights(10, 9), words, repeated(kEnglish, 9));
    int low = 0;
    for (float height = 160; height < 400; height += 5) {
        const Figure figure = heatmap(map, {}, frame_of(520, height));
        check_texts(figure, &heed::figure::measure);
        for (const Primitive& item : figure.items) {
            const auto* heat = std::get_if<Heat>(&item);
            if (!heat || heat->values->rows() != 10 || heat->box.h < 90) continue;
            INFO(height << ": rows of " << heat->box.h / 10);
            low += heat->box.h < 105;
            for (const std::string& word : words) CHECK(has_text(figure, word));
        }
    }
    CHECK(low > 0);
}

TEST_CASE("the frame of a chosen cell keeps off the number below it, however low rows are") {
    HeatmapOptions options;
    options.selected = {1, 2};
    options.numbers = true;
    const MapData map = map_of(weights(10, 9), repeated(kEnglish, 10), repeated(kEnglish, 9));
    int low = 0;
    for (float height = 180; height < 320; height += 5) {
        const Figure figure = heatmap(map, options, frame_of(620, height));
        for (const auto& [line, cells] : outlines_of(figure, 10)) {
            const float h = cells.box.h / 10;
            if (h >= 16 || line.box.h > 2 * h) continue;
            CHECK(line.box.h <= h + 4.01f);
            ++low;
        }
    }
    CHECK(low > 0);
}

TEST_CASE("the key of stages says of what is no number that it is none") {
    std::vector<StageThumbnail> stages(2);
    for (StageThumbnail& stage : stages) stage.values = weights(4, 4);
    const auto with = [](float value) {
        auto values = std::make_shared<Matrix<float>>(*weights(4, 4));
        (*values)(0, 3) = value;
        return values;
    };
    const float masked = -std::numeric_limits<float>::infinity();
    const float none = std::numeric_limits<float>::quiet_NaN();
    const auto key = [&] { return stage_strip(stages, 0, frame_of(700, 600), "Stages"); };
    stages[1].values = with(none);
    CHECK(has_text(key(), "not a number"));
    CHECK_FALSE(has_text(key(), "masked"));
    stages[0].values = with(masked);
    CHECK(has_text(key(), "masked, or not a number"));
    stages[1].values = stages[0].values;
    CHECK(has_text(key(), "masked"));
    CHECK_FALSE(has_text(key(), "not a number"));
}

TEST_CASE("no cell of a stage is pointed out whose columns stand for several tokens each") {
    std::vector<std::string> cols;
    for (int i = 0; i < 20; ++i) cols.push_back("k" + std::to_string(i));
    const std::vector<std::string> rows = {"le", "chat", "noir", "dort"};
    auto cards = cards_of(rows, cols);
    const auto outlined = [&] {
        int count = 0;
        const Figure figure = stage_strip(cards, 0, frame_of(900, 690), "Stages");
        for (const Primitive& item : figure.items) {
            const auto* rect = std::get_if<Stroke>(&item);
            count += rect && rect->box.w < 20 && rect->color == light_theme().accent;
        }
        return count;
    };
    for (std::size_t i = 5; i < 9; ++i) {
        cards[i].row = 1;
        cards[i].col = 7;
    }
    CHECK(outlined() == 4);
    for (std::size_t i = 5; i < 9; ++i) cards[i].values = weights(4, 10); // of 20 columns
    CHECK(outlined() == 0);
}

TEST_CASE("a single map has no numbers that are too small to be read, maps to be compared do") {
    const MapData map = map_of(weights(10, 9), repeated(kEnglish, 10), repeated(kEnglish, 9));
    const auto smallest = [](const Figure& figure) {
        float size = 100;
        for (const Text& text : texts_of(figure)) {
            const bool number = text.text.starts_with("0.") && text.align_x == AlignX::centre;
            if (number && text.style.font == Font::mono) size = std::min(size, text.style.size);
        }
        return size;
    };
    int small = 0, numbered = 0;
    for (float height = 200; height < 420; height += 5) {
        INFO(height);
        const Frame frame = frame_of(540, height);
        const HeatmapOptions options;
        const float alone = smallest(heatmap(map, options, frame));
        CHECK(alone >= 8);
        numbered += alone < 100;
        small += smallest(heatmaps_beside({map, options, frame}, {map, options, frame})) < 8;
    }
    CHECK(numbered > 10);
    CHECK(small > 0);
}

TEST_CASE("names of nine curves come before the values of the weaker in a narrow card") {
    SeriesChart chart;
    chart.xs = {1, 2, 3};
    const float values[] = {0.997f, 0.003f, 2e-4f, 1e-4f, 1e-4f, 1e-4f, 1e-5f, 1e-5f, 1e-6f};
    const char* names[] = {"old",   "book", "read", "the (7)", "teacher",
                           "young", "did",  "not",  "the (1)"};
    for (std::size_t i = 0; i < 9; ++i) {
        chart.series.push_back({names[i], {values[i], values[i], values[i]}});
    }
    chart.marker = 1;
    chart.strongest_first = true;
    chart.decimals = 3;
    chart.high = 1;
    const Frame frame = frame_of(300, 150);
    Sheet sheet(frame, 300, 150);
    draw_series(sheet, chart, {10, 10, 265, 112}); // of a window of 1280 × 720
    check_texts(sheet.figure, &heed::figure::measure);
    for (const char* name : names) {
        INFO(name);
        CHECK(std::ranges::any_of(texts_of(sheet.figure), [&](const Text& text) {
            return text.text == name || text.text.starts_with(std::string(name) + "  ");
        }));
    }
    CHECK(has_text(sheet.figure, "old  0.997"));
}

TEST_CASE(
    "cells of a low map are as wide as lets names above them lie level, where there is room") {
    const std::vector<std::string> said = {"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> read = {"the",  "young", "teacher", "did", "not",
                                           "read", "the",   "old",     "book"};
    for (float height = 250; height <= 365; height += 5) { // of the stage of a low window
        INFO(height);
        const Figure figure =
            heatmap(map_of(weights(10, 9), said, read), {}, frame_of(812, height));
        check_texts(figure, &heed::figure::measure);
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            CHECK(text.degrees == 0);
        }
    }
}

TEST_CASE("words are moved apart as far as they need, or not at all where no place is left") {
    const auto near_each_other = moved_apart({20, 40, 20}, 30, 5, 20, 20);
    REQUIRE(near_each_other.has_value());
    const auto& moved = *near_each_other;
    for (std::size_t i = 0; i < 2; ++i) { // half of either word, and what is between
        CHECK(30 + moved[i + 1] - moved[i] >= 30 + 5 - 0.01f);
    }
    CHECK_FALSE(moved_apart({50, 50, 50}, 30, 5, 20, 20).has_value()); // from their places
    CHECK_FALSE(moved_apart({20, 40, 20}, 30, 5, 2, 2).has_value());   // beyond an edge
    const auto as_they_are = moved_apart({20, 20}, 40, 5, 20, 20);
    CHECK(as_they_are == std::vector<float>{0, 0});
}

TEST_CASE("with a filter its names alone are lit, and the selected cell keeps its frame") {
    const MapData map = map_of(weights(6, 6), kEnglish, kMixed);
    HeatmapOptions options;
    options.selected = {3, 4};
    const auto lit = [&] {
        std::set<std::string> words;
        for (const Text& text : texts_of(heatmap(map, options, frame_of(700, 500)))) {
            if (text.color == light_theme().accent) words.insert(text.text);
        }
        return words;
    };
    CHECK(lit() == std::set<std::string>{kEnglish[3], kMixed[4]});
    options.chosen_rows = {1};
    CHECK(lit() == std::set<std::string>{kEnglish[1]});
    options.selected = {1, 4};
    CHECK(lit() == std::set<std::string>{kEnglish[1]});
    options.chosen_cols = {2};
    CHECK(lit() == std::set<std::string>{kEnglish[1], kMixed[2]});
    const auto frames = [&] {
        const Figure figure = heatmap(map, options, frame_of(700, 500));
        return std::ranges::count_if(figure.items, [](const Primitive& item) {
            const auto* frame = std::get_if<Stroke>(&item);
            return frame && frame->color == light_theme().accent && frame->width == 2;
        });
    };
    CHECK(frames() == 1);
}

TEST_CASE("a picture says where not every row and column has its name") {
    const auto says = [](const Figure& figure, const std::string& words) {
        return std::ranges::any_of(texts_of(figure), [&](const Text& text) {
            return text.text.find(words) != std::string::npos;
        });
    };
    const auto names = repeated(kEnglish, 60);
    const MapData many = map_of(weights(60, 60), names, names);
    CHECK(says(heatmap(many, {}, frame_of(700, 500)), "every "));
    CHECK(says(heatmap(many, {}, frame_of(700, 500)), " named"));
    const MapData few = map_of(weights(6, 6), kEnglish, kEnglish);
    CHECK_FALSE(says(heatmap(few, {}, frame_of(700, 500)), " named"));
}

TEST_CASE("a chosen emoji, which has colours of its own, has a line in the accent below it") {
    const auto lines_below = [](const std::vector<std::string>& names) {
        HeatmapOptions options;
        options.selected = {1, 2};
        const Figure figure =
            heatmap(map_of(weights(3, 3), names, names), options, frame_of(500, 400));
        return std::ranges::count_if(figure.items, [](const Primitive& item) {
            const auto* line = std::get_if<Line>(&item);
            return line && !line->dashed && line->color == light_theme().accent;
        });
    };
    CHECK(lines_below({"🎉", "🍎", "🍏"}) == lines_below({"a", "b", "c"}) + 2);
}
