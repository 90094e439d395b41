#include "figure/lab_picture.hpp"

#include "catch.hpp"
#include "figure/base/palette.hpp"
#include "figure/parts/series_chart.hpp"
#include "golden.hpp"
#include "samples.hpp"
#include "texts.hpp"

#include <cmath>
#include <limits>
#include <map>

using namespace heed;
using namespace heed::figure;
using namespace samples;

namespace {

/// One picture of each kind, of closed forms.
std::vector<lab::Picture> one_of_each() {
    constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
    lab::Histogram histogram{-2, 2, {{"q·k/√d_{k}", {0.1, 0.3, 0.3, 0.1}}}, {}, "q·k"};
    histogram.closed = {{"N(0, 1)", {0.1, 0.35, 0.35, 0.1}}};
    lab::Bars bars{{"w_{1}", "w_{2}", "w_{3}"}, {{"unscaled"}, {"scaled"}}, "weight"};
    bars.series[0].values = {0.7, 0.1, -0.2};
    bars.series[1] = {"scaled", {0.4, kGap, 0.3}, {0.3, kGap, 0.3}, {0.5, kGap, 0.3}};
    lab::Curves curves{{1, 2, 4, 8}, {{"plain", {1, 0.1, 0.01, 0.001}}}, true, true};
    curves.x_word = "d_{k}";
    curves.y_word = "‖∂y/∂x‖";
    curves.now = 4;
    lab::Grid grid;
    grid.values = weights(3, 4);
    grid.rows = {"h_{1}", "h_{2}", "h_{3}"};
    grid.weights = true;
    lab::Words words{{{"low ×5", {{"low", 1}, {"·", 0}}}, {"昨天", {{"昨", 0.5}}}}};
    return {{"Distribution of q·k", "σ = 1", histogram},
            {"Bars", "", bars},
            {"Jacobian diag(y) − yy^{T}", "", curves},
            {"Weights", "softmax", grid},
            {"Words in pieces", "", words}};
}

LabPage sample_page() {
    LabPage page;
    page.title = "Why divide by √d_{k}?";
    page.subtitle = "A claim.";
    page.pictures = one_of_each();
    page.measured = {{"a", "variance, unscaled", 63.7, 0.8},
                     {"b", "‖∂y/∂x‖", 0.00012, 0},
                     {"c", "time", 1.5, 0, "ms"}};
    page.judgement = {lab::Verdict::does_not_hold, "The variance of q·k is 63.7."};
    page.source = "Vaswani et al. 2017";
    return page;
}

bool is_finite(const Figure& figure) {
    const std::string words = dump(figure);
    return words.find("nan") == std::string::npos && words.find("inf") == std::string::npos;
}

} // namespace

TEST_CASE("a page of the lab is as approved") {
    CHECK(difference_from_golden("lab_page", dump(lab_page(sample_page(), plain_frame(900, 0)))) ==
          "");
}

TEST_CASE("a series of the lab keeps its colour in bars, curves and distributions") {
    lab::Series unscaled{"q·k", {0.5, 0.25}}, scaled{"q·k/√d_{k}", {0.25, 0.5}};
    unscaled.colour = 1;
    scaled.colour = 0;
    const lab::Bars bars{{"1", "2"}, {unscaled, scaled}, "weight"};
    lab::Curves curves{{1, 2}, {unscaled, scaled}};
    const lab::Histogram histogram{0, 1, {unscaled, scaled}, {}, "q·k"};
    for (const lab::Picture& picture :
         {lab::Picture{"", "", bars}, {"", "", curves}, {"", "", histogram}}) {
        const Figure figure = lab_picture(picture, plain_frame(400, 300));
        std::vector<Color> strokes; // of the legend, whose names are in their order
        for (const Primitive& item : figure.items) {
            const auto* fill = std::get_if<Fill>(&item);
            if (fill && fill->box.w < 20 && fill->box.h < 10) strokes.push_back(fill->color);
        }
        INFO(picture.data.index());
        REQUIRE(strokes.size() >= 2);
        CHECK(strokes[0] == light_theme().series[1]);
        CHECK(strokes[1] == light_theme().series[0]);
    }
}

TEST_CASE("numbers beside the rows of a square grid all stand where digits have room") {
    lab::Grid grid;
    grid.values = weights(16, 16);
    grid.signed_values = true;
    grid.row_word = "weight";
    grid.col_word = "score";
    const Figure figure = lab_picture({"Jacobian", "y = softmax(q·k)", grid},
                                      frame_of(432, 276, &heed::figure::measure));
    for (int i = 1; i <= 16; ++i) {
        INFO(i);
        CHECK(std::ranges::count(texts_of(figure), std::to_string(i), &Text::text) == 2);
    }
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("two heat maps of the lab that are compared have one span of colours") {
    lab::Grid small;
    small.values = weights(2, 2); // none above 1
    small.signed_values = true;
    lab::Grid wide = small;
    wide.reach = 4;
    const auto words = [](const lab::Grid& grid) {
        return dump(lab_picture({"Jacobian", "", grid}, plain_frame(400, 300)));
    };
    CHECK(words(wide).find("−4") != std::string::npos);
    CHECK(words(small).find("−4") == std::string::npos);
}

TEST_CASE("numbers of the lab are written with the digits that mean something") {
    CHECK(measured_text({"a", "", 63.7123, 0.812}) == "63.71 ± 0.81");
    CHECK(measured_text({"a", "", 0.5}) == "0.5");
    CHECK(measured_text({"a", "", 36864}) == "36,864");
    CHECK(measured_text({"a", "", 1.234e-7}) == "1.2·10⁻⁷");
    CHECK(measured_text({"a", "", 0.07948, 0.0853}) == "0.079 ± 0.085");
    CHECK(measured_text({"a", "", -0.25, 4e-5}) == "−0.25000 ± 0.00004");
    CHECK(measured_text({"a", "", -0.25, 4e-7}) == "−0.25 ± 4·10⁻⁷"); // of rounding alone
    CHECK(measured_text({"a", "", 2.5, 0, "×"}) == "2.5×");
    CHECK(measured_text({"a", "", 1.713, 0.22, "×"}) == "(1.71 ± 0.22)×");
    CHECK(measured_text({"a", "", 12, 0, "ms"}) == "12 ms");
    CHECK(measured_text({"a", "", 0}) == "0");
    CHECK(measured_text({"a", "", -std::numeric_limits<double>::infinity()}) == "−∞");
}

TEST_CASE("a mean of the lab and its spread have equally many decimals") {
    CHECK(measured_text({"a", "", 1, 0.013}) == "1.000 ± 0.013");
    CHECK(measured_text({"a", "", 63.7, 0.8}) == "63.70 ± 0.80");
    CHECK(measured_text({"a", "", 12345.6, 678}) == "12346 ± 678");
    CHECK(measured_text({"a", "", 0, 0.5}) == "0.00 ± 0.50");
    CHECK(measured_text({"a", "", 1.234e-5, 2e-6}) == "(1.23 ± 0.20)·10⁻⁵");
    CHECK(measured_text({"a", "", 3e6, 4e5, "µs"}) == "(3.00 ± 0.40)·10⁶ µs");
}

TEST_CASE("shares of the lab are in per cent, and entropies have two decimals") {
    CHECK(measured_text({"a", "", 0.64, 0, lab::kShare}) == "64.0 %");
    CHECK(measured_text({"a", "", 0.6384, 0.0213, lab::kShare}) == "63.8 ± 2.1 %");
    CHECK(measured_text({"a", "", 1, 0, lab::kShare}) == "100 %");
    CHECK(measured_text({"a", "", -0.132, 0.051, lab::kPoints}) == "−13.2 ± 5.1 points");
    CHECK(measured_text({"a", "", 0.25, 0, lab::kPoints}) == "25.0 points");
    CHECK(measured_text({"a", "", 1.5, 0, "bits"}) == "1.50 bits");
    CHECK(measured_text({"a", "", 1.5, 0.012, "bits"}) == "1.50 ± 0.01 bits");
    CHECK(measured_text({"a", "", 1.5, 0.12, "bits"}) == "1.50 ± 0.12 bits");
    CHECK(measured_text({"a", "", 1.5, 0.0012, "bits"}) == "1.5000 ± 0.0012 bits");
}

TEST_CASE("every kind of picture of the lab is drawn at any size, in both themes") {
    for (const lab::Picture& picture : one_of_each()) {
        CAPTURE(picture.title);
        for (const auto& [w, h] :
             {std::pair(0.f, 0.f), {300.f, 200.f}, {90.f, 60.f}, {20.f, 9.f}}) {
            const Figure figure = lab_picture(picture, plain_frame(w, h, dark_theme()));
            CHECK(is_finite(figure));
        }
        CHECK(lab_picture(picture, plain_frame(0, 0)).items.size() > 3);
    }
}

TEST_CASE("of rows that have no room the first or the last ones are left out, as is asked") {
    lab::Words words;
    for (int i = 1; i <= 20; ++i) words.rows.push_back({"row " + std::to_string(i), {{"a"}}});
    for (const bool last : {false, true}) {
        words.last_rows = last;
        const std::string drawn = dump(lab_picture({"", "", words}, plain_frame(420, 300)));
        CHECK((drawn.find("\"row 20\"") != std::string::npos) == last);
        CHECK((drawn.find("\"row 1\"") != std::string::npos) == !last);
        CHECK(drawn.find("…") != std::string::npos);
    }
}

TEST_CASE("letters on a tile are read in both themes, however strong its ground is") {
    lab::Words words{{{"row", {}}}};
    for (int i = 0; i <= 10; ++i) {
        words.rows[0].tokens.push_back({"t" + std::to_string(i), i / 10.0});
    }
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        const Figure figure = lab_picture({"", "", words}, plain_frame(900, 300, *theme));
        Color ground{};
        int tiles = 0;
        for (const Primitive& item : figure.items) {
            if (const auto* fill = std::get_if<Fill>(&item)) ground = fill->color;
            const auto* text = std::get_if<Text>(&item);
            if (!text || text->text[0] != 't') continue;
            INFO(text->text << (theme->dark ? " dark" : " light"));
            CHECK(ground.a == 255);
            CHECK(contrast(text->color, ground) >= 4.5f);
            ++tiles;
        }
        CHECK(tiles == 11);
    }
}

TEST_CASE("a map of zeros has an edge that is seen on its ground") {
    lab::Grid grid;
    grid.values = std::make_shared<Matrix<float>>(Matrix<float>::Zero(1, 4));
    grid.weights = true;
    const Figure figure = lab_picture({"", "", grid}, plain_frame(420, 200));
    const Target* cells = nullptr;
    for (const Target& target : figure.targets) {
        if (target.as<tag::Cells>()) cells = &target;
    }
    REQUIRE(cells);
    int edges = 0;
    for (const Primitive& item : figure.items) {
        const auto* stroke = std::get_if<Stroke>(&item);
        edges += stroke && std::abs(stroke->box.w - cells->box.w) < 2 &&
                 std::abs(stroke->box.h - cells->box.h) < 2 &&
                 contrast(stroke->color, light_theme().ground) > 1.15f;
    }
    CHECK(edges == 1);
}

TEST_CASE("numbers and short names below and above the lab's pictures lie flat where they fit") {
    const auto slanted = [](const lab::Picture& picture, float width) {
        int count = 0;
        const Figure figure = lab_picture(picture, frame_of(width, 260));
        for (const Text& text : texts_of(figure)) count += text.degrees != 0;
        check_texts(figure, &heed::figure::measure);
        return count;
    };
    lab::Grid counted, words;
    counted.values = weights(16, 16);
    words.values = weights(8, 8);
    for (int i = 1; i <= 8; ++i) words.cols.push_back("w_{" + std::to_string(i) + "}");
    counted.numbers = words.numbers = false;
    CHECK(slanted({"", "", counted}, 300) == 0);
    CHECK(slanted({"", "", words}, 330) == 0);
    lab::Bars bars{{"self-attention", "recurrent", "convolution", "local attention"},
                   {{"time", {1, 2, 3, 4}}},
                   "ms"};
    CHECK(slanted({"", "", bars}, 430) == 0);
}

TEST_CASE("curves that are one line are both seen, each has the whole of what is its own") {
    lab::Curves curves;
    for (int i = 0; i <= 100; ++i) curves.xs.push_back(i);
    curves.series = {{"rise and fall"}, {"fall only"}, {"constant"}};
    for (int i = 0; i <= 100; ++i) {
        const double fall = 1 - 0.005 * i;
        curves.series[0].values.push_back(i < 50 ? 0.01 * i : fall);
        curves.series[1].values.push_back(fall);
        curves.series[2].values.push_back(1.2);
    }
    const Figure figure = lab_picture({"", "", curves}, plain_frame(500, 300));
    const auto length_of = [&](int series) {
        const Color color = series_color(light_theme(), series, 3);
        float longest = 0, all = 0;
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line || line->color != color) continue;
            const float length = line->points.back().x - line->points.front().x;
            longest = std::max(longest, length);
            all += length;
        }
        return std::pair(longest, all);
    };
    const float whole = length_of(2).first; // alone all the way
    CHECK(whole > 300);
    CHECK(length_of(0).first == Approx(whole)); // below the other's dashes
    CHECK(length_of(1).first > 0.45f * whole);  // until the two meet
    CHECK(length_of(1).first < 0.55f * whole);
    CHECK(length_of(1).second > 0.7f * whole); // dashes, half of the rest
    CHECK(length_of(1).second < 0.8f * whole);
}

TEST_CASE("pictures of nothing are drawn as nothing") {
    for (const lab::Picture& picture :
         {lab::Picture{"", "", lab::Histogram{}}, lab::Picture{"", "", lab::Bars{}},
          lab::Picture{"", "", lab::Curves{}}, lab::Picture{"", "", lab::Grid{}},
          lab::Picture{"", "", lab::Words{}}}) {
        CHECK(is_finite(lab_picture(picture, plain_frame(300, 200))));
    }
}

TEST_CASE("all pictures that pages of the lab show by themselves are drawn") {
    for (const lab::Page& page : lab::pages()) {
        CAPTURE(page.name);
        for (const lab::Picture& picture : page.look(lab::usual_settings(page.parameters))) {
            CAPTURE(picture.title);
            const Figure figure = lab_picture(picture, plain_frame(420, 300));
            CHECK(is_finite(figure));
            CHECK(figure.items.size() > 3);
        }
    }
}

TEST_CASE("dragging any parameter from end to end draws finite pictures") {
    for (const lab::Page& page : lab::pages()) {
        for (const lab::Parameter& p : page.parameters) {
            if (p.kind == lab::ParameterKind::text) continue;
            for (const double value : {p.least, p.most}) {
                CAPTURE(page.name, p.name, value);
                lab::Settings settings = lab::usual_settings(page.parameters);
                settings.numbers[p.name] = value;
                for (const lab::Picture& picture : page.look(settings)) {
                    CHECK(is_finite(lab_picture(picture, plain_frame(420, 300))));
                }
            }
        }
    }
}

TEST_CASE("numbers in the cells of the lab are of a size that is read, or left out") {
    for (const lab::Page& page : lab::pages()) {
        for (const lab::Picture& picture : page.look(lab::usual_settings(page.parameters))) {
            const auto* grid = std::get_if<lab::Grid>(&picture.data);
            if (!grid) continue;
            CAPTURE(page.name, picture.title);
            for (const float width : {260.f, 320.f, 420.f, 900.f}) {
                for (const Primitive& item :
                     lab_picture(picture, plain_frame(width, width / 1.4f)).items) {
                    const Text* text = std::get_if<Text>(&item);
                    if (!text || text->style.font != Font::mono) continue;
                    CHECK(text->style.size >= 9);
                }
            }
        }
    }
}

TEST_CASE("numbers that would fill their cells from edge to edge are left out") {
    lab::Grid grid;
    grid.values = weights(6, 6);
    grid.weights = true;
    int drawn = 0, left_out = 0;
    for (float width = 140; width < 420; width += 8) {
        const Figure figure = lab_picture({"", "", grid}, frame_of(width, 300));
        const auto cells = std::ranges::find_if(figure.targets, [](const Target& target) {
            return target.as<tag::Cells>() != nullptr;
        });
        REQUIRE(cells != figure.targets.end());
        bool numbers = false;
        for (const Text& text : texts_of(figure)) {
            if (text.style.font != Font::mono || !cells->box.contains(text.at)) continue;
            numbers = true;
            CHECK(heed::figure::measure(text.text, text.style).width + 5 <= cells->box.w / 6);
        }
        ++(numbers ? drawn : left_out);
    }
    CHECK(drawn > 3);
    CHECK(left_out > 3);
}

TEST_CASE("zeros that a map is to show are written so, in the smallest map, too") {
    lab::Grid grid;
    grid.values = std::make_shared<const num::Matrix<float>>(num::Matrix<float>::Zero(5, 5));
    grid.signed_values = grid.zeros = true;
    for (const float width : {260.f, 420.f}) {
        INFO(width);
        const auto texts = texts_of(lab_picture({"", "", grid}, frame_of(width, 260)));
        CHECK(std::ranges::count(texts, "0", &Text::text) >= 25);
        CHECK(std::ranges::count(texts, "0.000", &Text::text) == 0);
    }
}

TEST_CASE("a line parts the rows and columns of a map that are of another kind") {
    lab::Grid grid;
    grid.values = weights(4, 4);
    grid.numbers = false;
    const auto lines = [&] {
        const Figure figure = lab_picture({"", "", grid}, plain_frame(400, 300));
        return std::ranges::count_if(figure.items, [](const Primitive& item) {
            const auto* line = std::get_if<Line>(&item);
            return line && line->color == light_theme().text;
        });
    };
    CHECK(lines() == 0);
    grid.line_behind = 2;
    CHECK(lines() == 2);
    grid.line_behind = 4; // behind all of them
    CHECK(lines() == 0);
}

TEST_CASE("a dashed line of a chart is named, and values are told beside names where asked") {
    lab::Curves curves{{1, 2, 3}, {{"a", {0.25, 0.5, 0.75}}, {"b", {0.5, 0.5, 0.25}}}};
    curves.y_word = "share";
    const auto words = [&] { return dump(lab_picture({"", "", curves}, plain_frame(400, 300))); };
    CHECK(words().find("at n = 2") == std::string::npos);
    curves.now = 2;
    curves.now_words = "at n = 2";
    CHECK(words().find("\"at n = 2\"") != std::string::npos);
    CHECK(words().find("\"a  0.5") != std::string::npos);
    curves.now_values = false;
    CHECK(words().find("\"a\"") != std::string::npos);
    curves.y_word.clear(); // the line's own name stands alone
    CHECK(words().find("\"at n = 2\"") != std::string::npos);
}

TEST_CASE("powers of ten beside each other have equally many digits") {
    lab::Curves curves{{1, 2}, {{"a", {2.1e6, 1e5}}, {"b", {1.02e6, 1e6}}, {"c", {3e6, 1e6}}}};
    curves.now = 1;
    const std::string words = dump(lab_picture({"", "", curves}, plain_frame(500, 300)));
    for (const char* name : {"a  2.1·10⁶", "b  1.0·10⁶", "c  3.0·10⁶"}) {
        INFO(name);
        CHECK(words.find(name) != std::string::npos);
    }
}

TEST_CASE("names below bars are of one size in narrow and wide places") {
    const lab::Bars bars{
        {"attention", "recurrence", "convolution", "window"}, {{"steps", {1, 2, 3, 4}}}, "steps"};
    for (const float width : {340.f, 420.f, 900.f}) {
        INFO(width);
        for (const Text& text : texts_of(lab_picture({"", "", bars}, frame_of(width, 276)))) {
            if (std::ranges::count(bars.labels, text.text) > 0) CHECK(text.style.size == 10);
        }
    }
}

TEST_CASE("a remark on tokens stands on no ground of its own") {
    lab::Words words{{{"1", {{"l"}, {"o"}, {"lo", 1}, {"7 times", 0, true}}}}};
    const Figure figure = lab_picture({"", "", words}, plain_frame(400, 200));
    const std::vector<Text> texts = texts_of(figure);
    const auto remark = std::ranges::find(texts, "7 times", &Text::text);
    REQUIRE(remark != texts.end());
    for (const Primitive& item : figure.items) {
        const auto* fill = std::get_if<Fill>(&item);
        if (fill && fill->box.w < 200) CHECK(!fill->box.contains(remark->at));
    }
}

TEST_CASE("a legend of bars counts the names that have no room") {
    lab::Bars bars;
    bars.labels = {"a"};
    for (const char* name : {"the first of them", "the second of them", "the third of them"}) {
        bars.series.push_back({name, {0.5}});
    }
    const auto drawn = [&](float width) {
        return dump(lab_picture({"", "", bars}, plain_frame(width, 300)));
    };
    CHECK(drawn(900).find(" more\"") == std::string::npos);
    CHECK(drawn(900).find("the third of them") != std::string::npos);
    CHECK(drawn(320).find("the first of them") != std::string::npos);
    CHECK(drawn(320).find(" more\"") != std::string::npos);
}

TEST_CASE("names of bars of two words stand level in two lines before they slant or are cut") {
    lab::Bars bars{{"encoder embedding", "encoder 1", "encoder 2", "encoder norm",
                    "decoder embedding", "decoder 1", "decoder 2", "decoder norm"},
                   {{"mean", {1, 2, 3, 4, 5, 6, 7, 8}}},
                   "mean"};
    const Figure figure = lab_picture({"", "", bars}, frame_of(680, 260));
    check_texts(figure, &heed::figure::measure);
    int embeddings = 0;
    for (const Text& text : texts_of(figure)) {
        CHECK(text.degrees == 0);
        CHECK(text.text.find("…") == std::string::npos);
        embeddings += text.text == "embedding";
    }
    CHECK(embeddings == 2);
}

TEST_CASE("a formula's density is seen where what is drawn lies upon it") {
    lab::Histogram histogram{-2, 2, {{"q·k", {0.1, 0.3, 0.3, 0.1}}}, {}, "q·k"};
    histogram.closed = {{"N(0, 1)", {0.1, 0.3, 0.3, 0.1}}};
    const Frame frame = frame_of(400, 300);
    Sheet sheet(frame, 400, 300);
    draw_lab_picture(sheet, {"", "", histogram}, {10, 10, 380, 280});
    // Pieces of either colour: none of the two curves is one whole line above the other.
    std::map<std::uint8_t, int> pieces;
    for (const Primitive& item : sheet.figure.items) {
        if (const auto* line = std::get_if<Line>(&item); line && line->width > 1.2f) {
            ++pieces[line->color.r];
        }
    }
    CHECK(pieces[sheet.theme().text.r] > 1);
}

namespace {

/// A map of weights below a half, of so many words.
lab::Grid faint_weights(int words) {
    num::Matrix<float> values = num::Matrix<float>::Constant(words, words, 0.1f);
    values(0, 1) = 0.4f;
    values(1, 0) = 0.002f; // allowed, and rounds to 0
    values(0, words - 1) = 0;
    lab::Grid grid;
    grid.values = std::make_shared<const num::Matrix<float>>(std::move(values));
    grid.weights = true;
    return grid;
}

std::ptrdiff_t count_of(const Figure& figure, std::string_view words) {
    return std::ranges::count(texts_of(figure), words, &Text::text);
}

} // namespace

TEST_CASE("a weight of the lab that rounds to 0 is told where others are, a masked one is not") {
    const Figure roomy = lab_picture({"", "", faint_weights(4)}, plain_frame(500, 300));
    CHECK(count_of(roomy, "0.10") > 0);
    CHECK(count_of(roomy, "<.01") + count_of(roomy, "< 0.01") == 1);
    lab::Grid mostly = faint_weights(4);
    num::Matrix<float> values = *mostly.values;
    values.bottomRows(3).setConstant(0.002f);
    mostly.values = std::make_shared<const num::Matrix<float>>(std::move(values));
    const Figure drowned = lab_picture({"", "", mostly}, plain_frame(500, 300));
    CHECK(count_of(drowned, "<.01") + count_of(drowned, "< 0.01") == 0);
    const Figure narrow = lab_picture({"", "", faint_weights(12)}, plain_frame(260, 200));
    CHECK(count_of(narrow, "0.10") == 0);
    CHECK(count_of(narrow, "<.01") + count_of(narrow, "< 0.01") + count_of(narrow, "≈0") == 0);
    for (float width = 420; width > 200; width -= 4) {
        const Figure figure = lab_picture({"", "", faint_weights(6)}, plain_frame(width, 260));
        const auto told =
            count_of(figure, "<.01") + count_of(figure, "< 0.01") + count_of(figure, "≈0");
        CHECK(told == (count_of(figure, ".10") + count_of(figure, "0.10") > 0 ? 1 : 0));
    }
}

TEST_CASE("a signed number of the lab that rounds to 0 is told from one that is 0") {
    lab::Grid grid;
    num::Matrix<float> values(2, 2);
    values << 0.19f, -0.004f, -0.01f, 0;
    grid.values = std::make_shared<const num::Matrix<float>>(std::move(values));
    grid.signed_values = true;
    const Figure figure = lab_picture({"", "", grid}, plain_frame(400, 300));
    CHECK(count_of(figure, "≈0") == 1);
    CHECK(count_of(figure, "−0.01") == 1);
    CHECK(count_of(figure, "0.00") == 1);
}

TEST_CASE("colours of the long copies' weights begin at 0, as those of every map of weights") {
    const lab::Page& page = *lab::page_named("long-copies");
    int maps = 0;
    for (const lab::Picture& picture : page.look(lab::usual_settings(page.parameters))) {
        if (!std::holds_alternative<lab::Grid>(picture.data)) continue;
        const Figure figure = lab_picture(picture, plain_frame(400, 340));
        CHECK(count_of(figure, "weights") == 1);
        CHECK(count_of(figure, "0") == 1);
        ++maps;
    }
    CHECK(maps == 1);
}

TEST_CASE("weights that have no room for their 0 begin with their point before they are left out") {
    bool pointed = false, bare = false;
    for (float width = 420; width > 200; width -= 4) {
        const Figure figure = lab_picture({"", "", faint_weights(6)}, plain_frame(width, 260));
        const auto whole = count_of(figure, "0.10"), points = count_of(figure, ".10");
        CHECK((whole == 0 || points == 0)); // one way of writing in all cells
        if (points > 0) CHECK(count_of(figure, ".40") == 1);
        pointed = pointed || points > 0;
        bare = bare || whole + points == 0;
    }
    CHECK(pointed);
    CHECK(bare);
}

TEST_CASE("colours of weights of the lab that have no numbers reach to the largest of them") {
    const Figure roomy = lab_picture({"", "", faint_weights(4)}, plain_frame(500, 300));
    CHECK(count_of(roomy, "1.0") == 1);
    const Figure narrow = lab_picture({"", "", faint_weights(8)}, plain_frame(290, 240));
    CHECK(count_of(narrow, "1.0") == 0);
    CHECK(count_of(narrow, "0.4") + count_of(narrow, "0.40") == 1);
    CHECK(count_of(narrow, "weights") == 1);
}

TEST_CASE("maps of the lab that are no weights have one span where asked, and say of what") {
    lab::Grid grid;
    grid.values =
        std::make_shared<const num::Matrix<float>>(num::Matrix<float>::Constant(2, 4, 0.25f));
    grid.reach = 0.5;
    grid.bar_word = "change";
    const Figure figure = lab_picture({"", "", grid}, plain_frame(400, 300));
    CHECK(count_of(figure, "change") == 1);
    CHECK(count_of(figure, "0 to max") == 0);
    CHECK(count_of(figure, "0.50") + count_of(figure, "0.5") == 1);
}

TEST_CASE("a dashed curve of the lab has a dashed stroke before its name") {
    lab::Curves curves{{1, 2, 3, 4}, {{"a", {1, 2, 3, 4}}, {"b", {1, 2, 3, 4}}}};
    const auto strokes = [&] {
        const Figure figure = lab_picture({"", "", curves}, plain_frame(400, 300));
        return std::ranges::count_if(figure.items, [](const Primitive& item) {
            const auto* fill = std::get_if<Fill>(&item);
            return fill && fill->box.h == 2 && fill->box.w < 20;
        });
    };
    CHECK(strokes() == 3); // one whole, two pieces
    curves.series[1].values = {4, 3, 2, 1};
    CHECK(strokes() == 2);
}

TEST_CASE("slanted names of the lab begin close below what stands above them") {
    lab::Grid grid = faint_weights(9);
    grid.cols = {"(start)", "le", "jeune", "professeur", "n'a", "pas", "lu", "vieux", "livre"};
    grid.rows = grid.cols;
    const lab::Picture picture{"", "", grid};
    for (float width = 300; width <= 460; width += 12) {
        INFO(width);
        const Frame frame = frame_of(width, 276, &heed::figure::measure);
        Sheet sheet(frame, width, 276);
        draw_lab_picture(sheet, picture, {14, 60, width - 28, 200});
        float highest = 1e9f;
        for (const Text& text : texts_of(sheet.figure)) {
            const Quad quad = quad_of(text, &heed::figure::measure);
            for (const Point corner : quad.corner) highest = std::min(highest, corner.y);
        }
        CHECK(highest > 58);
        CHECK(highest < 76);
    }
}

TEST_CASE("numbers of low rows are thinned where those of the columns are") {
    lab::Grid grid;
    grid.values = weights(16, 16);
    grid.numbers = false;
    const Figure figure = lab_picture({"", "", grid}, plain_frame(320, 220));
    std::vector<int> rows, cols;
    for (const Target& target : figure.targets) {
        if (const auto* row = target.as<tag::RowLabel>()) rows.push_back(row->query);
        if (const auto* col = target.as<tag::ColLabel>()) cols.push_back(col->key);
    }
    REQUIRE(cols.size() < 16);
    CHECK(rows == cols);
    const auto said = [](const Text& text) {
        return text.text.starts_with("every ") && text.text.ends_with(" row and column named");
    };
    CHECK(std::ranges::count_if(texts_of(figure), said) == 1);
}

TEST_CASE("numbers of rows that are thinned already are not thinned again") {
    lab::Grid grid;
    grid.values = weights(64, 32);
    grid.numbers = false;
    const Figure figure = lab_picture({"", "", grid}, plain_frame(320, 300));
    std::vector<int> rows;
    for (const Target& target : figure.targets) {
        if (const auto* row = target.as<tag::RowLabel>()) rows.push_back(row->query);
    }
    REQUIRE(rows.size() > 2);
    CHECK(rows[1] - rows[0] <= 8);
}

TEST_CASE("all values of an axis are in one face") {
    const lab::Bars bars{{"a", "b"}, {{"n", {2.4e6, 1e6}}}, "multiplications"};
    for (const Text& text : texts_of(lab_picture({"", "", bars}, plain_frame(300, 276)))) {
        if (text.text == "0") CHECK(text.style.font == Font::sans);
    }
}

TEST_CASE("names that bars are left without are counted beside what the bars are") {
    lab::Bars bars{{}, {{"n"}}, "change"};
    for (int i = 0; i < 30; ++i) {
        bars.labels.push_back("word" + std::to_string(i * i));
        bars.series[0].values.push_back(i);
    }
    const Figure figure = lab_picture({"", "", bars}, plain_frame(320, 276));
    const auto said = [](const Text& text) {
        return text.text.starts_with("every ") && text.text.ends_with(" named");
    };
    CHECK(std::ranges::count_if(texts_of(figure), said) == 1);
}
