#include "catch.hpp"

#include "figure/base/oklab.hpp"
#include "figure/views/training_room.hpp"
#include "golden.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

using namespace heed::figure;
using namespace heed;
using namespace samples;

namespace {

LearnerCurves learner(const std::string& name, double speed) {
    auto history = std::make_shared<train::History>();
    for (std::uint64_t step = 1; step <= 60; ++step) {
        train::Progress progress;
        progress.step = step;
        progress.batch = {10 * std::exp(-speed * static_cast<double>(step)), 10, 0, 0};
        history->add(progress);
        if (step % 20 != 0) continue;
        train::HeldOutPoint held{step, {}};
        held.measures.loss = 1.1 * std::exp(-speed * static_cast<double>(step));
        held.measures.exact_match = 1 - std::exp(-speed * static_cast<double>(step));
        history->held_out.push_back(held);
    }
    return {name, history, {{3, 10, 9}, {4, 10, 7}, {6, 10, 2}}};
}

std::string words_of(const Figure& figure) {
    std::string all;
    for (const auto& item : figure.items) {
        if (const auto* text = std::get_if<Text>(&item)) all += text->text + "\n";
    }
    return all;
}

/// The colour of a name in the legends; nothing where it is not written.
std::optional<Color> color_of(const Figure& figure, const std::string& name) {
    for (const auto& item : figure.items) {
        const auto* text = std::get_if<Text>(&item);
        if (text && text->text == name) return text->color;
    }
    return std::nullopt;
}

TrainingRoomData half_way() {
    TrainingRoomData data;
    data.title = "中文 → English · additive attention · step 60";
    data.learners = {learner("last state", 0.005), learner("additive attention", 0.05)};
    data.learners[1].kind = 2;
    data.steps = 100;
    Matrix<float> weights(3, 2);
    weights << 0.9f, 0.1f, 0.2f, 0.8f, 0.5f, 0.5f;
    data.alignment = std::make_shared<const Matrix<float>>(weights);
    data.rows = {"I", "ate", "⟨end⟩"};
    data.columns = {"我", "吃"};
    data.alignment_subtitle = "additive attention";
    return data;
}

} // namespace

TEST_CASE("the training room is as approved") {
    CHECK(difference_from_golden(
              "training_room",
              dump(training_room(half_way(), plain_frame(940, 700, dark_theme())))) == "");
}

TEST_CASE("numbers of a moment of the film are those measured at its step, not beside it") {
    TrainingRoomData data = half_way();
    data.steps = 3000; // curves are drawn through every fifteenth
    data.marked = 40;
    const std::string words = words_of(training_room(data, plain_frame(940, 700, dark_theme())));
    CHECK(words.find("86.5") != std::string::npos); // 1 − e^−2
    CHECK(words.find("88.6") == std::string::npos); // at step 45
}

TEST_CASE("curves go through what was measured, at its own step") {
    TrainingRoomData data = half_way();
    data.steps = 3000; // a place is every fifteenth
    for (LearnerCurves& learner : data.learners) {
        auto history = std::make_shared<train::History>();
        for (std::uint64_t step = 25; step <= 2000; step += 25) {
            train::HeldOutPoint held{step, {}};
            held.measures.exact_match = step % 50 == 0 ? 0.2 : 0.8;
            history->held_out.push_back(held);
        }
        learner.history = history;
    }
    const Figure figure = training_room(data, plain_frame(940, 700, dark_theme()));
    std::set<int> heights; // at which a curve turns
    for (const auto& item : figure.items) {
        const auto* line = std::get_if<Line>(&item);
        if (!line || line->color != learner_color(dark_theme(), 2)) continue;
        for (std::size_t i = 1; i + 1 < line->points.size(); ++i) {
            const float before = line->points[i].y - line->points[i - 1].y,
                        after = line->points[i + 1].y - line->points[i].y;
            if (before * after < 0)
                heights.insert(static_cast<int>(std::lround(line->points[i].y)));
        }
    }
    CHECK(heights.size() == 2);
}

TEST_CASE("what is measured on all sentences at the end is a ring beside the curve, and says so") {
    TrainingRoomData data = half_way();
    auto history = std::make_shared<train::History>(*data.learners[1].history);
    for (train::HeldOutPoint& point : history->held_out) point.measures.by_length = {{3, 56, 0}};
    data.learners[1].history = history;
    const auto rings = [&] {
        int count = 0;
        for (const auto& item : training_room(data, plain_frame(940, 700, dark_theme())).items) {
            const auto* fill = std::get_if<Fill>(&item);
            const bool round = fill && fill->radius > 0 && 2 * fill->radius == fill->box.w;
            if (round && fill->color == learner_color(dark_theme(), 2)) ++count;
        }
        return count;
    };
    const int before = rings();
    train::HeldOutPoint all = history->held_out.back();
    all.measures.by_length = {{3, 213, 0}};
    all.of_all = true;
    all.measures.exact_match = 0.5;
    history->add(all);
    CHECK(rings() == before + 2); // of the loss, and of the accuracy
    const std::string words = words_of(training_room(data, plain_frame(940, 700, dark_theme())));
    CHECK(words.find("sentences fully correct, % · ○ at the end, on all 213") != std::string::npos);
    CHECK(words.find("nats per token · ○ at the end, on all 213") != std::string::npos);
    data.marked = 60; // the curve ends with what is measured as the rest of it was
    const std::string marked = words_of(training_room(data, plain_frame(940, 700, dark_theme())));
    CHECK(marked.find("95.0") != std::string::npos); // 1 − e^−3
}

TEST_CASE("before the first step the cards say what will come") {
    TrainingRoomData data = half_way();
    for (LearnerCurves& one : data.learners) {
        one.history = std::make_shared<train::History>();
        one.by_length.clear();
    }
    data.alignment = nullptr;
    data.no_alignment = "This model does not attend";
    const std::string dumped = dump(training_room(data, plain_frame(940, 700, dark_theme())));
    for (const char* words : {"Press Play", "Appears during training", "does not attend"}) {
        CHECK(dumped.find(words) != std::string::npos);
    }
    data.prepares = true; // Play would do nothing yet
    const std::string waits = dump(training_room(data, plain_frame(940, 700, dark_theme())));
    CHECK(waits.find("Generating data") != std::string::npos);
    CHECK(waits.find("Press Play") == std::string::npos);
}

TEST_CASE("the training room is drawn at every size without a fault") {
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        for (const float width : {0.f, 80.f, 300.f, 560.f, 1400.f}) {
            for (const float height : {0.f, 60.f, 240.f, 900.f}) {
                const Figure figure = training_room(half_way(), plain_frame(width, height, *theme));
                check_texts(figure, &plain_measure);
            }
        }
    }
}

TEST_CASE("curves are read between their points, and are nothing where nothing was measured") {
    const std::vector<std::pair<double, double>> points = {{10, 1}, {20, 3}, {40, 2}};
    const auto values = sampled(points, {0, 10, 15, 20, 30, 40, 50});
    CHECK(std::isnan(values[0]));
    CHECK(values[1] == 1);
    CHECK(values[2] == 2);
    CHECK(values[3] == 3);
    CHECK(values[4] == 2.5f);
    CHECK(values[5] == 2);
    CHECK(std::isnan(values[6]));
    CHECK(std::isnan(sampled({}, {1})[0]));
}

TEST_CASE("a kind of model keeps its colour, whatever else is switched on") {
    TrainingRoomData data = half_way();
    const auto beside =
        color_of(training_room(data, plain_frame(940, 700, dark_theme())), "additive attention");
    data.learners.erase(data.learners.begin());
    const auto alone =
        color_of(training_room(data, plain_frame(940, 700, dark_theme())), "additive attention");
    REQUIRE(beside);
    CHECK(beside == alone);
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        std::vector<Color> colors; // of all that learn sentences, who may stand together
        for (int kind = 0; kind < 8; ++kind) colors.push_back(learner_color(*theme, kind));
        for (std::size_t i = 0; i < colors.size(); ++i) {
            CHECK(std::count(colors.begin(), colors.end(), colors[i]) == 1);
        }
        CHECK(learner_color(*theme, 8) != learner_color(*theme, 9));
        CHECK(learner_color(*theme, 8) != learner_color(*theme, 10));
        CHECK(learner_color(*theme, 9) != learner_color(*theme, 10));
    }
}

TEST_CASE("models that may stand together are told apart, and seen on every ground") {
    constexpr float kTold = 0.11f; // of OKLab; amber and the rust beside it were 0.03 apart
    const auto check = [&](const Theme& theme, int from, int to) {
        for (int kind = from; kind <= to; ++kind) {
            INFO("model " << kind << (theme.dark ? ", dark" : ", light"));
            const Color color = learner_color(theme, kind);
            CHECK(contrast(color, theme.raised) >= 3);
            for (const Color& ground : {theme.panel, theme.ground}) // below names, too
                CHECK(contrast(color, ground) >= 4.5f);
            const OkLab lab = to_oklab(color);
            for (int other = from; other < kind; ++other) {
                INFO("beside model " << other);
                const OkLab beside = to_oklab(learner_color(theme, other));
                CHECK(std::hypot(lab.L - beside.L, lab.a - beside.a, lab.b - beside.b) > kTold);
            }
        }
    };
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        check(*theme, 0, 7);
        check(*theme, 8, 10);
    }
}

namespace {

/// With an even map over sentences of so many words, each of them another one.
TrainingRoomData sentence_of(int rows, int cols) {
    TrainingRoomData data = half_way();
    data.alignment = std::make_shared<const Matrix<float>>(
        Matrix<float>::Constant(rows, cols, 1.f / static_cast<float>(cols)));
    data.rows.clear();
    data.columns.clear();
    for (int i = 0; i < rows; ++i) data.rows.push_back("mot" + std::to_string(10 + i));
    for (int i = 0; i < cols; ++i) data.columns.push_back("word" + std::to_string(10 + i));
    return data;
}

/// The target of one of the pictures; nothing where it is not drawn.
std::optional<Box> place_of(const Figure& figure, TrainingPart part) {
    for (const Target& target : figure.targets) {
        const auto* cells = target.as<tag::Cells>();
        if (cells && cells->part == static_cast<int>(part)) return target.box;
    }
    return std::nullopt;
}

} // namespace

TEST_CASE("an alignment in a window of 1280 × 800 names every word that it has room for") {
    for (const auto& [rows, cols] : {std::pair{14, 9}, {15, 15}, {5, 3}, {8, 16}}) {
        const TrainingRoomData data = sentence_of(rows, cols);
        const Figure figure = training_room(data, plain_frame(720, 620, dark_theme()));
        INFO(rows << " × " << cols);
        for (const auto* words : {&data.rows, &data.columns}) {
            for (const std::string& word : *words) {
                INFO(word);
                CHECK(has_text(figure, word));
            }
        }
        for (const Text& text : texts_of(figure)) CHECK(text.style.size >= 8);
        check_texts(figure, &plain_measure);
        const auto map = place_of(figure, TrainingPart::alignment);
        REQUIRE(map);
        CHECK(map->y + map->h <= 620 - 24);
    }
}

TEST_CASE("at the height that it asks for the room shows all four cards whole") {
    for (const float width : {300.f, 464.f, 545.f, 588.f, 620.f, 720.f, 1000.f}) {
        INFO("width " << width);
        const Figure figure = training_room(
            sentence_of(12, 8), plain_frame(width, training_room_height(width), dark_theme()));
        for (const TrainingPart part :
             {TrainingPart::loss, TrainingPart::exact_match, TrainingPart::by_length}) {
            const auto place = place_of(figure, part);
            REQUIRE(place);
            CHECK(place->h >= 34); // an axis has its numbers
            CHECK(place->w >= 100);
        }
        const auto map = place_of(figure, TrainingPart::alignment);
        REQUIRE(map);
        CHECK(map->w >= 80);
        CHECK(map->h >= 80);
        check_texts(figure, &plain_measure);
    }
}

TEST_CASE("a subtitle is chosen to fit, or cut at its end, and never in the middle") {
    TrainingRoomData data = half_way();
    data.alignment_subtitle =
        "decoder-only, 2 layers · “réfrigérateur” attends most to refrigerator";
    for (const float width : {464.f, 588.f, 620.f, 720.f, 940.f}) {
        INFO("width " << width);
        const Figure figure =
            training_room(data, plain_frame(width, training_room_height(width), dark_theme()));
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            if (text.text.find(" · step ") != std::string::npos) continue; // a title: its end tells
            const std::size_t cut = text.text.find("…");
            CHECK((cut == std::string::npos || text.text.ends_with("…")));
            CHECK((cut == std::string::npos || text.text.find("nats") == std::string::npos));
        }
        CHECK(words_of(figure).find("nats per token\n") != std::string::npos);
    }
}

TEST_CASE("accuracy by length is drawn over bins that say how many sentences they have") {
    TrainingRoomData data = half_way();
    const std::string texts = words_of(training_room(data, plain_frame(940, 700, dark_theme())));
    CHECK(texts.find("3–5") != std::string::npos);
    CHECK(texts.find("\n6\n") != std::string::npos);
    CHECK(texts.find("n = 20") != std::string::npos);
    const auto bins = length_bins(data.learners);
    REQUIRE(bins.size() == 2);
    CHECK(bins[0].right == 16);
}

TEST_CASE("the room is titled by task, model and step") {
    const std::string texts =
        words_of(training_room(half_way(), plain_frame(940, 700, dark_theme())));
    CHECK(texts.starts_with("中文 → English · additive attention · step 60\n"));
}

TEST_CASE("where nothing attends that is said in whole words, in as many lines as it takes") {
    TrainingRoomData data = half_way();
    data.alignment = nullptr;
    data.no_alignment = "This model does not attend: switch on one that does to see where it looks";
    std::string texts = words_of(training_room(data, plain_frame(560, 600, dark_theme())));
    std::replace(texts.begin(), texts.end(), '\n', ' ');
    CHECK(texts.find(data.no_alignment) != std::string::npos);
}

TEST_CASE("before there is an alignment its card says when it comes") {
    TrainingRoomData data = half_way();
    data.alignment = nullptr;
    CHECK(words_of(training_alignment(data, plain_frame(560, 300, dark_theme())))
              .find("Appears during training") != std::string::npos);
}

TEST_CASE("no name stands alone in the last line of a legend of more") {
    TrainingRoomData data = half_way();
    data.learners.clear();
    for (const char* name : {"last state", "mean state", "additive attention", "transformer 2+2",
                             "decoder-only, 2 layers"}) {
        data.learners.push_back(learner(name, 0.01));
    }
    int lines_seen = 0;
    for (float width = 900; width <= 1700; width += 20) {
        CAPTURE(width);
        const Figure figure = training_room(data, plain_frame(width, 760, dark_theme()));
        std::map<float, int> lines; // of the first card: names by their baseline
        for (const Text& text : texts_of(figure)) {
            const bool name = std::ranges::any_of(
                data.learners, [&](const LearnerCurves& one) { return text.text == one.name; });
            if (name && text.at.x < width / 2 && text.at.y < 300) ++lines[text.at.y];
        }
        REQUIRE(!lines.empty());
        if (lines.size() != 2) continue;
        ++lines_seen;
        CHECK(lines.rbegin()->second > 1);
    }
    CHECK(lines_seen > 3);
}

TEST_CASE("with much height the curves of learning take what the map does not need") {
    const auto of = [](float width, float height, TrainingPart part) {
        return place_of(training_room(sentence_of(12, 8), plain_frame(width, height, dark_theme())),
                        part);
    };
    const auto loss = of(1900, 1300, TrainingPart::loss);
    const auto lengths = of(1900, 1300, TrainingPart::by_length);
    REQUIRE(loss);
    REQUIRE(lengths);
    CHECK(loss->h > 480);
    CHECK(loss->h > lengths->h);
    CHECK(of(1200, 760, TrainingPart::loss)->h < of(1200, 760, TrainingPart::by_length)->h);
}

TEST_CASE("a legend shows what there is room for, and counts the others") {
    TrainingRoomData data = half_way();
    data.learners.clear();
    for (const char* name : {"last state", "mean state", "additive attention", "transformer 2+2",
                             "decoder-only, 2 layers", "GRU one-to-many"}) {
        data.learners.push_back(learner(name, 0.01));
    }
    const std::string texts = words_of(training_room(data, plain_frame(600, 560, dark_theme())));
    CHECK(texts.find("+ ") == std::string::npos);
    CHECK(texts.find(" more\n") != std::string::npos);
    CHECK(texts.find("last state") != std::string::npos);
}

TEST_CASE("the axis of losses spans what was measured, and hidden curves are seen below") {
    TrainingRoomData data = half_way();
    for (LearnerCurves& learner : data.learners) {
        auto history = std::make_shared<train::History>();
        for (const std::uint64_t step : {0, 30, 60}) {
            train::HeldOutPoint held{step, {}};
            held.measures.loss = 7 - 0.01 * static_cast<double>(step);
            history->held_out.push_back(held);
        }
        learner.history = history;
    }
    for (const std::size_t watched : {0u, 1u}) {
        data.watched = watched;
        const Figure figure = training_room(data, plain_frame(940, 700, dark_theme()));
        const Line* whole = nullptr; // of losses, which come first
        std::vector<const Line*> dashes;
        for (const Primitive& item : figure.items) {
            const Line* line = std::get_if<Line>(&item);
            if (!line) continue;
            const auto color = learner_color(dark_theme(), data.learners[1 - watched].kind);
            if (line->points.size() > 50) { // one a step
                if (!whole) whole = line;
            } else if (whole && line->color == color) {
                dashes.push_back(line);
            }
        }
        REQUIRE(whole);
        const auto& points = whole->points;
        CHECK(points.back().y - points.front().y > 40); // from 7 to 6.4 is most of the axis
        CHECK(whole->color == learner_color(dark_theme(), data.learners[watched].kind));
        // Over the whole one lie the pieces of the other, as thin, with gaps between them.
        REQUIRE(dashes.size() > 5);
        CHECK(dashes[0]->width == whole->width);
        CHECK(dashes[0]->points.front() == points.front());
        CHECK(dashes[1]->points.front().x > dashes[0]->points.back().x);
    }
}

TEST_CASE("a held-out curve that is a line of its own has no gaps") {
    TrainingRoomData data = half_way();
    data.learners.push_back(learner("transformer 2+2", 0.02));
    data.learners[2].kind = 4;
    const Figure figure = training_room(data, plain_frame(940, 700, dark_theme()));
    for (const LearnerCurves& curves : data.learners) {
        INFO(curves.name);
        float longest = 0;
        for (const Primitive& item : figure.items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line || line->width < 1.5f) continue; // thin: of training
            if (line->color != learner_color(dark_theme(), curves.kind)) continue;
            longest = std::max(longest, line->points.back().x - line->points.front().x);
        }
        CHECK(longest > 100); // of steps 20 to 60 of 100
    }
}

TEST_CASE("shares of sentences are per cent, on their axes as in their subtitles") {
    const Figure figure = training_room(half_way(), plain_frame(940, 700, dark_theme()));
    const std::string texts = words_of(figure);
    CHECK(texts.find("sentences fully correct, %\n") != std::string::npos);
    CHECK(texts.find("of the held-out sentences, %\n") != std::string::npos);
    CHECK(std::ranges::count_if(figure.items, [](const Primitive& item) {
              const auto* text = std::get_if<Text>(&item); // steps are below their axis
              return text && text->text == "100" && text->align_x == AlignX::right;
          }) == 2);
}

TEST_CASE("the last bin of lengths ends at the longest sentence") {
    TrainingRoomData data = half_way();
    const std::string texts = words_of(training_room(data, plain_frame(940, 700, dark_theme())));
    CHECK(texts.find("6–8") == std::string::npos); // there is none of 7 words
    CHECK(length_bins(data.learners).back().to == 6);
}

TEST_CASE("curves of a few steps have as many points, each at a place of its own") {
    auto data = half_way();
    data.steps = 3;
    const Figure figure = training_room(data, frame_of(1000, 800));
    int curves = 0;
    for (const auto& item : figure.items) {
        const Line* line = std::get_if<Line>(&item);
        if (!line || line->width < 0.5f) continue;
        ++curves;
        for (std::size_t i = 1; i < line->points.size(); ++i) {
            const Point a = line->points[i - 1], b = line->points[i];
            INFO(a.x << ", " << a.y);
            CHECK(std::hypot(a.x - b.x, a.y - b.y) > 0.005f);
        }
    }
    CHECK(curves > 0);
}

TEST_CASE("in the lowest room curves are no flat lines") {
    for (const float width : {464.f, 588.f, 720.f, 1000.f}) {
        INFO("width " << width);
        const Figure figure = training_room(
            sentence_of(12, 8), plain_frame(width, training_room_height(width), dark_theme()));
        for (const TrainingPart part : {TrainingPart::loss, TrainingPart::exact_match}) {
            const auto place = place_of(figure, part);
            REQUIRE(place);
            CHECK(place->h >= 66);
        }
    }
}

TEST_CASE("thin lines that are one have pieces of each model") {
    const auto thin_lines = [](const TrainingRoomData& data) {
        std::set<std::uint32_t> colours;
        int pieces = 0;
        for (const Primitive& item :
             training_room(data, plain_frame(940, 700, dark_theme())).items) {
            const auto* line = std::get_if<Line>(&item);
            if (!line || std::abs(line->width - 0.8f) > 0.01f) continue;
            ++pieces;
            colours.insert(std::uint32_t{line->color.r} << 16 | std::uint32_t{line->color.g} << 8 |
                           line->color.b);
        }
        return std::pair(pieces, colours.size());
    };
    TrainingRoomData data = half_way();
    const auto [apart, colours] = thin_lines(data);
    data.learners[1].history = data.learners[0].history;
    const auto [pieces, colours_of_one] = thin_lines(data);
    CHECK(colours == 2);
    CHECK(colours_of_one == 2);
    CHECK(pieces > apart + 4);
}
