#include "catch.hpp"

#include "base/check.hpp"
#include "figure/base/number_text.hpp"
#include "figure/parts/series_chart.hpp"
#include "figure/parts/series_legend.hpp"
#include "figure/views/softmax_room.hpp"
#include "golden.hpp"
#include "num/softmax.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace heed::figure;
using namespace samples;

namespace {

constexpr SoftmaxPart kSoftmaxParts[] = {
    SoftmaxPart::weights, SoftmaxPart::jacobian, SoftmaxPart::curves, SoftmaxPart::gradient,
    SoftmaxPart::entropy, SoftmaxPart::unscaled, SoftmaxPart::scaled};

} // namespace

TEST_CASE("the softmax room is as approved") {
    SoftmaxRoomOptions options;
    options.key = 1;
    auto data = softmax_of(4, kChinese, 0.5f, false);
    const Figure figure = softmax_room(data, options, dark_frame(900, 640, &plain_measure));
    CHECK(difference_from_golden("softmax_room", dump(figure)) == "");
}

TEST_CASE("texts of the softmax room keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {937, 640},
                                        {640, 480},
                                        {420, 520},
                                        {300, 240},
                                        {0, 0}}) {
        for (const Index m : {1, 7, 40, 700}) {
            for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                INFO(m << " keys in " << width << " × " << height);
                const auto data = softmax_of(m, *words, 0.125f, m == 7);
                SoftmaxRoomOptions options;
                options.key = static_cast<int>(m - 1);
                Frame frame = dark_frame(width, height, measure);
                frame.caption = "transformer base · seed 1";
                check_texts(softmax_room(data, options, frame), measure);
                for (const SoftmaxPart part : kSoftmaxParts) {
                    check_texts(softmax_part(data, part, options, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("the bars are the softmax of the scores times the factor") {
    const auto data = softmax_of(6, kEnglish, 0.25f);
    heed::num::RowVector<float> scaled(6);
    for (Index i = 0; i < 6; ++i) scaled[i] = 0.25f * data.logits[static_cast<std::size_t>(i)];
    const auto y = heed::num::softmax<float>(scaled);
    const Figure figure = softmax_part(data, SoftmaxPart::weights, {}, dark_frame(700, 400));
    for (Index i = 0; i < 6; ++i) CHECK(has_text(figure, number_text(y[i], 3)));
    CHECK(has_text(figure, "masked"));
    CHECK(has_text(figure, "y = softmax of the run's scores × 0.25"));
}

TEST_CASE("a factor of 0 makes all allowed keys alike, and masked ones stay masked") {
    auto data = softmax_of(5, kEnglish, 0);
    const auto texts = texts_of(softmax_part(data, SoftmaxPart::weights, {}, dark_frame(700, 400)));
    const auto count = [&](const std::string& wanted) {
        return std::count_if(texts.begin(), texts.end(),
                             [&](const Text& text) { return text.text == wanted; });
    };
    CHECK(count("0.250") == 4);
    CHECK(count("0.000") == 4 + 1); // four scores, and the weight of the masked key
}

TEST_CASE("the marker stands at the present factor, with the values there") {
    const auto data = softmax_of(5, kEnglish, 1);
    const Figure figure = softmax_part(data, SoftmaxPart::entropy, {}, dark_frame(600, 400));
    const float bits = data.sweep->entropy_bits[48]; // 1 is in the middle of 97 factors
    CHECK(has_text(figure, "entropy, bits  " + number_text(bits, 2)));
    const auto dashed = std::find_if(figure.items.begin(), figure.items.end(), [](auto& item) {
        const Line* line = std::get_if<Line>(&item);
        return line && line->dashed;
    });
    REQUIRE(dashed != figure.items.end());
    const auto target = figure.targets.at(0);
    CHECK(std::abs(std::get<Line>(*dashed).points[0].x - (target.box.x + target.box.w / 2)) < 0.5f);
    for (const char* factor : {"0.1", "1", "10"}) CHECK(has_text(figure, factor));
}

TEST_CASE("legends tell the numbers of the bars and of the Jacobian") {
    for (const float factor : {0.3f, 3.8548f, 21.1121f, 64.f}) {
        INFO(factor);
        const auto data = softmax_of(6, kEnglish, factor);
        const auto y = softmax_weights(data);
        const Index strongest = std::ranges::max_element(data.logits) - data.logits.begin();
        const auto shows = [&](SoftmaxPart part, const std::string& words) {
            return has_text(softmax_part(data, part, {}, dark_frame(800, 400)), words);
        };
        CHECK(shows(SoftmaxPart::curves, data.keys[static_cast<std::size_t>(strongest)] + "  " +
                                             row_weight_text(y[strongest], span_of(y))));
        CHECK(shows(SoftmaxPart::gradient, "Jacobian norm  " + scale_text(softmax_gradient(data))));
        CHECK(shows(SoftmaxPart::entropy,
                    "entropy, bits  " + weight_text(heed::num::entropy_bits<float>(y), 2)));
        const Figure jacobian = softmax_part(data, SoftmaxPart::jacobian, {}, dark_frame(800, 400));
        CHECK(dump(jacobian).find("Frobenius norm " + scale_text(softmax_gradient(data))) !=
              std::string::npos);
    }
}

TEST_CASE("the factor is rounded as beside its slider, in every card") {
    const auto data = softmax_of(6, kEnglish, 21.1121f);
    const Figure figure = softmax_part(data, SoftmaxPart::weights, {}, dark_frame(700, 400));
    CHECK(has_text(figure, "score × 21.1"));
    CHECK(has_text(figure, "y = softmax of the run's scores × 21.1"));
}

TEST_CASE("the tallest curve fills a low card") {
    const auto data = softmax_of(9, kEnglish, 1);
    int charts = 0;
    for (const SoftmaxPart part : {SoftmaxPart::gradient, SoftmaxPart::entropy,
                                   SoftmaxPart::unscaled, SoftmaxPart::scaled}) {
        for (const float height : {130.f, 150.f, 180.f, 240.f, 400.f}) {
            INFO(static_cast<int>(part) << " in " << height);
            const Figure figure = softmax_part(data, part, {}, dark_frame(300, height));
            float top = height;
            for (const Primitive& item : figure.items) {
                const Line* line = std::get_if<Line>(&item);
                if (!line || line->points.size() < 20) continue;
                for (const Point& point : line->points) top = std::min(top, point.y);
            }
            if (figure.targets.empty()) continue; // too low for its title and a chart
            const Box box = figure.targets[0].box;
            CHECK(box.y + box.h - top > 0.74f * box.h);
            ++charts;
        }
    }
    CHECK(charts >= 16);
}

TEST_CASE("histograms tell the variance that was measured, and share one axis or are refused") {
    auto data = softmax_of(3, kEnglish, 1);
    const Figure figure = softmax_part(data, SoftmaxPart::unscaled, {}, dark_frame(900, 400));
    for (const auto& histogram : data.histograms) {
        if (histogram.scaled) continue;
        CHECK(has_text(figure, "dₖ = " + std::to_string(histogram.d_k) + " (" +
                                   number_text(static_cast<float>(histogram.variance), 1) + ")"));
    }
    data.histograms[0].low -= 1;
    CHECK_THROWS_AS(softmax_part(data, SoftmaxPart::unscaled, {}, dark_frame(900, 400)),
                    heed::base::ContractError);
}

TEST_CASE("every key, cell of the Jacobian, factor and bin has its target") {
    const Figure figure = softmax_room(softmax_of(6, kEnglish, 1), {}, dark_frame(1100, 900));
    std::map<int, tag::Cells> grids;
    std::set<int> keys;
    for (const Target& target : figure.targets) {
        if (const auto* bar = target.as<tag::Bar>()) keys.insert(bar->place);
        if (const auto* cells = target.as<tag::Cells>()) grids[cells->part] = *cells;
    }
    CHECK(keys.size() == 6);
    CHECK(grids.at(static_cast<int>(SoftmaxPart::jacobian)) == tag::Cells{6, 6, 1});
    CHECK(grids.at(static_cast<int>(SoftmaxPart::curves)) == tag::Cells{1, 97, 2});
    CHECK(grids.at(static_cast<int>(SoftmaxPart::scaled)) == tag::Cells{1, 48, 6});
}

TEST_CASE("a softmax room of nothing, and frames without room, give a figure") {
    for (const float side : {0.f, 1.f, 17.f, 90.f, 500.f, -5.f, 1e30f}) {
        SoftmaxRoomOptions odd;
        odd.key = 4000;
        CHECK(std::isfinite(softmax_room({}, odd, dark_frame(side, side)).height));
        CHECK(std::isfinite(
            softmax_room(softmax_of(1, kMixed, -3), odd, dark_frame(side, side)).height));
        for (const SoftmaxPart part : kSoftmaxParts) {
            CHECK(std::isfinite(
                softmax_part(softmax_of(3, kMixed, 1e30f), part, odd, dark_frame(side, side))
                    .height));
        }
    }
    auto data = softmax_of(4, kEnglish, 1);
    data.logits.pop_back();
    CHECK_THROWS_AS(softmax_room(data, {}, dark_frame(900, 700)), heed::base::ContractError);
}

TEST_CASE("weights that the run went on with are marked where they are not the softmax") {
    auto data = softmax_of(7, kEnglish, 1, false);
    const Frame frame = dark_frame(640, 400, &plain_measure);
    const auto draw = [&] { return softmax_part(data, SoftmaxPart::weights, {}, frame); };
    const auto plain = draw();
    data.run_weights = {0.4f, 0.1f, 0.1f, 0.1f, 0.1f, 0.2f, 0};
    data.run_differs = "set by hand";
    const auto marked = draw();
    CHECK(marked.items.size() == plain.items.size() + 7);
    CHECK(dump(marked).find("set by hand") != std::string::npos);
    CHECK(dump(plain).find("in the run") == std::string::npos);
}

TEST_CASE("the names of the curves begin with the strongest at the marker") {
    const auto data = softmax_of(24, kEnglish, 1, false);
    const Figure figure =
        softmax_part(data, SoftmaxPart::curves, {}, dark_frame(420, 260, &plain_measure));
    const auto strongest = std::max_element(data.logits.begin(), data.logits.end());
    const auto& name = data.keys[static_cast<std::size_t>(strongest - data.logits.begin())];
    std::vector<std::string> legend;
    for (const Text& text : texts_of(figure)) {
        if (text.text.find("  ") != std::string::npos) legend.push_back(text.text);
    }
    REQUIRE(legend.size() > 2);
    CHECK(legend.size() < 18); // not all have room, and it is not the strongest that lacks it
    CHECK(legend.front().starts_with(name + " (")); // a repeated word has its place
    for (const std::string& words : legend) { // "0.997", "0.003", and none with more digits
        CHECK(words.size() - words.rfind("  ") == std::string_view("  0.000").size());
    }
    CHECK(has_text(figure, "+" + std::to_string(18 - legend.size()) + " more"));
}

TEST_CASE("a low softmax room has all of its keys, rules and words of axes") {
    const Figure figure = softmax_room(softmax_of(9, kEnglish, 1), {}, dark_frame(720, 614));
    const auto texts = texts_of(figure);
    const auto count = [&](const std::string& wanted) {
        return std::count_if(texts.begin(), texts.end(),
                             [&](const Text& text) { return text.text == wanted; });
    };
    CHECK(count("extra factor →") == 3);
    CHECK(count("0") >= 5); // of three curves and two distributions
    std::set<int> keys;
    for (const Target& target : figure.targets) {
        if (const auto* bar = target.as<tag::Bar>()) keys.insert(bar->place);
    }
    CHECK(keys.size() == 9);
}

TEST_CASE("in a small window the curves have most of their cards' height") {
    Frame frame = dark_frame(720, 752); // the stage of a window of 1280 × 800
    frame.reading = "“cat” gets > 0.999 of the weight.";
    frame.reading_lines = 2;
    const Figure figure = softmax_room(softmax_of(9, kEnglish, 1), {}, frame);
    int charts = 0;
    for (const Target& target : figure.targets) {
        const auto* cells = target.as<tag::Cells>();
        if (!cells || cells->rows != 1) continue;
        const bool draws = cells->part >= static_cast<int>(SoftmaxPart::unscaled);
        CHECK(target.box.h >= (draws ? 62 : 55));
        ++charts;
    }
    CHECK(charts == 5);
    CHECK(has_text(figure, "q · k →"));
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("in a small window every key of a short sentence has its bar, before distributions") {
    for (const auto& [width, height] :
         {std::pair<float, float>{542, 545}, {636, 430}, {542, 480}}) {
        INFO(width << " × " << height);
        Frame frame = dark_frame(width, height);
        frame.reading = "“cat” gets 1.000 of the weight.";
        frame.reading_lines = 2;
        SoftmaxRoomOptions options;
        options.key = 2;
        const Figure figure = softmax_room(softmax_of(9, kEnglish, 1), options, frame);
        std::set<int> keys;
        for (const Target& target : figure.targets) {
            const auto* bar = target.as<tag::Bar>();
            if (bar && bar->part == static_cast<int>(SoftmaxPart::weights)) keys.insert(bar->place);
        }
        CHECK(keys.size() == 9);
        for (const Text& text : texts_of(figure)) {
            if (text.style.weight == Weight::bold) CHECK(text.text.find("…") == std::string::npos);
        }
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("curves of the same word are told apart by its places") {
    auto data = softmax_of(5, kEnglish, 1);
    data.keys = {"the", "cat", "saw", "the", "dog"};
    const Figure figure = softmax_part(data, SoftmaxPart::curves, {}, dark_frame(800, 400));
    int firsts = 0, seconds = 0;
    for (const Text& text : texts_of(figure)) {
        firsts += text.text.starts_with("the (1)");
        seconds += text.text.starts_with("the (4)");
        CHECK_FALSE(text.text.starts_with("the  "));
    }
    CHECK(firsts == 1);
    CHECK(seconds == 1);
    const Figure bars = softmax_part(data, SoftmaxPart::weights, {}, dark_frame(800, 400));
    CHECK(has_text(bars, "the (1)")); // and the bars, as the curves
    CHECK(has_text(bars, "the (4)"));
    const Figure cells = softmax_part(data, SoftmaxPart::jacobian, {}, dark_frame(800, 400));
    CHECK(has_text(cells, "the (1)")); // and the rows and columns of the Jacobian
    CHECK(has_text(cells, "the (4)"));
    CHECK_FALSE(has_text(cells, "the"));
}

TEST_CASE("equal Han words are told apart by the rows of a Jacobian, and its columns are whole") {
    auto data = softmax_of(11, kChinese, 1);
    data.keys = {"我", "的", "猫", "和", "我", "的", "狗", "在", "我", "的", "家"};
    const Figure figure = softmax_part(data, SoftmaxPart::jacobian, {}, dark_frame(440, 260));
    CHECK(has_text(figure, "我 (1)"));
    CHECK(has_text(figure, "我 (9)"));
    for (const Text& text : texts_of(figure)) CHECK(text.text.find("…") == std::string::npos);
}

TEST_CASE("names of a Jacobian's columns lie flat where they fit so, and are whole") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const float height : {614.f, 690.f, 900.f}) {
        INFO(height);
        const auto data = softmax_of(6, kChinese, 1);
        SoftmaxRoomOptions options;
        options.key = 2;
        const auto texts = texts_of(softmax_room(data, options, dark_frame(720, height, measure)));
        for (const Text& text : texts) CHECK(text.degrees == 0);
        for (const std::string& key : data.keys) {
            INFO(key);
            const auto named = [&](AlignX align) {
                return std::count_if(texts.begin(), texts.end(), [&](const Text& text) {
                    return text.text == key && text.align_x == align;
                });
            };
            CHECK(named(AlignX::centre) == 1);
            CHECK(named(AlignX::right) == 2); // of a weight, and of a row of the Jacobian
        }
    }
}

TEST_CASE("every column of a Jacobian has its name, level or aslant, as its rows have") {
    const auto data = softmax_of(9, kEnglish, 1);
    SoftmaxRoomOptions options;
    options.key = 4;
    for (const auto& [width, height] :
         {std::pair<float, float>{720, 700}, {720, 740}, {672, 728}, {800, 640}}) {
        INFO(width << " × " << height);
        const Figure figure = softmax_room(data, options, dark_frame(width, height));
        std::map<std::string, int> right;
        std::vector<std::string> above;
        const auto cells = std::ranges::find_if(figure.targets, [](const Target& t) {
            const auto* grid = t.as<tag::Cells>();
            return grid && grid->part == static_cast<int>(SoftmaxPart::jacobian);
        });
        REQUIRE(cells != figure.targets.end());
        const Box& box = cells->box;
        for (const Text& text : texts_of(figure)) {
            if (text.align_x == AlignX::right) ++right[text.text];
            const bool over = text.at.y < box.y && text.at.y > box.y - 20 && text.at.x > box.x &&
                              text.at.x < box.x + box.w;
            if (over) above.push_back(text.text.substr(0, text.text.find("…")));
        }
        for (const std::string& key : data.keys) {
            INFO(key);
            CHECK(std::ranges::any_of(above, [&](const std::string& name) {
                return !name.empty() && key.starts_with(name);
            }));
            CHECK(right[key] >= 1);
        }
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("Han names beside a low Jacobian do not touch") {
    const auto data = softmax_of(6, kChinese, 1);
    SoftmaxRoomOptions options;
    options.key = 4;
    for (const float height : {384.f, 410.f, 432.f, 460.f}) {
        INFO(height);
        const Figure figure = softmax_room(data, options, dark_frame(636, height));
        const auto cells = std::ranges::find_if(figure.targets, [](const Target& t) {
            const auto* grid = t.as<tag::Cells>();
            return grid && grid->part == static_cast<int>(SoftmaxPart::jacobian);
        });
        REQUIRE(cells != figure.targets.end());
        std::vector<float> places;
        float size = 0;
        for (const Text& text : texts_of(figure)) {
            const bool row = text.align_x == AlignX::right && text.at.x > cells->box.x - 12 &&
                             text.at.x < cells->box.x;
            if (!row) continue;
            places.push_back(text.at.y);
            size = text.style.size;
        }
        REQUIRE(places.size() > 1);
        std::ranges::sort(places);
        for (std::size_t i = 1; i < places.size(); ++i) {
            CHECK(places[i] - places[i - 1] >= 1.07f * size);
        }
    }
}

TEST_CASE("Han names stand above a low Jacobian, too") {
    const auto data = softmax_of(6, {"我", "昨天", "吃", "了", "一个", "苹果"}, 1);
    SoftmaxRoomOptions options;
    options.key = 4;
    for (const float width : {545.f, 636.f}) {
        INFO(width);
        const Figure figure = softmax_room(data, options, dark_frame(width, 432));
        std::map<std::string, int> centred;
        for (const Text& text : texts_of(figure)) {
            if (text.align_x == AlignX::centre) ++centred[text.text];
        }
        int named = 0;
        for (const std::string& key : data.keys) named += centred[key];
        CHECK(named >= (width > 600 ? 6 : 3)); // narrow columns: every second one, the chosen too
        CHECK(centred[data.keys[4]] == 1);
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("a legend with room for one name alone says the strongest curve's") {
    const std::vector<std::string> words = {"the", "black", "cat", "did",  "not",
                                            "eat", "a",     "red", "apple"};
    const auto data = softmax_of(9, words, 1, false);
    for (const float width : {520.f, 528.f, 545.f}) {
        INFO(width);
        const Figure figure = softmax_room(data, {}, dark_frame(width, 432));
        const auto texts = texts_of(figure);
        const auto more = std::ranges::find_if(
            texts, [](const Text& text) { return text.text.ends_with(" more"); });
        REQUIRE(more != texts.end());
        CHECK(std::ranges::any_of(texts, [&](const Text& text) {
            return text.style.size == 11.5f && text.at.y == more->at.y && text.at.x < more->at.x;
        }));
    }
}

TEST_CASE("a Jacobian is as wide as its card lets it be") {
    const Figure figure = softmax_room(softmax_of(9, kEnglish, 1), {}, dark_frame(720, 614));
    const auto cells =
        std::find_if(figure.targets.begin(), figure.targets.end(), [](const Target& t) {
            const auto* grid = t.as<tag::Cells>();
            return grid && grid->part == static_cast<int>(SoftmaxPart::jacobian);
        });
    REQUIRE(cells != figure.targets.end());
    CHECK(cells->box.w >= 170); // all that names and bar leave of it
    CHECK(cells->box.w > 1.6f * cells->box.h);
    CHECK(cells->box.h >= 54);
}

TEST_CASE("no number below a Jacobian is cut") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    const auto data = softmax_of(6, kEnglish, 1);
    const auto y = softmax_weights(data);
    const std::string largest =
                          scale_text(heed::num::softmax_jacobian<float>(y).cwiseAbs().maxCoeff()),
                      norm = scale_text(heed::num::jacobian_norm<float>(y));
    for (const float width : {640.f, 420.f, 360.f, 330.f, 300.f, 260.f, 220.f, 190.f}) {
        INFO(width);
        int largest_said = 0, norm_said = 0;
        for (const Text& text : texts_of(
                 softmax_part(data, SoftmaxPart::jacobian, {}, dark_frame(width, 260, measure)))) {
            if (text.text.starts_with("largest")) {
                CHECK(text.text.find("…") == std::string::npos);
                largest_said += text.text.find(" " + largest) != std::string::npos;
            }
            norm_said += text.text.ends_with("norm " + norm);
        }
        CHECK(norm_said == 1);
        CHECK(largest_said == 1);
    }
}

TEST_CASE("names beside a low Jacobian stand equally far apart, the chosen one among them") {
    const auto data = softmax_of(30, kEnglish, 1);
    SoftmaxRoomOptions options;
    options.key = 7;
    const Figure figure =
        softmax_part(data, SoftmaxPart::jacobian, options, dark_frame(420, 260, &plain_measure));
    std::vector<float> places;
    bool chosen = false;
    for (const Text& text : texts_of(figure)) {
        if (text.align_x != AlignX::right || text.degrees != 0) continue;
        places.push_back(text.at.y);
        chosen = chosen ||
                 (text.text == names_of_keys(data, {7})[0] && text.style.weight == Weight::bold);
    }
    REQUIRE(places.size() > 2);
    CHECK(chosen);
    std::ranges::sort(places); // the chosen one is drawn last
    for (std::size_t i = 2; i < places.size(); ++i) {
        CHECK(std::abs(places[i] - places[i - 1] - (places[1] - places[0])) < 0.1f);
    }
}

TEST_CASE("names beside the rows of a low Jacobian stand clear of each other") {
    const auto data = softmax_of(16, kEnglish, 1);
    for (float height = 180; height <= 320; height += 4) {
        INFO(height);
        const Figure figure =
            softmax_part(data, SoftmaxPart::jacobian, {}, dark_frame(420, height));
        std::map<float, float> sizes; // of names, by their height
        for (const Text& text : texts_of(figure)) {
            if (text.align_x == AlignX::right && text.degrees == 0)
                sizes[text.at.y] = text.style.size;
        }
        REQUIRE(sizes.size() > 2);
        for (auto at = std::next(sizes.begin()); at != sizes.end(); ++at)
            CHECK(at->first - std::prev(at)->first >= 1.07f * at->second);
    }
}

TEST_CASE("the chosen row of a Jacobian has its name however low the place is") {
    const auto data = softmax_of(12, kEnglish, 1);
    for (const float height : {130.f, 150.f, 200.f, 400.f}) {
        for (const int key : {0, 5, 11}) {
            INFO(height << ", key " << key);
            SoftmaxRoomOptions options;
            options.key = key;
            const auto texts = texts_of(softmax_part(data, SoftmaxPart::jacobian, options,
                                                     dark_frame(500, height, &plain_measure)));
            const std::string name = names_of_keys(data, {key})[0];
            CHECK(std::ranges::count_if(texts, [&](const Text& text) {
                      return text.text == name && text.align_x == AlignX::right &&
                             text.style.weight == Weight::bold;
                  }) == 1);
        }
    }
}

TEST_CASE("the names that stand beside a low Jacobian are those whose room is kept free") {
    auto data = softmax_of(30, kEnglish, 1);
    // Long are only names that none of the steps 2, 5 and 10 from the first key on has.
    for (std::size_t i = 0; i < data.keys.size(); ++i) {
        data.keys[i] = i % 2 == 0 || i % 5 == 0 || i == 7 ? "a" : "incomprehensibilities";
    }
    SoftmaxRoomOptions options;
    options.key = 7;
    const Figure figure =
        softmax_part(data, SoftmaxPart::jacobian, options, dark_frame(420, 260, &plain_measure));
    int names = 0;
    for (const Text& text : texts_of(figure)) {
        if (text.align_x != AlignX::right || text.degrees != 0) continue;
        INFO(text.text);
        CHECK(quad_of(text, &plain_measure).corner[0].x >= 0);
        names += text.text.starts_with("inc");
    }
    CHECK(names > 0);
}

TEST_CASE("curves that share a hue are told apart by dashes") {
    const Figure figure = softmax_part(softmax_of(9, kEnglish, 1, false), SoftmaxPart::curves, {},
                                       dark_frame(700, 400, &plain_measure));
    std::vector<Color> whole;
    for (const Primitive& item : figure.items) {
        const Line* line = std::get_if<Line>(&item);
        if (line && line->points.size() > 40) whole.push_back(line->color);
    }
    CHECK(whole.size() == 6); // the other three are pieces
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CHECK(std::ranges::count(whole, whole[i]) == 1);
    }
}

TEST_CASE("as many curves are drawn as can be told apart, and of more keys it is said") {
    SeriesChart chart;
    chart.series.resize(kMostToldApart);
    std::set<std::tuple<int, int, int, float>> looks;
    for (int i = 0; i < kMostToldApart; ++i) {
        const Color color = curve_color(chart, dark_theme(), i);
        const auto dash = dash_of_curve(chart, i);
        looks.emplace(color.r, color.g, color.b, dash ? dash->on : 0);
    }
    CHECK(looks.size() == kMostToldApart);
    const char* words = "18 of 24 keys: the largest weights";
    const auto told = [&](Index keys) {
        const auto data = softmax_of(keys, kEnglish, 1, false);
        return has_text(softmax_part(data, SoftmaxPart::curves, {}, dark_frame(700, 400)), words);
    };
    CHECK(told(24));
    CHECK_FALSE(told(18));
}

TEST_CASE("low curves have numbers at the ends of their values") {
    const auto data = softmax_of(9, kEnglish, 1, false);
    for (const float height : {112.f, 118.f, 126.f}) {
        INFO(height);
        const Figure figure = softmax_part(data, SoftmaxPart::curves, {}, dark_frame(190, height));
        CHECK(has_text(figure, "0"));
        CHECK((has_text(figure, "1") || has_text(figure, "1.0")));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("weaker curves have their names without values before they are only counted") {
    const auto data = softmax_of(9, kEnglish, 1, false);
    const Figure figure = softmax_part(data, SoftmaxPart::curves, {}, dark_frame(180, 200));
    check_texts(figure, &heed::figure::measure);
    int named = 0, with_value = 0;
    for (const Text& text : texts_of(figure)) {
        if (text.style.size != 11.5f || text.text.starts_with("+")) continue;
        ++named;
        with_value += text.text.find("0.") != std::string::npos;
    }
    CHECK(with_value == 1);
    CHECK(named >= 3);
}

TEST_CASE("a narrow Jacobian has the names of its rows where a key is chosen") {
    SoftmaxRoomOptions options;
    options.key = 2;
    const auto data = softmax_of(9, kEnglish, 1, false);
    for (const auto& [width, height] : {std::pair<float, float>{260, 170}, {212, 230}}) {
        INFO(width << " × " << height);
        const Figure figure =
            softmax_part(data, SoftmaxPart::jacobian, options, dark_frame(width, height));
        CHECK(has_text(figure, data.keys[2]));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("in a column of a page all curves have their names") {
    const auto data = softmax_of(9, kEnglish, 1);
    const Figure figure = softmax_room(data, {}, frame_of(480, 0));
    for (const Text& text : texts_of(figure)) CHECK_FALSE(text.text.ends_with(" more"));
    CHECK(has_text(figure, "Distribution of random q · k"));
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("both distributions are as high, in a column of a page too") {
    auto data = softmax_of(9, kEnglish, 1);
    for (auto& histogram : data.histograms) histogram.variance = histogram.scaled ? 1 : 249.5;
    for (float width = 400; width <= 520; width += 10) {
        INFO(width);
        std::map<int, float> high;
        for (const Target& target : softmax_room(data, {}, frame_of(width, 0)).targets) {
            if (const auto* cells = target.as<tag::Cells>()) high[cells->part] = target.box.h;
        }
        CHECK(high.at(static_cast<int>(SoftmaxPart::unscaled)) ==
              high.at(static_cast<int>(SoftmaxPart::scaled)));
    }
}

TEST_CASE("the upward axis of a distribution has its name, in a window and on a page") {
    for (const auto& [width, height] : {std::pair<float, float>{720, 752}, {936, 752}, {480, 0}}) {
        INFO(width);
        const Figure figure = softmax_room(softmax_of(9, kEnglish, 1), {}, frame_of(width, height));
        CHECK(has_text(figure, "density"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("on the stage of a small window the curves of nine keys all have their names") {
    const std::vector<std::string> words = {"the", "black", "cat", "did",  "not",
                                            "eat", "a",     "red", "apple"};
    const Figure figure = softmax_room(softmax_of(9, words, 1), {}, frame_of(720, 720));
    check_texts(figure, &heed::figure::measure);
    for (const Text& text : texts_of(figure)) CHECK_FALSE(text.text.ends_with(" more"));
}

TEST_CASE("long names of a Jacobian's columns are whole in a small window") {
    const std::vector<std::string> words = {"the", "young", "elephant",    "did",      "not",
                                            "see", "any",   "interesting", "newspaper"};
    Frame frame = dark_frame(720, 752); // the stage of a window of 1280 × 800
    frame.reading = "“did” gets 0.487 of the weight.";
    frame.reading_lines = 2;
    const Figure figure = softmax_room(softmax_of(9, words, 1), {}, frame);
    for (const Text& text : texts_of(figure)) {
        INFO(text.text);
        if (text.degrees != 0) CHECK(text.text.find("…") == std::string::npos);
    }
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("names aslant above a Jacobian are hardly larger than those of its rows") {
    const std::vector<std::string> words = {"the",  "young", "teacher", "did", "not",
                                            "read", "the",   "old",     "book"};
    SoftmaxRoomOptions options;
    options.key = 7;
    const Figure figure = softmax_room(softmax_of(9, words, 1), options, dark_frame(322, 0));
    float rows = 0, columns = 0;
    for (const Text& text : texts_of(figure)) {
        if (text.degrees != 0) columns = std::max(columns, text.style.size);
        if (text.align_x == AlignX::right && text.text == "young") rows = text.style.size;
    }
    REQUIRE(columns > 0);
    REQUIRE(rows > 0);
    CHECK(columns <= std::max(1.3f * rows, 9.f) + 0.01f);
}

TEST_CASE("the word of an axis by ratios stands below it, with two lines of names above") {
    Frame frame = dark_frame(720, 672); // the stage of a window of 1280 × 720
    frame.reading = "“cat” gets > 0.999 of the weight.";
    frame.reading_lines = 2;
    const std::vector<std::string> words = {"the", "black", "cat", "did",  "not",
                                            "eat", "the",   "red", "apple"};
    const Figure figure = softmax_room(softmax_of(9, words, 1), {}, frame);
    check_texts(figure, &heed::figure::measure);
    std::vector<Text> axes, numbers;
    for (const Text& text : texts_of(figure)) {
        if (text.text == "extra factor →") axes.push_back(text);
        if (text.text == "10") numbers.push_back(text);
    }
    REQUIRE(axes.size() == 3);
    for (const Text& axis : axes) {
        const bool below = std::ranges::any_of(numbers, [&](const Text& number) {
            return number.at.x < axis.at.x && axis.at.x - number.at.x < 120 &&
                   axis.at.y > number.at.y + 12;
        });
        CHECK(below);
    }
}

TEST_CASE("every other column of a Jacobian of many keys has its name, if not each") {
    const std::vector<std::string> words = {"the",  "young", "teacher", "did",  "not",
                                            "read", "the",   "old",     "book", "that",
                                            "the",  "small", "girl",    "saw"};
    SoftmaxRoomOptions options;
    options.key = 13;
    const auto data = softmax_of(14, words, 1);
    for (const auto& [width, height, least] : {std::tuple{300.f, 230.f, 14}, {240.f, 240.f, 7}}) {
        INFO(width << " × " << height);
        const Figure figure =
            softmax_part(data, SoftmaxPart::jacobian, options, frame_of(width, height));
        check_texts(figure, &heed::figure::measure);
        const auto turned = std::ranges::count_if(
            texts_of(figure), [](const Text& text) { return text.degrees != 0; });
        CHECK(turned >= least);
        CHECK(has_text(figure, "saw"));
    }
}

TEST_CASE("the word of an axis stands below its line where there is height for it") {
    SeriesChart chart;
    for (int i = 0; i < 41; ++i) chart.xs.push_back(0.2f * static_cast<float>(i - 20));
    chart.series = {{"dₖ 4 (1.01)", std::vector<float>(41, 0.3f)}};
    chart.filled = true;
    chart.low = 0;
    chart.x_word = "q · k / √dₖ →";
    for (float width = 180; width < 420; width += 10) {
        INFO(width);
        const Frame frame = frame_of(width, 100);
        Sheet sheet(frame, width, 100);
        draw_series(sheet, chart, {0, 0, width, 100});
        float word = -1, numbers = -1;
        for (const Text& text : texts_of(sheet.figure)) {
            if (text.text == chart.x_word) word = text.at.y;
            if (text.align_x == AlignX::centre) numbers = std::max(numbers, text.at.y);
        }
        REQUIRE(numbers > 0);
        CHECK((word < 0 || word > numbers));
    }
}

TEST_CASE("no name of a Jacobian's columns is cut for the words below it") {
    SoftmaxRoomOptions options;
    options.key = 2;
    const auto data = softmax_of(6, {"young", "woman", "returns", "money", "of", "club"}, 1);
    for (float height = 652; height < 740; height += 8) {
        INFO(height); // the stage of a window of 1100 × 700 has 652
        Frame frame = dark_frame(540, height);
        frame.reading = "“returns” gets 0.984 of the weight.";
        frame.reading_lines = 2;
        const Figure figure = softmax_room(data, options, frame);
        check_texts(figure, &heed::figure::measure);
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            if (text.degrees != 0) CHECK(text.text.find("…") == std::string::npos);
        }
    }
}

TEST_CASE("in a legend values below the last decimal are told once, of all of them") {
    SeriesChart chart;
    for (int i = 0; i < 41; ++i) chart.xs.push_back(std::exp2(0.25f * static_cast<float>(i - 20)));
    const std::vector<std::pair<std::string, float>> words = {
        {"吃", 0.9985f},    {"了", 0.001f},    {"我", 0.0002f},
        {"一个", 0.00015f}, {"苹果", 0.0001f}, {"昨天", 0.00005f}};
    for (const auto& [name, value] : words) {
        chart.series.push_back({name, std::vector<float>(41, value)});
    }
    chart.log_x = chart.strongest_first = true;
    chart.low = 0;
    chart.high = 1;
    chart.decimals = 3;
    chart.marker = 20;
    for (float width = 200; width < 420; width += 5) {
        const Frame frame = frame_of(width, 110);
        Sheet sheet(frame, width, 110);
        draw_series(sheet, chart, {0, 0, width, 110});
        int told = 0, bare = 0;
        for (const Text& text : texts_of(sheet.figure)) {
            told += text.text.ends_with("  < 0.001");
            bare += text.text == "昨天" || text.text == "苹果" || text.text == "一个";
        }
        INFO(width);
        CHECK((told == 0 || bare == 0));
    }
}

TEST_CASE("distributions name their axes in a low window") {
    Frame frame = dark_frame(720, 672); // the stage of a window of 1280 × 720
    frame.reading = "“cat” gets > 0.999 of the weight.";
    frame.reading_lines = 2;
    const Figure figure = softmax_room(softmax_of(9, kEnglish, 1), {}, frame);
    CHECK(has_text(figure, "q · k →"));
    CHECK(has_text(figure, "q · k / √dₖ →"));
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("the cards of distributions say of what their variances are") {
    const auto data = softmax_of(3, kEnglish, 1);
    const Frame frame = dark_frame(900, 400);
    const std::string of = "unit-variance q and k · in brackets: variance of q·k";
    CHECK(has_text(softmax_part(data, SoftmaxPart::unscaled, {}, frame), of));
    CHECK(has_text(softmax_part(data, SoftmaxPart::scaled, {}, frame), of + "/√dₖ"));
}

TEST_CASE("the chosen row and column of a Jacobian are framed in the ink of words") {
    SoftmaxRoomOptions options;
    options.key = 4;
    for (const Theme& theme : {light_theme(), dark_theme()}) {
        const Figure figure = softmax_part(softmax_of(9, kEnglish, 1), SoftmaxPart::jacobian,
                                           options, frame_of(420, 300, &plain_measure, theme));
        int ink = 0, accent = 0;
        for (const Primitive& item : figure.items) {
            const auto* stroke = std::get_if<Stroke>(&item);
            ink += stroke && stroke->color == theme.text;
            accent += stroke && stroke->color == theme.accent;
        }
        CHECK(ink == 2);
        CHECK(accent == 0); // nearly the colour of the largest values
    }
}

TEST_CASE("names of rows and of columns of a Jacobian are of one size") {
    for (const auto* words : {&kEnglish, &kChinese}) {
        for (const auto& [width, height] :
             {std::pair{298.f, 190.f}, {420.f, 300.f}, {640.f, 400.f}}) {
            INFO(width << " × " << height);
            SoftmaxRoomOptions options;
            options.key = 4;
            const Figure figure = softmax_part(softmax_of(7, *words, 1), SoftmaxPart::jacobian,
                                               options, dark_frame(width, height));
            std::set<float> sizes;
            for (const Text& text : texts_of(figure)) {
                if (std::ranges::count(*words, text.text) > 0) sizes.insert(text.style.size);
            }
            CHECK(sizes.size() == 1);
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("the name of a low chart's axis stands clear of its numbers, in the foot of a card") {
    SeriesChart chart;
    for (int i = 0; i < 41; ++i) chart.xs.push_back(std::exp2(static_cast<float>(i) / 4 - 5));
    chart.series = {{"entropy, bits", std::vector<float>(41, 0.3f)}};
    chart.log_x = true;
    chart.x_word = "extra factor →";
    const auto drawn = [&](float below) {
        chart.below = below;
        const Frame frame = frame_of(170, 140);
        Sheet sheet(frame, 170, 140);
        draw_series(sheet, chart, {0, 0, 140, 110});
        float numbers = 0, word = 0, high = 0;
        for (const Text& text : texts_of(sheet.figure)) {
            if (text.align_y == AlignY::top) numbers = text.at.y + text.style.size;
            if (text.text == chart.x_word) word = text.at.y - 0.75f * text.style.size;
        }
        for (const Target& target : sheet.figure.targets) high = target.box.h;
        return std::tuple(word - numbers, high);
    };
    const auto [gap, high] = drawn(8);
    const auto [close, low] = drawn(0);
    CHECK(gap >= 5);
    CHECK(gap > close + 3);
    CHECK(high > low + 3);
}
