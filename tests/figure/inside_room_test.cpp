#include "catch.hpp"

#include "figure/base/number_text.hpp"
#include "figure/parts/lens_grid.hpp"
#include "figure/parts/paired_bars.hpp"
#include "figure/parts/tinted_text.hpp"
#include "figure/views/inside_room.hpp"
#include "texts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace heed::figure;
using namespace samples;

namespace {

/// By closed forms; the first layer is not measured yet.
InsideGrid grid_of(Index layers, Index cols, const std::vector<std::string>& names) {
    auto values = std::make_shared<Matrix<float>>(layers, cols);
    for (Index i = 0; i < layers; ++i) {
        for (Index j = 0; j < cols; ++j) {
            (*values)(i, j) = i == 0 ? std::numeric_limits<float>::quiet_NaN()
                                     : 0.5f + 0.5f * std::sin(static_cast<float>(i * 7 + j * 3));
        }
    }
    InsideGrid grid;
    grid.values = values;
    grid.columns = repeated(names, cols);
    grid.marked = {1};
    grid.row = static_cast<int>(layers) - 1;
    grid.col = static_cast<int>(cols) - 1;
    return grid;
}

InsideRoomData room_of(Index layers, Index tokens, const std::vector<std::string>& words) {
    InsideRoomData data;
    data.title = "Inside: “" + words[0] + "”";
    data.subtitle = "probability 0.682";
    data.lens_card = {"Logit lens", "what each layer would say", ""};
    data.parts_card = {"What made it say “" + words[0] + "”", "part by part", ""};
    data.patching_card = {"Put one activation into the other run", "how much comes back", ""};
    data.heads_card = {"Without each part", "change of the logit", ""};
    data.lens = grid_of(layers, tokens, words);
    data.patching = grid_of(layers, tokens, words);
    data.heads = grid_of(layers, 13, {"1", "2", "3"});
    data.words = repeated(words, layers * tokens);
    for (int i = 0; i < 12; ++i) {
        data.bars.push_back({"head 9." + std::to_string(i + 1), 1.9 - 0.3 * i, i});
    }
    data.sum = "Σ = +3.410 · remainder 2e-06";
    data.beside = {"head 9.9", "without it", "−1.80", "still says", words[0] + " 0.41"};
    data.does = {"induction (0.98)", "+9.53 for “" + words[0] + "”"};
    data.patching.below = std::vector<float>(static_cast<std::size_t>(tokens), 0.25f);
    data.tokens_card = {"Tokens behind “" + words[0] + "”", "shares of each account", ""};
    data.weights_card = {"Other weights of head 9.9", "as far as were found", ""};
    data.tokens.words = repeated(words, tokens);
    for (const bool is_signed : {false, true}) {
        std::vector<float> shares;
        for (Index i = 0; i < tokens; ++i) {
            const float share = std::sin(static_cast<float>(3 * i + 1));
            shares.push_back(is_signed ? share : std::abs(share));
        }
        shares.back() = std::numeric_limits<float>::quiet_NaN();
        data.tokens.lines.push_back(
            {"attention × gradient", "Chefer et al. 2021", shares, is_signed});
    }
    data.tokens.marked = 0;
    data.weights.names = {"as they are", "other weights, the same answer"};
    data.weights.columns = repeated(words, tokens);
    for (auto& values : data.weights.values) {
        values.assign(static_cast<std::size_t>(tokens), 1.0f / static_cast<float>(tokens));
    }
    data.of_tokens = {"They disagree on the top token.", {{"rollout · attention flow", "+0.93"}}};
    data.of_weights = {"Weights that differ give the same answer.", {{"total variation", "0.99"}}};
    return data;
}

Box box_of_cells(const Figure& figure) {
    const auto cells = std::ranges::find_if(
        figure.targets, [](const Target& target) { return target.as<tag::Cells>() != nullptr; });
    return cells == figure.targets.end() ? Box{} : cells->box;
}

template <class Kind> std::vector<Kind> inside_tags_of(const Figure& figure) {
    std::vector<Kind> tags;
    for (const Target& target : figure.targets) {
        if (const auto* tag = target.as<Kind>()) tags.push_back(*tag);
    }
    return tags;
}

constexpr InsidePart kInsideParts[] = {InsidePart::lens,  InsidePart::parts,  InsidePart::patching,
                                       InsidePart::heads, InsidePart::tokens, InsidePart::weights};

} // namespace

TEST_CASE("texts of the room Inside keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {937, 640},
                                        {640, 480},
                                        {420, 520},
                                        {300, 240},
                                        {0, 0}}) {
        for (const auto& [layers, tokens] : {std::pair<Index, Index>{2, 3}, {12, 10}, {48, 10}}) {
            for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                INFO(layers << " layers, " << tokens << " tokens in " << width << " × " << height);
                const auto data = room_of(layers, tokens, *words);
                Frame frame = dark_frame(width, height, measure);
                frame.caption = "gpt2 · at token 14";
                check_texts(inside_room(data, frame), measure);
                check_texts(inside_tokens_room(data, frame), measure);
                for (const InsidePart part : kInsideParts) {
                    check_texts(inside_part(data, part, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("every grid of the room Inside can be pointed at, its last layer on top") {
    const auto data = room_of(12, 10, kEnglish);
    const Figure figure = inside_room(data, dark_frame(1200, 900));
    const auto grids = inside_tags_of<tag::Cells>(figure);
    REQUIRE(grids.size() == 4);
    for (const tag::Cells& cells : grids) {
        CHECK(cells.rows == (cells.part == static_cast<int>(InsidePart::below) ? 1 : 12));
    }
    const auto narrow =
        inside_tags_of<tag::Cells>(inside_part(data, InsidePart::lens, dark_frame(300, 500)));
    REQUIRE(narrow.size() == 1);
    CHECK(narrow[0].cols < 10); // the last tokens that have room
    CHECK(inside_tags_of<tag::Bar>(figure).size() == 12);
    const Figure lens = inside_part(data, InsidePart::lens, dark_frame(800, 600));
    const auto texts = texts_of(lens);
    const auto at = [&](const std::string& words) {
        const auto found = std::find_if(texts.begin(), texts.end(),
                                        [&](const Text& text) { return text.text == words; });
        REQUIRE(found != texts.end());
        return found->at.y;
    };
    CHECK(at("layer 12") < at("layer 1"));
    CHECK(has_text(inside_part(data, InsidePart::lens, dark_frame(300, 500)), "layer"));
}

TEST_CASE("bars stand on both sides of zero, with their signed numbers") {
    const auto data = room_of(2, 3, kEnglish);
    const Figure figure = inside_part(data, InsidePart::parts, dark_frame(700, 500));
    CHECK(has_text(figure, "+1.90"));
    CHECK(has_text(figure, number_text(-1.4f, 2)));
    CHECK(has_text(figure, data.sum));
}

TEST_CASE("bars without room are one bar, and all of them add up") {
    auto data = room_of(2, 3, kEnglish);
    data.bars.clear();
    for (int i = 0; i < 40; ++i) data.bars.push_back({"head", i % 2 == 0 ? 0.01 * i : -0.5, i});
    const Figure figure = inside_part(data, InsidePart::parts, dark_frame(500, 200));
    const auto bars = inside_tags_of<tag::Bar>(figure);
    CHECK(bars.size() < 40);
    const auto rest =
        std::count_if(bars.begin(), bars.end(), [](const tag::Bar& bar) { return bar.place < 0; });
    CHECK(rest == 1);
    CHECK(has_text(figure, std::to_string(40 - (bars.size() - 1)) + " other parts"));
    CHECK(bars.back().place == -1);                 // the last, however long it is
    CHECK(has_text(figure, number_text(-0.5f, 2))); // the most negative are not the ones left out
}

TEST_CASE("heads without room are counted with the other heads, and biases keep their row") {
    using heed::figure::BarKind;
    auto data = room_of(2, 3, kEnglish);
    data.bars.clear();
    for (int i = 0; i < 6; ++i)
        data.bars.push_back({"head 2." + std::to_string(i), 4 - 0.5 * i, i, BarKind::head});
    data.bars.push_back({"10 other heads", 0.95, -1, BarKind::head, 10});
    data.bars.push_back({"feed-forward 1", 2.5, 7, BarKind::network});
    data.bars.push_back({"embedding", 0.7, 8});
    data.bars.push_back({"biases", -0.1, 9});
    const Figure figure = inside_part(data, InsidePart::parts, dark_frame(440, 210));
    const auto bars = inside_tags_of<tag::Bar>(figure);
    REQUIRE(bars.size() < data.bars.size());
    const auto joined = data.bars.size() - bars.size();
    REQUIRE(joined <= 5);
    CHECK(has_text(figure, std::to_string(10 + joined) + " other heads"));
    CHECK(has_text(figure, "biases"));
    CHECK(has_text(figure, "embedding"));
    for (const Text& text : texts_of(figure))
        CHECK(text.text.find("other part") == std::string::npos);
}

TEST_CASE("a number is not cut with the word before it") {
    auto data = room_of(2, 3, kEnglish);
    data.beside.back() = "counterrevolutionaries and others";
    data.beside_number = "> 99.9 %";
    CHECK(has_text(inside_part(data, InsidePart::heads, dark_frame(440, 400)), "> 99.9 %"));
    data.beside.back() = "I";
    CHECK(has_text(inside_part(data, InsidePart::heads, dark_frame(700, 400)), "I > 99.9 %"));
}

TEST_CASE("what a head does stands below its name, and gives way where there is no room for all") {
    auto data = room_of(2, 3, kEnglish);
    data.does = {"induction (0.98)", "+9.53 for “t”"};
    const Figure high = inside_part(data, InsidePart::heads, dark_frame(700, 400));
    CHECK(has_text(high, "induction (0.98)"));
    CHECK(has_text(high, "+9.53 for “t”"));
    const Figure low = inside_part(data, InsidePart::heads, dark_frame(700, 148));
    CHECK_FALSE(has_text(low, "induction (0.98)"));
    CHECK(has_text(low, "−1.80"));
}

TEST_CASE("what stands across a narrow grid is whole") {
    auto data = room_of(6, 8, kEnglish);
    data.heads.across = "encoder head · FF: feed-forward";
    CHECK(has_text(inside_part(data, InsidePart::heads, dark_frame(437, 326)), data.heads.across));
    CHECK(has_text(inside_room(data, dark_frame(936, 752)), data.heads.across));
}

TEST_CASE("in a narrow card parts keep their numbers, and the words beside the grid are whole") {
    auto data = room_of(2, 3, kEnglish);
    data.bars = {{"cross head 2.1", 4.5, 0}, {"decoder feed-forward 2", 1.8, 1}};
    data.beside[0] = "cross head 2.1";
    const Figure parts = inside_part(data, InsidePart::parts, dark_frame(230, 230));
    CHECK(has_text(parts, "cross 2.1"));
    CHECK(has_text(parts, "decoder FF 2"));
    const Figure heads = inside_part(data, InsidePart::heads, dark_frame(230, 230));
    CHECK(has_text(heads, "cross 2.1"));
    CHECK(has_text(heads, "without it"));
    const Figure wide = inside_part(data, InsidePart::parts, dark_frame(600, 230));
    CHECK(has_text(wide, "cross head 2.1"));
    CHECK(has_text(wide, "decoder feed-forward 2"));
}

TEST_CASE("in a small window the words beside the grid of heads are whole") {
    auto data = room_of(2, 3, kEnglish);
    data.beside = {"cross 2.1", "set to its mean", "−1.68", "still says", "“livre”"};
    data.beside_number = "99.8 %";
    data.does = {"gold alignment (0.93) of 1,000 sentences", "+4.12 for “livre”"};
    data.heads.columns = {"1", "2", "3", "4", "FF"};
    data.heads.across = "cross head · FF: decoder feed-forward";
    data.heads.across_short = "cross head · FF: feed-forward";
    auto values = std::make_shared<Matrix<float>>(2, 5);
    values->setConstant(-4.51f);
    data.heads.values = values;
    for (const float width : {330.f, 346.f, 380.f}) {
        INFO(width);
        const Figure figure = inside_part(data, InsidePart::heads, dark_frame(width, 260));
        CHECK(has_text(figure, "set to its mean"));
        const bool narrow = width == 330.f;
        CHECK(has_text(figure, narrow ? data.heads.across_short : data.heads.across));
        bool does = false;
        for (const Text& text : texts_of(figure)) {
            INFO(text.text);
            CHECK(text.text.find("…") == std::string::npos);
            does = does || text.text.find("alignment") != std::string::npos;
        }
        CHECK(does);
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("numbers of many heads in a narrow card stand level, some of them") {
    auto data = room_of(12, 3, kEnglish);
    data.heads.columns.clear();
    for (int i = 1; i <= 12; ++i) data.heads.columns.push_back(std::to_string(i));
    data.heads.columns.emplace_back("FF");
    data.heads.col = 0;
    const Figure figure = inside_part(data, InsidePart::heads, dark_frame(436, 330));
    CHECK(has_text(figure, "1"));
    for (const Text& text : texts_of(figure)) CHECK(text.degrees == 0);
}

TEST_CASE("beside numbers of heads that are thinned the feed-forward network has its name") {
    auto data = room_of(12, 3, kEnglish);
    data.heads.columns.clear();
    for (int i = 1; i <= 12; ++i) data.heads.columns.push_back(std::to_string(i));
    data.heads.columns.emplace_back("FF");
    for (const float width : {230.f, 246.f, 278.f, 300.f, 330.f, 436.f}) {
        for (const int chosen : {0, 4, 11, 12}) {
            INFO(width << ", chosen " << chosen + 1);
            data.heads.col = chosen;
            const Figure figure = inside_part(data, InsidePart::heads, dark_frame(width, 200));
            CHECK(has_text(figure, "FF"));
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("the row under the other run is never without the line that says what it is") {
    for (const Index layers : {2, 6, 12}) {
        auto data = room_of(layers, 9, kEnglish);
        data.patching.below_name = "attention × gradient";
        int rows = 0;
        for (float height = 110; height < 320; height += 5) {
            INFO(layers << " layers in " << height);
            const Figure figure = inside_part(data, InsidePart::patching, dark_frame(280, height));
            bool row = false, said = false;
            for (const tag::Cells& cells : inside_tags_of<tag::Cells>(figure)) {
                row |= cells.part == static_cast<int>(InsidePart::below);
            }
            for (const Text& text : texts_of(figure)) said |= text.text.starts_with("bottom row");
            CHECK(row == said);
            rows += row;
            check_texts(figure, &heed::figure::measure);
        }
        CHECK(rows > 0);
    }
}

TEST_CASE("a low card of two layers has its 0, and the row under the other run") {
    auto data = room_of(2, 4, kEnglish);
    data.patching.below_name = "attention × gradient";
    const Figure figure = inside_room(data, dark_frame(480, 790));
    bool below = false;
    for (const Target& target : figure.targets) {
        const auto* cells = target.as<tag::Cells>();
        below |= cells && cells->part == static_cast<int>(InsidePart::below);
    }
    CHECK(below);
    // Of the two scales, from 0 to 1 and on both sides of 0.
    const auto texts = texts_of(figure);
    CHECK(std::ranges::count(texts, "0", &Text::text) == 2);
}

TEST_CASE("a note without room beside its name is whole below it") {
    auto data = room_of(2, 4, kEnglish);
    const std::string note = "Sundararajan et al. 2017 · Σ +24.27 · remainder +0.57 with 32 steps";
    data.tokens.lines[1].note = note;
    for (const float width : {480.f, 900.f}) {
        CHECK(has_text(inside_part(data, InsidePart::tokens, dark_frame(width, 500)), note));
    }
}

TEST_CASE("at the size of a small window no fact beside the weights is dropped") {
    auto data = room_of(2, 9, kEnglish);
    data.of_weights.verdict = "No weights of this row change the answer by more than 1.0 % (at "
                              "most 0.51 %, with all weight on one key): this row does not change "
                              "the probability of this word (already > 99.9 %).";
    data.of_weights.facts.clear();
    for (int i = 0; i < 7; ++i) data.of_weights.facts.push_back({"fact", std::to_string(100 + i)});
    const Figure figure = inside_tokens_room(data, dark_frame(936, 600));
    for (int i = 0; i < 7; ++i) CHECK(has_text(figure, std::to_string(100 + i)));
}

TEST_CASE("in a column of a page the facts of tokens and weights stand below their pictures") {
    auto data = room_of(2, 9, kEnglish);
    data.of_tokens.facts.clear();
    data.of_weights.facts.clear();
    for (int i = 0; i < 6; ++i) {
        data.of_tokens.facts.push_back({"fact", std::to_string(100 + i)});
        data.of_weights.facts.push_back({"fact", std::to_string(200 + i)});
    }
    for (const float height : {0.f, 1160.f}) {
        const Figure figure = inside_tokens_room(data, dark_frame(300, height));
        for (int i = 0; i < 6; ++i) {
            CHECK(has_text(figure, std::to_string(100 + i)));
            CHECK(has_text(figure, std::to_string(200 + i)));
        }
    }
    const Figure low = inside_tokens_room(data, dark_frame(300, 620));
    CHECK_FALSE(has_text(low, "205"));
}

TEST_CASE("beside few tokens the cards are as high as their words need") {
    auto data = room_of(2, 5, kEnglish);
    data.of_tokens.verdict = "All put the first one first. Their orders of all tokens differ most "
                             "between rollout and attention flow (rank correlation +0.62), least "
                             "between rollout and attention × gradient (+0.96).";
    data.of_weights.verdict = "Weights that differ in > 99.9 % of their mass give the same answer "
                              "to within 1.0 %, though all weight on one key would change it by up "
                              "to > 99.9 %: for this word these weights are one of many that "
                              "explain it (Jain and Wallace 2019). Whether a model trained to use "
                              "those would say it too is another question (Wiegreffe and Pinter "
                              "2019).";
    data.of_tokens.facts.clear();
    data.of_weights.facts.clear();
    for (int i = 0; i < 7; ++i) {
        data.of_tokens.facts.push_back({"fact", std::to_string(100 + i)});
        data.of_weights.facts.push_back({"fact", std::to_string(200 + i)});
    }
    constexpr float kTitle = 84; // of the room, with its margins
    for (const float width : {708.f, 756.f, 936.f, 1260.f}) {
        CAPTURE(width);
        const float high = height_of_token_words(data, dark_frame(width, 0));
        CHECK(high > 300);
        const Figure figure = inside_tokens_room(data, dark_frame(width, kTitle + high));
        for (int i = 0; i < 7; ++i) {
            CHECK(has_text(figure, std::to_string(100 + i)));
            CHECK(has_text(figure, std::to_string(200 + i)));
        }
    }
    CHECK(height_of_token_words(data, dark_frame(480, 0)) == 0);
}

TEST_CASE("a verdict in a narrow place is whole") {
    auto data = room_of(2, 9, kEnglish);
    data.of_weights = {"Weights that differ in > 99.9 % of their mass give the same answer to "
                       "within 1.0 %, though all weight on one key would change it by up to 98.0 "
                       "%: for this word these weights are one of many (Jain and Wallace 2019).",
                       {}};
    const Figure figure = inside_part(data, InsidePart::weights, dark_frame(480, 400));
    const auto texts = texts_of(figure);
    CHECK(std::ranges::any_of(texts, [](const Text& t) {
        return t.text.ends_with("2019).") && t.text.find("…") == std::string::npos;
    }));
}

TEST_CASE("a card that lacks something says it in place of its picture") {
    auto data = room_of(2, 3, kEnglish);
    data.patching = {};
    data.patching_card.instead = "Needs another sentence";
    const Figure figure = inside_room(data, dark_frame(1200, 900));
    CHECK(has_text(figure, "Needs another sentence"));
    CHECK(inside_tags_of<tag::Cells>(figure).size() == 2);
}

TEST_CASE("cards that a model cannot have are one sentence, and the others have their place") {
    auto data = room_of(2, 3, kEnglish);
    data.lens_card.missing = data.parts_card.missing = true;
    data.missing = "This model predicts one class.";
    const Figure figure = inside_room(data, dark_frame(1200, 900));
    CHECK(has_text(figure, data.missing));
    CHECK_FALSE(has_text(figure, data.lens_card.title));
    CHECK_FALSE(has_text(figure, data.parts_card.title));
    CHECK(has_text(figure, data.heads_card.title));
    for (const Target& target : figure.targets) {
        const auto* cells = target.as<tag::Cells>();
        const bool patching = cells && cells->part == static_cast<int>(InsidePart::patching);
        if (patching) CHECK(target.box.h > 450); // of 900
    }
    CHECK_FALSE(has_text(inside_tokens_room(data, dark_frame(1200, 900)), data.missing));
    data.tokens_card.missing = data.weights_card.missing = true;
    CHECK(has_text(inside_tokens_room(data, dark_frame(1200, 900)), data.missing));
}

TEST_CASE("four cards stand in a low window, two a row") {
    const Figure figure = inside_room(room_of(2, 6, kEnglish), dark_frame(557, 500));
    for (const InsidePart part : {InsidePart::lens, InsidePart::patching, InsidePart::heads}) {
        const auto grids = inside_tags_of<tag::Cells>(figure);
        CHECK(std::count_if(grids.begin(), grids.end(), [&](const tag::Cells& cells) {
                  return cells.part == static_cast<int>(part);
              }) == 1);
    }
    CHECK_FALSE(inside_tags_of<tag::Bar>(figure).empty());
    CHECK(has_text(figure, "Without each part"));
}

TEST_CASE("what is left out and what colours span is said in words") {
    const auto data = room_of(2, 10, kEnglish);
    const Figure lens = inside_part(data, InsidePart::lens, dark_frame(320, 400));
    const auto grids = inside_tags_of<tag::Cells>(lens);
    REQUIRE(grids.size() == 1);
    REQUIRE(grids[0].cols < 9);
    CHECK(has_text(lens, "The last " + std::to_string(grids[0].cols) + " of 10 tokens"));
    auto long_sentence = data; // the lens has the last ten up to the asked one
    long_sentence.lens_first = 15;
    long_sentence.lens_tokens = 25;
    CHECK(has_text(inside_part(long_sentence, InsidePart::lens, dark_frame(320, 400)),
                   "The last " + std::to_string(grids[0].cols) + " of 25 tokens"));
    CHECK(has_text(inside_part(long_sentence, InsidePart::lens, dark_frame(1200, 600)),
                   "The last 10 of 25 tokens"));
    long_sentence.lens_first = 4; // more are behind it
    CHECK(has_text(inside_part(long_sentence, InsidePart::lens, dark_frame(1200, 600)),
                   "Tokens 5 to 14 of 25"));
    CHECK_FALSE(has_text(inside_part(data, InsidePart::lens, dark_frame(1200, 600)),
                         "The last 10 of 10 tokens"));
    auto named = data;
    named.patching.below_name = "attention × gradient";
    named.patching.below = std::vector<float>(10, 0.1f);
    named.patching.below[3] = 0.34f;
    CHECK(has_text(inside_part(named, InsidePart::patching, dark_frame(700, 500)),
                   "bottom row: attention × gradient, own colours, 0 to " + percent_text(0.34f)));
    named.heads.across = "head";
    CHECK(has_text(inside_part(named, InsidePart::heads, dark_frame(700, 500)), "head"));
}

TEST_CASE("a lens says what its columns are, and every grid of layers has an arrow upwards") {
    auto data = room_of(3, 4, kEnglish);
    data.lens.corner = "reads";
    data.heads = grid_of(3, 4, {"1", "2", "3", "4"});
    for (const InsidePart part : {InsidePart::lens, InsidePart::patching, InsidePart::heads}) {
        const Figure figure = inside_part(data, part, dark_frame(900, 500));
        CHECK(has_text(figure, "reads") == (part == InsidePart::lens));
        CHECK(std::ranges::count_if(figure.items, [](const Primitive& item) {
                  const auto* line = std::get_if<Line>(&item);
                  return line && line->points.size() == 2 &&
                         line->points[0].x == line->points[1].x &&
                         line->points[0].y > line->points[1].y + 100;
              }) == 1);
        // Wide cells have their numbers, the one that is not measured none.
        CHECK(std::ranges::count_if(texts_of(figure), [&](const Text& text) {
                  return text.style.font == Font::mono && text.at.x > 120 &&
                         (part == InsidePart::lens ? text.text.ends_with(" %")
                                                   : text.text.find('.') != std::string::npos);
              }) >= 8);
    }
}

TEST_CASE("shares of an answer that are small have all colours, and the bar says up to where") {
    auto data = room_of(2, 4, {"1", "2", "3", "4"});
    const auto with = [&](float most) {
        auto shares = std::make_shared<Matrix<float>>(Matrix<float>::Zero(2, 4));
        (*shares)(1, 2) = most;
        data.patching.values = shares;
        return inside_part(data, InsidePart::patching, frame_of(600, 400));
    };
    const auto has_colour = [](const Figure& figure, float share) {
        const Color wanted = colour_of(light_theme().weights, share, 0, 1);
        return std::ranges::any_of(figure.items, [&](const Primitive& item) {
            const auto* fill = std::get_if<Fill>(&item);
            return fill && fill->color == wanted && fill->box.w < 200;
        });
    };
    const Figure small = with(0.02f);
    CHECK(has_text(small, "0 to max"));
    CHECK(has_text(small, "0.02"));
    CHECK(has_colour(small, 1));
    for (const float most : {0.7f, 1.04f, 0.002f}) { // nearly the whole, or a little more; nothing
        const Figure whole = with(most);
        CHECK(has_text(whole, most > 1 ? "≥ 1.0" : "1.0")); // where its colours end
        CHECK(has_colour(whole, most));
        CHECK(has_text(whole, number_text(most, 2))); // in its cell
        CHECK_FALSE(has_text(whole, "0 to max"));
    }
    const Figure more = with(1.39f);
    CHECK(has_text(more, "0 to max"));
    CHECK(has_text(more, "1.39"));
}

TEST_CASE("a lens shows all tokens where narrow columns have room, else says how to see the rest") {
    for (const auto& [count, width, all] :
         {std::tuple<Index, float, bool>{6, 340, true}, {10, 560, true}, {14, 560, false}}) {
        INFO(count << " tokens in " << width);
        const auto data = room_of(2, count, {"le", "chat", "noir", "n'a", "pas", "pomme"});
        const Figure lens = inside_part(data, InsidePart::lens, frame_of(width, 300));
        const auto grids = inside_tags_of<tag::Cells>(lens);
        REQUIRE(grids.size() == 1);
        CHECK((grids[0].cols == count) == all);
        check_texts(lens, &heed::figure::measure);
    }
    const auto deep = room_of(24, 4, kEnglish);
    const Figure low = inside_part(deep, InsidePart::lens, frame_of(600, 260));
    const auto rows = inside_tags_of<tag::Cells>(low);
    REQUIRE(rows.size() == 1);
    REQUIRE(rows[0].rows < 24);
    CHECK(has_text(low, std::to_string(rows[0].rows) + " of 24 layers"));
    CHECK_FALSE(has_text(low, "Click")); // a page is no window
}

TEST_CASE("the asked token stands in the lens with tokens on both of its sides") {
    std::vector<std::string> words;
    for (int i = 1; i <= 10; ++i) words.push_back("w" + std::to_string(i));
    auto data = room_of(2, 10, words);
    data.words.assign(20, "a long word");
    data.lens_first = 20;
    data.lens_tokens = 40;
    for (const int asked : {0, 1, 4, 5, 8, 9}) {
        data.lens.col = asked;
        const Figure lens = inside_part(data, InsidePart::lens, dark_frame(320, 400));
        const auto grids = inside_tags_of<tag::Cells>(lens);
        REQUIRE(grids.size() == 1);
        const int shown = grids[0].cols, first = lens_columns_from(10, asked, shown);
        INFO("column " << asked << " of 10, " << shown << " shown");
        REQUIRE(shown > 3);
        REQUIRE(shown < 9);
        CHECK(has_text(lens, words[static_cast<std::size_t>(asked)]));
        CHECK((first < asked || asked == 0));
        CHECK((first + shown > asked + 1 || asked == 9));
        CHECK(has_text(lens, "Tokens " + std::to_string(21 + first) + " to " +
                                 std::to_string(20 + first + shown) + " of 40"));
    }
}

TEST_CASE("a word of the lens that only just has no room is whole, in smaller letters") {
    const auto data = room_of(2, 6, {"I", "ate", "an", "apple", "yesterdays"});
    const Figure lens = inside_part(data, InsidePart::lens, dark_frame(430, 400));
    float smallest = 12;
    for (const Text& text : texts_of(lens)) {
        CHECK_FALSE(text.text.ends_with("…"));
        if (text.text == "yesterdays") smallest = std::min(smallest, text.style.size);
    }
    CHECK(smallest < 12);
    CHECK(smallest >= 9.5f);
}

TEST_CASE("the frame of the lens' chosen cell stands off the cell") {
    auto data = room_of(3, 4, {"I", "ate", "an", "apple"});
    data.lens.row = data.lens.col = 1;
    const Frame frame = frame_of(430, 400);
    const Figure lens = inside_part(data, InsidePart::lens, frame);
    int frames = 0;
    for (const Primitive& item : lens.items) {
        const auto* stroke = std::get_if<Stroke>(&item);
        if (!stroke || stroke->color != frame.theme->accent || stroke->width != 2) continue;
        ++frames;
        float nearest = 1e9f; // a cell inside the frame
        for (const Primitive& other : lens.items) {
            const auto* fill = std::get_if<Fill>(&other);
            if (fill && fill->box.x > stroke->box.x && fill->box.y > stroke->box.y &&
                fill->box.x < stroke->box.x + stroke->box.w) {
                nearest = std::min(nearest, fill->box.x - (stroke->box.x + 1));
            }
        }
        CHECK(nearest >= 2);
    }
    CHECK(frames == 1);
}

TEST_CASE("cards in one line are as high as their layers need, and no higher") {
    const auto lowest = [](Index layers, float high) { // the lower edge of the cards
        auto data = room_of(layers, 3, kEnglish);
        data.heads = grid_of(layers, 5, {"1", "2", "3", "4", "FF"});
        data.lens_card.missing = data.parts_card.missing = true;
        data.missing = "This model predicts one class.";
        float y = 0;
        const Figure figure = inside_room(data, dark_frame(1200, high));
        for (const Primitive& item : figure.items) {
            const auto* stroke = std::get_if<Stroke>(&item);
            if (stroke) y = std::max(y, stroke->box.y + stroke->box.h);
        }
        for (const Target& target : figure.targets) {
            const auto* cells = target.as<tag::Cells>();
            if (cells && cells->part == static_cast<int>(InsidePart::heads)) {
                CHECK(target.box.h <= kHighestCell * static_cast<float>(layers));
                CHECK(target.box.h >
                      0.9f * std::min(kHighestCell * static_cast<float>(layers),
                                      high >= 900 && layers == 1 ? high / 2 - 260 : high - 360));
            }
        }
        return y;
    };
    CHECK(lowest(1, 600) < 550); // not 600: the rest would be empty
    CHECK(lowest(2, 900) == Approx(lowest(1, 600) + kHighestCell).margin(1));
    CHECK(lowest(1, 900) > 800); // one card below the other, which fills a high place
    CHECK(lowest(1, 1400) < 1000);
    CHECK(lowest(12, 1000) > 900); // of many layers the whole place
    CHECK(lowest(1, 400) < 400);
}

TEST_CASE("in a narrow card what stands across, a note and a title lose whole parts, not letters") {
    auto data = room_of(2, 9, {"the", "young", "teacher", "apple"});
    data.patching_card.title = "Put one activation into “… did not eat the [red → yellow] apple”";
    data.patching_card.short_title = "Put one activation into the other run";
    data.patching.below_name = "attention × gradient";
    data.heads = grid_of(2, 5, {"1", "2", "3", "4", "FF"});
    data.heads.across = "cross head · FF: decoder feed-forward";
    const Figure figure = inside_room(data, dark_frame(540, 500));
    for (const char* words : {"Put one activation into the other run", "cross head", "apple",
                              "bottom row: attention × gradient"}) {
        INFO(words);
        CHECK(has_text(figure, words));
    }
    CHECK(has_text(inside_room(data, dark_frame(1100, 700)), data.patching_card.title));
}

TEST_CASE("long words of the lens are as large as short ones where fewer tokens make room") {
    const auto data = room_of(2, 10, {"le", "étudiant", "vieux", "livre"});
    int found = 0;
    for (const float width : {260.f, 430.f, 520.f}) {
        for (const Text& text :
             texts_of(inside_part(data, InsidePart::lens, frame_of(width, 300)))) {
            if (text.text != "étudiant" || text.align_y != AlignY::middle) continue;
            CHECK(text.style.size == 12);
            ++found;
        }
    }
    CHECK(found > 0);
}

TEST_CASE("the asked token above the last column of the lens is whole, though it slants") {
    auto data = room_of(2, 10, kEnglish);
    data.lens.columns = repeated({"l'eau", "froide", "mangent", "la", "pomme"}, 10);
    for (const float width : {440.f, 480.f, 560.f}) {
        const Figure lens = inside_part(data, InsidePart::lens, dark_frame(width, 400));
        CHECK(has_text(lens, "pomme"));
    }
}

TEST_CASE("ten short tokens have room in a narrow lens, and few heads fill their card") {
    auto data = room_of(2, 10, {"m", "q", "a"});
    const auto lens =
        inside_tags_of<tag::Cells>(inside_part(data, InsidePart::lens, dark_frame(440, 300)));
    REQUIRE(lens.size() == 1);
    CHECK(lens[0].cols == 10);
    data.heads = grid_of(2, 5, {"1", "2", "3", "4", "FF"});
    const Figure heads = inside_part(data, InsidePart::heads, dark_frame(1000, 400));
    for (const Target& target : heads.targets) {
        if (target.as<tag::Cells>()) CHECK(target.box.w > 600);
    }
}

TEST_CASE("a short sentence has large letters, and its card is no higher than it") {
    const auto data = room_of(2, 3, kEnglish);
    const Figure figure = inside_tokens_room(data, dark_frame(1400, 1000));
    float largest = 0, tokens = 0, weights = 0;
    for (const Text& text : texts_of(figure)) {
        if (text.text == data.tokens.words[1]) largest = std::max(largest, text.style.size);
        if (text.text == data.tokens_card.title) tokens = text.at.y;
        if (text.text == data.weights_card.title) weights = text.at.y;
    }
    CHECK(largest >= 20);
    CHECK(weights - tokens < 450);
}

TEST_CASE("what is not measured yet has no colour") {
    auto data = room_of(4, 5, kEnglish);
    const auto fills = [&] {
        const Figure figure = inside_part(data, InsidePart::patching, dark_frame(700, 500));
        return std::count_if(figure.items.begin(), figure.items.end(),
                             [](const Primitive& p) { return std::holds_alternative<Fill>(p); });
    };
    const auto open = fills();
    data.patching.values = std::make_shared<Matrix<float>>(Matrix<float>::Constant(4, 5, 0.5f));
    CHECK(fills() == open + 5);
}

TEST_CASE("every word of a tinted sentence can be pointed at, on a ground that it is read on") {
    const auto data = room_of(2, 12, kEnglish);
    const Figure figure = inside_part(data, InsidePart::tokens, dark_frame(900, 500));
    CHECK(inside_tags_of<tag::Bar>(figure).size() == 2 * 12);
    CHECK(has_text(figure, "+0.93"));
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        Frame frame = dark_frame(900, 500);
        frame.theme = theme;
        const Figure tinted = inside_part(data, InsidePart::tokens, frame);
        for (std::size_t i = 1; i < tinted.items.size(); ++i) {
            const auto* ground = std::get_if<Fill>(&tinted.items[i - 1]);
            const auto* text = std::get_if<Text>(&tinted.items[i]);
            if (ground && text) CHECK(contrast(ground->color, text->color) >= 4.5f);
        }
    }
}

TEST_CASE("of more words than have room those with the largest shares stand, in their order") {
    auto data = room_of(2, 400, kEnglish);
    for (auto& line : data.tokens.lines) {
        std::fill(line.shares.begin(), line.shares.end(), 0.001f);
        line.shares[7] = line.shares[301] = 1;
    }
    const Figure figure = inside_part(data, InsidePart::tokens, dark_frame(700, 320));
    const auto words = inside_tags_of<tag::Bar>(figure);
    CHECK(words.size() < 2 * 400);
    const auto shown = [&](int word) {
        return std::count_if(words.begin(), words.end(),
                             [&](const tag::Bar& bar) { return bar.place == word; });
    };
    CHECK(shown(0) == 2); // the marked one
    CHECK(shown(7) == 2);
    CHECK(shown(301) == 2);
    CHECK(has_text(figure, "…"));
    const auto left = 400 - words.size() / 2;
    CHECK(has_text(figure,
                   std::to_string(left) + " tokens of the smallest shares have no room here"));
}

TEST_CASE("two rows of bars have one height for the same weight") {
    auto data = room_of(2, 4, kEnglish);
    data.weights.values = {std::vector<float>{1, 0, 0, 0}, std::vector<float>{0.5f, 0.5f, 0, 0}};
    const Figure figure = inside_part(data, InsidePart::weights, dark_frame(800, 420));
    std::vector<float> heights;
    for (const auto& item : figure.items) {
        const auto* bar = std::get_if<Fill>(&item);
        const bool drawn =
            bar && (bar->color == dark_theme().accent || bar->color == dark_theme().series[1]);
        if (drawn) heights.push_back(bar->box.h);
    }
    REQUIRE(heights.size() == 3); // 0 draws no bar
    CHECK(heights[1] == Approx(heights[0] / 2));
    CHECK(heights[2] == Approx(heights[0] / 2));
    const auto grids = inside_tags_of<tag::Cells>(figure);
    REQUIRE(grids.size() == 1);
    CHECK(grids[0].rows == 2);
    CHECK(grids[0].cols == 4);
}

TEST_CASE("where names of columns are thinned, that of the largest or the marked one stays") {
    auto data = room_of(2, 9, kEnglish);
    data.patching.columns = {"the", "black", "cat", "did", "not", "eat", "whom", "red", "apple"};
    data.patching.row.reset();
    data.patching.col.reset();
    for (const bool marked : {true, false}) {
        auto values = std::make_shared<Matrix<float>>(Matrix<float>::Zero(2, 9));
        (*values)(1, 7) = 0.9f;
        data.patching.values = values;
        data.patching.marked = marked ? std::vector<int>{7} : std::vector<int>{};
        for (const float width : {180.f, 200.f, 230.f, 260.f}) {
            INFO(width);
            const Figure figure = inside_part(data, InsidePart::patching, dark_frame(width, 220));
            CHECK(has_text(figure, "red"));
        }
    }
}

TEST_CASE("a lens of many layers has words: of some layers, the last one among them") {
    auto data = room_of(12, 9, kEnglish);
    for (const float height : {150.f, 200.f, 260.f}) {
        INFO(height);
        const Figure figure = inside_part(data, InsidePart::lens, dark_frame(240, height));
        const auto cells = inside_tags_of<tag::Cells>(figure);
        REQUIRE(cells.size() == 1);
        CHECK(cells[0].rows < (height < 260 ? 12 : 13));
        CHECK(has_text(figure, "12"));
        int words = 0;
        for (const Text& text : texts_of(figure)) {
            words += text.align_y == AlignY::middle && text.align_x == AlignX::centre;
        }
        CHECK(words >= 2 * cells[0].cols);
        CHECK(words < 12 * cells[0].cols);
    }
}

TEST_CASE("layers of a lens that are shown are in order, and end with the last") {
    for (const int all : {1, 2, 5, 12, 48}) {
        for (int shown = 1; shown <= all; ++shown) {
            const std::vector<int> layers = lens_layers(all, shown);
            INFO(all << ", " << shown);
            REQUIRE(std::ssize(layers) == shown);
            CHECK(layers.back() == all - 1);
            CHECK(std::is_sorted(layers.begin(), layers.end()));
            CHECK(std::adjacent_find(layers.begin(), layers.end()) == layers.end());
            CHECK(layers.front() >= 0);
        }
    }
}

TEST_CASE(
    "in a low place two rows of bars are high enough to be seen, and no line strikes a name") {
    const auto data = room_of(2, 9, kEnglish);
    for (const auto& [width, height] :
         {std::pair<float, float>{600, 100}, {500, 125}, {600, 150}}) {
        INFO(width << " × " << height);
        const Frame frame = dark_frame(width, height);
        Sheet sheet(frame, width, height);
        auto bars = data.weights;
        for (auto& values : bars.values) {
            values.assign(9, 0);
            values[2] = 1;
        }
        draw_paired_bars(sheet, bars, {10, 10, width - 20, height - 20}, 0);
        int drawn = 0;
        for (const auto& item : sheet.figure.items) {
            if (const auto* bar = std::get_if<Fill>(&item)) {
                ++drawn;
                CHECK(bar->box.h >= 5);
            }
            const auto* line = std::get_if<Line>(&item);
            if (!line) continue;
            for (const Text& text : texts_of(sheet.figure)) {
                const Quad quad = quad_of(text, &heed::figure::measure);
                const float y = line->points[0].y;
                const bool struck = y > quad.corner[0].y && y < quad.corner[2].y &&
                                    line->points[0].x < quad.corner[1].x &&
                                    line->points[1].x > quad.corner[0].x;
                CHECK_FALSE(struck);
            }
        }
        CHECK(drawn == 2);
        check_texts(sheet.figure, &heed::figure::measure);
    }
}

TEST_CASE("every account of a short sentence is drawn in a small window") {
    TintedText text;
    for (const char* word : {"the", "black", "cat", "did", "not", "eat", "the", "red", "apple"}) {
        text.words.push_back(word);
    }
    const std::size_t first = text.words.size();
    for (const char* word :
         {"(start)", "le", "chat", "noir", "n'a", "pas", "mangé", "la", "pomme", "rouge"}) {
        text.words.push_back(word);
    }
    text.second = static_cast<int>(first);
    for (const char* name : {"attention × gradient", "integrated gradients", "rollout", "flow"}) {
        text.lines.push_back({name, "Chefer et al. 2021", std::vector<float>(19, 0.05f)});
    }
    const Frame frame = dark_frame(490, 300);
    Sheet sheet(frame, 490, 300);
    CHECK(draw_tinted_text(sheet, text, {0, 0, 490, 150}, 0).is_nothing());
    for (const auto& line : text.lines) CHECK(has_text(sheet.figure, line.name));
}

TEST_CASE("lines of a tinted sentence stand closer before its letters are tiny") {
    TintedText text;
    text.words = repeated(kEnglish, 20);
    for (const char* name : {"attention × gradient", "integrated gradients", "rollout", "flow"}) {
        text.lines.push_back({name, "Chefer et al. 2021", std::vector<float>(20, 0.05f)});
    }
    const Frame frame = dark_frame(444, 300);
    Sheet sheet(frame, 444, 300);
    CHECK(draw_tinted_text(sheet, text, {0, 0, 444, 250}, 0).is_nothing());
    for (const Text& drawn : texts_of(sheet.figure)) {
        if (drawn.text == "young") CHECK(drawn.style.size >= 11);
    }
}

TEST_CASE("names of facts that are cut have short ones, all of a list, and none is another's") {
    auto data = room_of(2, 9, kEnglish);
    data.of_tokens = {"They disagree.",
                      {{"attention × gradient · integrated", "+0.74", "attn × grad · integrated"},
                       {"attention × gradient · attention flow", "+0.47", "attn × grad · flow"},
                       {"rollout · attention flow", "+0.74", "rollout · flow"}}};
    const Figure narrow = inside_part(data, InsidePart::tokens, dark_frame(700, 420));
    for (const InsideFact& fact : data.of_tokens.facts) CHECK(has_text(narrow, fact.brief));
    const Figure wide = inside_part(data, InsidePart::tokens, dark_frame(1300, 420));
    for (const InsideFact& fact : data.of_tokens.facts) CHECK(has_text(wide, fact.name));
}

TEST_CASE("in a low place a tinted sentence has fewer lines, and words in each") {
    const auto data = room_of(2, 12, kEnglish);
    const auto words = [&](float height) {
        return inside_tags_of<tag::Bar>(
            inside_part(data, InsidePart::tokens, dark_frame(420, height)));
    };
    CHECK(words(500).size() == 2 * 12);
    const auto low = words(112);
    REQUIRE_FALSE(low.empty());
    for (const tag::Bar& bar : low) CHECK(bar.series == 0);
}

TEST_CASE("an account of tokens that has no room is named") {
    auto data = room_of(2, 12, kEnglish);
    data.tokens.lines.back().name = "attention flow";
    for (float height = 90; height < 320; height += 6) {
        INFO(height);
        const Figure figure = inside_part(data, InsidePart::tokens, dark_frame(420, height));
        const auto bars = inside_tags_of<tag::Bar>(figure);
        if (bars.empty()) continue;
        const bool drawn =
            std::ranges::any_of(bars, [](const tag::Bar& b) { return b.series == 1; });
        CHECK(std::ranges::any_of(texts_of(figure), [](const Text& text) {
            return text.text.find("attention flow") != std::string::npos;
        }));
        if (!drawn) {
            CHECK(std::ranges::any_of(texts_of(figure), [](const Text& text) {
                return text.text.find("no room here") != std::string::npos;
            }));
        }
    }
}

TEST_CASE("two short sentences share their rows before a line is left out") {
    TintedText text;
    text.second = 12;
    for (int i = 0; i < 25; ++i) text.words.emplace_back(1, static_cast<char>('a' + i));
    for (const char* name : {"one", "two", "three", "four"}) {
        text.lines.push_back({name, "", std::vector<float>(25, 0.04f)});
    }
    const Frame frame = dark_frame(577, 300);
    Sheet sheet(frame, 577, 300);
    CHECK(draw_tinted_text(sheet, text, {0, 0, 577, 215}, 0).is_nothing());
    const Figure& drawn = sheet.figure;
    CHECK(std::ranges::count_if(drawn.targets, [](const Target& target) {
              return target.as<tag::Bar>() != nullptr;
          }) == 4 * 25);
}

TEST_CASE("a long word elsewhere takes no room from the columns that a lens shows") {
    auto data = room_of(2, 12, {"le", "un"});
    const auto columns = [&] {
        const Figure lens = inside_part(data, InsidePart::lens, dark_frame(330, 400));
        check_texts(lens, &heed::figure::measure);
        return inside_tags_of<tag::Cells>(lens).front().cols;
    };
    data.words[1] = "indistinguishable"; // of the second of twelve; the last one is asked about
    const int beside = columns();
    CHECK(beside > 5);
    data.words[10] = "indistinguishable";
    CHECK(columns() < beside);
}

TEST_CASE("the logit lens has the range of its colours beside its title") {
    for (const auto& [width, height] :
         {std::pair<float, float>{1200, 900}, {937, 640}, {640, 480}, {420, 0}}) {
        INFO(width << " × " << height);
        const auto data = room_of(2, 6, kEnglish);
        const Figure figure = inside_room(data, dark_frame(width, height));
        float title = -1;
        for (const Text& text : texts_of(figure)) {
            if (text.text == data.lens_card.title) title = text.at.y;
        }
        REQUIRE(title > 0);
        int ends = 0;
        for (const Text& text : texts_of(figure)) {
            const bool beside = std::abs(text.at.y - title) < 10;
            if (beside && (text.text == "0 %" || text.text == "100 %")) ++ends;
        }
        CHECK(ends == 2);
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("names of columns Inside are small or on their side before they are cut") {
    const std::vector<std::string> words = {"yesterday", "the",  "professor", "did",
                                            "not",       "read", "old",       "teacher"};
    for (const float width : {440.f, 960.f, 1066.f, 1200.f}) {
        for (float height = width < 500 ? 1160.f : 660.f; height <= 1200; height += 60) {
            INFO(width << " × " << height);
            auto data = room_of(2, 8, words);
            data.patching.below_name = "attention × gradient";
            const Figure figure = inside_room(data, dark_frame(width, height));
            for (const Text& text : texts_of(figure)) {
                if (text.degrees == 0) continue;
                INFO(text.text);
                CHECK(text.text.find("…") == std::string::npos);
            }
            check_texts(figure, &heed::figure::measure);
        }
    }
}

TEST_CASE("words of a lens are of one size, and level names are small before they slant") {
    auto data = room_of(2, 8, {"le", "professeurs"});
    data.lens.columns = repeated({"le", "vieux", "professeur", "n'a"}, 8);
    for (const float width : {640.f, 700.f, 760.f}) {
        INFO(width);
        const Figure lens = inside_part(data, InsidePart::lens, dark_frame(width, 400));
        check_texts(lens, &heed::figure::measure);
        std::set<float> sizes;
        for (const Text& text : texts_of(lens)) {
            CHECK(text.degrees == 0);
            if (std::ranges::find(data.words, text.text) == data.words.end()) continue;
            if (text.align_y == AlignY::middle) sizes.insert(text.style.size);
        }
        CHECK(sizes.size() == 1);
    }
}

TEST_CASE("a lens of short words has as many columns as they have room in") {
    auto data = room_of(2, 13, {"n", "⟨end⟩", "y", "r"});
    data.lens.columns[0] = "⟨start⟩"; // which is not among those that are shown
    const Figure lens = inside_part(data, InsidePart::lens, dark_frame(438, 300));
    const auto grids = inside_tags_of<tag::Cells>(lens);
    REQUIRE(grids.size() == 1);
    CHECK(grids[0].cols >= 9);
    check_texts(lens, &heed::figure::measure);
}

TEST_CASE("a head that is lit below the first card has its cell framed there, and shares say what "
          "they are") {
    auto data = room_of(1, 4, kEnglish);
    data.patching = grid_of(1, 4, {"1", "2", "3", "4"});
    data.patching.marked.clear();
    data.patching.values = std::make_shared<Matrix<float>>(Matrix<float>::Constant(1, 4, 1));
    const auto frames = [&] {
        const Figure figure = inside_part(data, InsidePart::patching, dark_frame(700, 300));
        CHECK(has_text(figure, "share"));
        CHECK(has_text(figure, "brought back"));
        int found = 0;
        for (const Primitive& item : figure.items) {
            const auto* stroke = std::get_if<Stroke>(&item);
            found += stroke && stroke->color == dark_theme().accent;
        }
        return found;
    };
    data.patching.row = 0;
    CHECK(frames() == 1);
    data.patching.row.reset();
    data.patching.col.reset(); // of a stream
    CHECK(frames() == 0);
}

TEST_CASE("in a small window what a head does is told whole, in closer lines before it is not") {
    auto data = room_of(2, 3, kEnglish);
    data.beside = {"cross head 2.1", "set to its mean", "−1.28", "still says", "“yesterday”"};
    data.beside_number = "> 99.9 %";
    data.does = {"gold alignment (0.94) on held-out sentences", "+2.84 for “yesterday”"};
    data.heads.columns = {"1", "2", "3", "4", "FF"};
    data.heads.across = "cross head · FF: decoder feed-forward";
    data.heads_card.title = "Without each part";
    data.heads_card.subtitle = "Change of the logit of “yesterday” with one part set to its mean";
    auto values = std::make_shared<Matrix<float>>(2, 5);
    values->setConstant(-3.57f);
    data.heads.values = values;
    // The stage of a window of 1100 × 700, and a column of a page.
    for (const Frame& frame : {dark_frame(756, 652), dark_frame(482, 1160)}) {
        INFO(frame.width);
        const Figure figure = inside_room(data, frame);
        bool alignment = false, gives = false;
        for (const Text& text : texts_of(figure)) {
            alignment = alignment || text.text.starts_with("gold alignment");
            gives = gives || text.text.starts_with("+2.84 for");
        }
        CHECK(alignment);
        CHECK(gives);
        CHECK(has_text(figure, "> 99.9 %"));
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("words of the lens keep off the sides of their cells") {
    const auto data = room_of(2, 10, {"pas", "professeur", "yesterday", "livre"});
    for (float width = 380; width < 700; width += 10) {
        const Figure figure = inside_part(data, InsidePart::lens, dark_frame(width, 300));
        std::vector<Box> cells;
        for (const Primitive& item : figure.items) {
            if (const auto* fill = std::get_if<Fill>(&item)) cells.push_back(fill->box);
        }
        for (const Text& text : texts_of(figure)) {
            if (text.align_x != AlignX::centre || text.align_y != AlignY::middle) continue;
            const auto cell = std::ranges::find_if(cells, [&](const Box& box) {
                return std::abs(box.x + box.w / 2 - text.at.x) < 0.1f &&
                       std::abs(box.y + box.h / 2 - text.at.y) < 0.1f;
            });
            if (cell == cells.end() || cell->w < 55) continue;
            INFO(width << ": " << text.text);
            CHECK(heed::figure::measure(text.text, text.style).width <= cell->w - 8.9f);
        }
    }
}

TEST_CASE("numbers of the lens keep off the sides of their cells") {
    auto data = room_of(2, 6, kEnglish);
    auto sure = std::make_shared<Matrix<float>>(2, 6);
    sure->setConstant(0.9999f);
    data.lens.values = sure;
    for (float width = 380; width < 500; width += 5) {
        const Figure figure = inside_part(data, InsidePart::lens, dark_frame(width, 300));
        const auto columns = inside_tags_of<tag::Cells>(figure).front().cols;
        const float cell = box_of_cells(figure).w / static_cast<float>(columns) - 3;
        INFO(width);
        for (const Text& text : texts_of(figure)) {
            if (text.text != "> 99.9 %") continue;
            CHECK(heed::figure::measure(text.text, text.style).width <= cell - 8.9f);
        }
    }
}

TEST_CASE("cells of a grid of layers are one pixel apart, however wide they are") {
    auto data = room_of(2, 3, kEnglish);
    data.heads = grid_of(2, 5, {"1", "2", "3", "4", "FF"});
    for (float width = 400; width < 440; ++width) {
        const Figure figure = inside_part(data, InsidePart::heads, dark_frame(width, 290));
        const Box grid = box_of_cells(figure);
        std::vector<Box> row;
        for (const Primitive& item : figure.items) {
            const auto* fill = std::get_if<Fill>(&item);
            if (fill && std::abs(fill->box.w - grid.w / 5) < 3) row.push_back(fill->box);
        }
        INFO(width);
        REQUIRE(row.size() == 5); // of the layer that is measured
        for (std::size_t i = 1; i < row.size(); ++i)
            CHECK(std::round(row[i].x) - std::round(row[i - 1].x + row[i - 1].w) == 1);
    }
}

TEST_CASE("of the two words in the corner of a narrow lens one stands") {
    auto data = room_of(2, 6, {"an", "apple"});
    data.lens.corner = "reads";
    for (float width = 380; width < 700; width += 10) {
        const Figure figure = inside_part(data, InsidePart::lens, dark_frame(width, 300));
        INFO(width);
        CHECK(has_text(figure, "reads") != has_text(figure, "layer"));
    }
}

TEST_CASE("a chosen cell lights its layer and its column") {
    auto data = room_of(2, 3, kEnglish);
    data.heads = grid_of(2, 5, {"1", "2", "3", "4", "FF"});
    data.heads.row = 1;
    data.heads.col = 2;
    const Figure figure = inside_part(data, InsidePart::heads, dark_frame(700, 400));
    std::vector<std::string> lit;
    for (const Text& text : texts_of(figure)) {
        if (text.color == dark_theme().accent && text.style.weight == Weight::bold)
            lit.push_back(text.text);
    }
    std::ranges::sort(lit);
    CHECK(std::ranges::includes(lit, std::vector<std::string>{"3", "layer 2"}));
    CHECK(std::ranges::count(lit, "layer 1") == 0);
}

TEST_CASE("the numbers of the bar beside heads stand clear of the words about the chosen one") {
    auto data = room_of(2, 3, kEnglish);
    data.beside = {"cross head 2.1", "set to its mean", "−1.28", "still says", "“yesterday”"};
    data.beside_number = "> 99.9 %";
    auto values = std::make_shared<Matrix<float>>(2, 5);
    values->setConstant(-3.57f);
    data.heads = grid_of(2, 5, {"1", "2", "3", "4", "FF"});
    data.heads.values = values;
    const Figure figure = inside_part(data, InsidePart::heads, dark_frame(436, 290));
    float numbers = 0, words = 0;
    for (const Text& text : texts_of(figure)) {
        const float right = text.at.x + heed::figure::measure(text.text, text.style).width;
        if (text.text == "−3.57" || text.text == "of logit") numbers = std::max(numbers, right);
        if (text.text == "still says") words = text.at.x;
    }
    CHECK(has_text(figure, "change"));
    CHECK(numbers > 0);
    CHECK(words - numbers >= 16);
}

TEST_CASE("no word of a tinted sentence stands alone in a row for slightly larger letters") {
    auto data = room_of(2, 19, kEnglish);
    data.tokens.words = {"the", "young", "teacher", "did",   "not",   "read",       "the",
                         "old", "book",  "⟨start⟩", "le",    "jeune", "professeur", "n'a",
                         "pas", "lu",    "le",      "vieux", "livre"};
    data.tokens.second = 9;
    data.tokens.lines.push_back(data.tokens.lines[0]);
    data.tokens.lines.push_back(data.tokens.lines[1]);
    const Figure figure = inside_tokens_room(data, dark_frame(482, 1380));
    check_texts(figure, &heed::figure::measure);
    std::vector<float> vieux, livre;
    for (const Text& text : texts_of(figure)) {
        if (text.text == "vieux" && text.style.size >= 12) vieux.push_back(text.at.y);
        if (text.text == "livre" && text.style.size >= 12) livre.push_back(text.at.y);
    }
    CHECK(livre.size() == 4);
    CHECK(livre == vieux);
}

TEST_CASE("no line of a card's subtitle ends with the dot between two parts") {
    InsideRoomData data = room_of(2, 3, kEnglish);
    for (const char* citation : {"Elhage et\u00a0al.\u00a02021", "Elhage and others 2021"}) {
        const std::string parts = "Logit of “livre”, what each part adds, layer norms frozen";
        data.parts_card.subtitle = parts + " · " + citation;
        int broken = 0;
        for (float width = 700; width < 1400; width += 7) {
            const Figure figure = inside_room(data, dark_frame(width, 900, &plain_measure));
            CAPTURE(width, citation);
            for (const Text& text : texts_of(figure)) {
                CHECK_FALSE(text.text.ends_with("·"));
                CHECK_FALSE(text.text.starts_with("·"));
                const bool last = text.text.ends_with(citation);
                broken += last && text.text != data.parts_card.subtitle ? 1 : 0;
            }
        }
        CHECK(broken > 0);
    }
}

TEST_CASE("no word of a card's subtitle stands alone in its second line") {
    InsideRoomData data = room_of(2, 3, kEnglish);
    data.heads_card.subtitle =
        "Change of the logit of “cat” with one cross-attention head or feed-forward layer set to "
        "its mean";
    int broken = 0;
    for (float width = 700; width < 1400; width += 7) {
        const Figure figure = inside_room(data, dark_frame(width, 900, &plain_measure));
        CAPTURE(width);
        CHECK_FALSE(has_text(figure, "mean"));
        broken += has_text(figure, "its mean") ? 1 : 0;
    }
    CHECK(broken > 0);
}
