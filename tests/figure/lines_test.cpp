#include "catch.hpp"

#include "base/check.hpp"
#include "figure/base/head_color.hpp"
#include "figure/base/levels.hpp"
#include "figure/base/oklab.hpp"
#include "figure/views/lines.hpp"
#include "figure/views/links.hpp"
#include "golden.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace heed::figure;
using namespace samples;

namespace {

std::vector<int> first_heads(int n) {
    std::vector<int> heads(static_cast<std::size_t>(n));
    std::iota(heads.begin(), heads.end(), 0);
    return heads;
}

template <class Kind> std::vector<Kind> tags_of(const Figure& figure) {
    std::vector<Kind> tags;
    for (const Target& target : figure.targets) {
        if (const auto* tag = target.as<Kind>()) tags.push_back(*tag);
    }
    return tags;
}

} // namespace

TEST_CASE("lines of several heads are as approved") {
    LinksOptions options;
    options.queries = {1, 3};
    options.selected = {1, 2};
    options.threshold = 0.6f;
    CHECK(difference_from_golden("lines_heads",
                                 dump(lines(lines_of(4, 5, kEnglish, kChinese, {0, 2, 5}), options,
                                            frame_of(640, 420, &plain_measure)))) == "");
}

TEST_CASE("texts of lines keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {937, 640},
                                        {640, 480},
                                        {420, 520},
                                        {300, 240},
                                        {900, 220},
                                        {0, 0}}) {
        for (const Index n : {1, 7, 24, 90}) {
            for (const int heads : {1, 3, 16, 40}) {
                INFO(n << " queries, " << heads << " heads in " << width << " × " << height);
                LinksOptions options;
                Frame frame = frame_of(width, height, measure);
                frame.caption = "transformer base · seed 1 · encoder layer 5";
                for (const int choice : {0, 1, 2, 3, 4}) {
                    if (choice == 4) options.isolated_key.reset();
                    if (choice == 4) options.keys = {1, 3};
                    options.selected.reset();
                    if (choice == 1) options.selected = {static_cast<int>(n - 1), 2};
                    if (choice == 2) options.queries = {0, static_cast<int>(n / 2)};
                    if (choice == 3) options.isolated_key = 0;
                    const auto& rows = choice % 2 == 0 ? kMixed : kChinese;
                    check_texts(lines(lines_of(n, 6, rows, kMixed, first_heads(heads), heads),
                                      options, frame),
                                measure);
                    check_texts(
                        arcs(lines_of(n, n, rows, rows, first_heads(heads), heads), options, frame),
                        measure);
                }
            }
        }
    }
}

TEST_CASE("the links of each query hold the asked share of its weights, and no link could go") {
    const auto data = lines_of(6, 8, kEnglish, kEnglish, {1, 4});
    for (const float threshold : {0.3f, 0.9f, 1.f}) {
        LinksOptions options;
        options.threshold = threshold;
        std::map<std::pair<int, int>, std::vector<float>> held;
        for (const tag::Link& link : tags_of<tag::Link>(lines(data, options, frame_of(800, 600)))) {
            const auto& head = data.heads[static_cast<std::size_t>(link.which)];
            held[{link.which, link.query}].push_back((*head.weights)(link.query, link.key));
        }
        REQUIRE(held.size() == 2 * 6);
        for (const auto& [row, weights] : held) {
            const float sum = std::accumulate(weights.begin(), weights.end(), 0.f);
            CHECK(sum >= threshold - 1e-4f);
            CHECK(sum - *std::min_element(weights.begin(), weights.end()) < threshold + 1e-4f);
        }
    }
}

TEST_CASE("a token under the cursor keeps its links alone, chosen queries keep theirs") {
    const auto data = lines_of(6, 8, kEnglish, kEnglish, {0, 3});
    LinksOptions options;
    options.isolated_key = 5;
    for (const tag::Link& link : tags_of<tag::Link>(lines(data, options, frame_of(800, 600)))) {
        CHECK(link.key == 5);
    }
    options = {};
    options.queries = {4, 1, 4, 99, -1};
    const Figure figure = lines(data, options, frame_of(800, 600));
    std::set<int> queries;
    for (const tag::Link& link : tags_of<tag::Link>(figure)) queries.insert(link.query);
    CHECK(queries == std::set<int>{1, 4});
    CHECK(has_text(figure, "query attends to key · 2 queries: mean of their weights"));
    // Beside every key stands the mean over heads of the sum over the chosen queries.
    for (Index j = 0; j < 8; ++j) {
        float sum = 0;
        for (const auto& head : data.heads) sum += (*head.weights)(1, j) + (*head.weights)(4, j);
        const std::string wanted = std::to_string(sum / 4 + 0.0005f).substr(0, 5);
        INFO("key " << j);
        CHECK(has_text(figure, wanted));
    }
}

TEST_CASE("links to chosen keys stand alone, and each query's sum to them beside it") {
    const auto data = lines_of(6, 8, kEnglish, kEnglish, {0, 3});
    LinksOptions options;
    options.threshold = 1;
    options.keys = {5, 2, 2, 99};
    const Figure figure = lines(data, options, frame_of(800, 600));
    std::set<int> keys;
    for (const tag::Link& link : tags_of<tag::Link>(figure)) keys.insert(link.key);
    CHECK(keys == std::set<int>{2, 5});
    CHECK(has_text(figure, "query attends to key · 2 keys: sum of their weights"));
    for (Index i = 0; i < 6; ++i) {
        float sum = 0;
        for (const auto& head : data.heads) sum += (*head.weights)(i, 2) + (*head.weights)(i, 5);
        INFO("query " << i);
        CHECK(has_text(figure, std::to_string(sum / 2 + 0.0005f).substr(0, 5)));
    }
    // A token under the cursor stands in place of what was chosen, and the words stay.
    options.isolated_key = 7;
    keys.clear();
    const Figure pointed = lines(data, options, frame_of(800, 600));
    for (const tag::Link& link : tags_of<tag::Link>(pointed)) keys.insert(link.key);
    CHECK(keys == std::set<int>{7});
    CHECK(has_text(pointed, "query attends to key · 2 keys: sum of their weights"));
}

TEST_CASE("links that are not chosen stay as a faint ground, in arcs, columns and rows") {
    const auto data = lines_of(7, 7, kEnglish, kEnglish, {1});
    const auto curves = [](const Figure& figure) {
        return std::count_if(figure.items.begin(), figure.items.end(), [](const Primitive& item) {
            return std::get_if<Curve>(&item) != nullptr;
        });
    };
    LinksOptions all, chosen;
    all.threshold = chosen.threshold = 1; // a filter has all of its links
    chosen.queries = {3};
    for (int form = 0; form < 3; ++form) {
        const auto drawn = [&](const LinksOptions& options) {
            return form == 0 ? arcs(data, options, frame_of(800, 600))
                             : lines(data, options, frame_of(800, form == 1 ? 600.f : 220.f));
        };
        CHECK(curves(drawn(chosen)) == curves(drawn(all)));
        const auto tags = tags_of<tag::Link>(drawn(chosen));
        CHECK_FALSE(tags.empty());
        for (const tag::Link& link : tags) CHECK(link.query == 3);
    }
    // In arcs every token tells what the chosen one gives it.
    const Figure figure = arcs(data, chosen, frame_of(800, 600));
    for (Index j = 0; j < 7; ++j) {
        const float weight = (*data.heads[0].weights)(3, j);
        CHECK(has_text(figure, std::to_string(weight + 0.0005f).substr(0, 5)));
    }
}

TEST_CASE("a link is picked all along its curve, and the nearest of several") {
    const auto data = lines_of(5, 5, kEnglish, kEnglish, {0});
    const Figure figure = arcs(data, {}, frame_of(900, 640));
    int tried = 0;
    for (const Target& target : figure.targets) {
        const auto* link = target.as<tag::Link>();
        if (!target.curve || link->query == link->key) continue;
        const Curve& c = *target.curve;
        for (const float t : {0.2f, 0.35f, 0.8f}) {
            const float s = 1 - t;
            const auto at = [&](float a, float p, float q, float b) {
                return s * s * s * a + 3 * s * s * t * p + 3 * s * t * t * q + t * t * t * b;
            };
            const Point point{at(c.a.x, c.control_a.x, c.control_b.x, c.b.x),
                              at(c.a.y, c.control_a.y, c.control_b.y, c.b.y)};
            const auto hit = pick(figure, point);
            REQUIRE(hit);
            CHECK(hit->as<tag::Link>());
            tried += hit->tag == target.tag;
        }
    }
    CHECK(tried > 20); // curves cross here and there
    CHECK_FALSE(pick(figure, {3, 3}));
}

TEST_CASE("of a large map the very links are drawn that a slow search finds") {
    constexpr Index n = 160;
    auto map = std::make_shared<Matrix<float>>(n, n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            (*map)(i, j) = std::exp(3 * std::sin(static_cast<float>(37 * i + 11 * j * j % 613)));
        }
        map->row(i) /= map->row(i).sum();
    }
    LinesData data;
    data.heads = {{0, map}};
    LinksOptions options;
    options.threshold = 0.7f;
    std::vector<float> every;
    for (Index i = 0; i < n; ++i) {
        std::vector<float> row(map->row(i).data(), map->row(i).data() + n);
        std::sort(row.rbegin(), row.rend());
        float held = 0;
        for (const float weight : row) {
            if (held >= 0.7f) break;
            every.push_back(weight);
            held += weight;
        }
    }
    std::sort(every.rbegin(), every.rend());
    REQUIRE(every.size() > 600);
    std::vector<float> drawn;
    for (const tag::Link& link : tags_of<tag::Link>(lines(data, options, frame_of(800, 600)))) {
        drawn.push_back((*map)(link.query, link.key));
    }
    std::sort(drawn.rbegin(), drawn.rend());
    every.resize(600);
    CHECK(drawn == every);
    options.selected = {0, 0}; // drawn although hundreds are stronger
    map->row(0).setConstant(1.f / n);
    CHECK(tags_of<tag::Link>(lines(data, options, frame_of(800, 600))).size() == 601);
}

TEST_CASE("the selected link is drawn however weak it is") {
    const auto data = lines_of(4, 5, kEnglish, kEnglish, {0});
    Index weakest = 0;
    data.heads[0].weights->row(2).minCoeff(&weakest);
    LinksOptions options;
    options.threshold = 0.2f;
    options.cut_off = 0.9f;
    options.selected = {2, static_cast<int>(weakest)};
    const auto links = tags_of<tag::Link>(lines(data, options, frame_of(800, 600)));
    REQUIRE(links.size() == 1);
    CHECK(links[0] == tag::Link{2, static_cast<int>(weakest), 0});
}

TEST_CASE("every token and every head beside it can be picked") {
    const auto data = lines_of(5, 7, kEnglish, kChinese, {0, 2, 6});
    const Figure figure = lines(data, {}, frame_of(900, 640));
    std::set<std::tuple<int, int, int>> squares;
    std::set<int> rows, cols;
    for (const Target& target : figure.targets) {
        if (target.as<tag::Link>()) continue;
        const auto hit =
            pick(figure, {target.box.x + target.box.w / 2, target.box.y + target.box.h / 2});
        REQUIRE(hit);
        REQUIRE(hit->tag == target.tag);
        if (const auto* square = hit->as<tag::Square>()) {
            squares.insert({square->token, square->head, square->of_key});
        }
        if (const auto* row = hit->as<tag::RowLabel>()) rows.insert(row->query);
        if (const auto* column = hit->as<tag::ColLabel>()) cols.insert(column->key);
    }
    CHECK(squares.size() == 3 * (5 + 7 + 2));
    CHECK(rows.size() == 5);
    CHECK(cols.size() == 7);
}

TEST_CASE("opacity and width of a link are its weight divided by the number of heads") {
    const auto widest = [](const Figure& figure) {
        float width = 0;
        for (const Primitive& item : figure.items) {
            if (const Curve* curve = std::get_if<Curve>(&item))
                width = std::max(width, curve->width);
        }
        return width;
    };
    const auto one = lines_of(5, 5, kEnglish, kEnglish, {2});
    auto four = one;
    for (int i = 0; i < 3; ++i) four.heads.push_back(one.heads[0]);
    const float alone = widest(lines(one, {}, frame_of(800, 600))) - 0.7f;
    const float together = widest(lines(four, {}, frame_of(800, 600))) - 0.7f;
    CHECK(std::abs(together - alone / 4) < 0.01f);
}

TEST_CASE("hues of heads are of one lightness, told apart, and seen on the ground") {
    for (const bool dark : {false, true}) {
        const Color ground = (dark ? dark_theme() : light_theme()).ground;
        for (int n = 2; n <= kHeadHues; ++n) {
            for (int a = 0; a < n; ++a) {
                const OkLab lab = to_oklab(head_color(a, n, dark));
                CHECK(std::abs(lab.L - (dark ? 0.76f : 0.58f)) < 0.01f);
                CHECK(contrast(head_color(a, n, dark), ground) > 3);
                for (int b = 0; b < a; ++b) {
                    const OkLab other = to_oklab(head_color(b, n, dark));
                    CHECK(std::hypot(lab.a - other.a, lab.b - other.b) > 0.03f);
                }
            }
        }
        CHECK(head_color(kHeadHues + 3, 40, dark) == head_color(3, 40, dark));
    }
}

TEST_CASE("the first labels of a long sentence are as whole as the others") {
    const auto labels = repeated({"Somewhere", "the", "cat"}, 60);
    const auto words_in = [](const Figure& figure) {
        std::size_t words = 0;
        for (const Primitive& item : figure.items) {
            const Text* text = std::get_if<Text>(&item);
            if (text != nullptr && text->degrees != 0 && text->text == "Somewhere") ++words;
            if (text != nullptr && text->degrees != 0) CHECK(text->text.find("…") > 99);
        }
        return words;
    };
    auto data = lines_of(60, 60, {"Somewhere", "the", "cat"}, {"a"}, {0});
    CHECK(words_in(arcs(data, {}, frame_of(900, 600))) > 3);
    CHECK(words_in(arcs(data, {}, frame_of(700, 400))) > 3);
    data.col_labels = labels;
    CHECK(words_in(lines(data, {}, frame_of(1200, 330))) > 3);
}

TEST_CASE("words below a map are small and whole rather than cut where slant has no room") {
    const std::vector<std::string> words = {"the", "letter", "that", "Peter", "looked", "for", "a"};
    Frame below = frame_of(690, 150);
    below.titled = false;
    const Figure figure = lines(lines_of(14, 9, words, kEnglish, {0}), {}, below);
    for (const Primitive& item : figure.items) {
        const Text* text = std::get_if<Text>(&item);
        if (text == nullptr) continue;
        INFO(text->text);
        CHECK(text->text.find("…") == std::string::npos);
    }
}

TEST_CASE("a few words beside very many keep a height to be read at") {
    const Figure figure = lines(lines_of(6, 300, kEnglish, kEnglish, {0}), {}, frame_of(640, 520));
    for (const Target& target : figure.targets) {
        if (target.as<tag::RowLabel>()) CHECK(target.box.h >= 18);
        if (target.as<tag::ColLabel>()) CHECK(target.box.h < 2);
    }
}

TEST_CASE("lines of nothing, of heads that differ, and in frames without room") {
    for (const float side : {0.f, 1.f, 17.f, 90.f, 500.f, -5.f, 1e30f}) {
        CHECK(std::isfinite(lines(LinesData{}, {}, frame_of(side, side)).height));
        CHECK(std::isfinite(arcs(LinesData{}, {}, frame_of(side, side)).height));
        LinksOptions odd;
        odd.selected = {99, -3};
        odd.queries = {-4, 77};
        odd.isolated_key = 400;
        odd.isolated_query = -4;
        const auto data = lines_of(3, 3, kMixed, kMixed, {0, 1});
        CHECK(std::isfinite(lines(data, odd, frame_of(side, side)).height));
        CHECK(std::isfinite(arcs(data, odd, frame_of(side, side)).height));
    }
    auto data = lines_of(3, 3, kMixed, kMixed, {0});
    data.heads.push_back({1, weights(3, 4)});
    CHECK_THROWS_AS(lines(data, {}, frame_of(500, 400)), heed::base::ContractError);
}

TEST_CASE("what comes into a key is a mean over the queries that have a key") {
    auto weights = std::make_shared<heed::num::Matrix<float>>(3, 2);
    *weights << 0.25f, 0.75f, 0, 0, 0.75f, 0.25f; // the second query has none
    LinesData data;
    data.heads.push_back({0, weights});
    CHECK(into_keys(data, {}) == std::vector{0.5f, 0.5f});
    LinksOptions chosen;
    chosen.queries = {1, 2};
    CHECK(into_keys(data, chosen) == std::vector{0.75f, 0.25f});
}

TEST_CASE("the strongest links of a large map are those of looking at every weight") {
    const auto map = std::make_shared<heed::num::Matrix<float>>(*weights(300, 280));
    (*map)(7, 9) = std::numeric_limits<float>::quiet_NaN();
    map->row(11).setZero();
    std::vector<std::tuple<float, int, int>> all;
    for (int i = 0; i < 300; ++i) {
        for (int j = 0; j < 280; ++j) {
            if ((*map)(i, j) > 0) all.emplace_back(-(*map)(i, j), i, j);
        }
    }
    std::sort(all.begin(), all.end());
    LinesData data;
    data.heads.push_back({0, map});
    LinksOptions every;
    every.threshold = 1;
    for (const bool ready : {false, true}) {
        data.heads[0].prepared = ready ? prepared(map) : nullptr;
        REQUIRE((data.heads[0].prepared != nullptr) == ready);
        auto links = strongest_links(data, every, 200); // weakest first
        std::reverse(links.begin(), links.end());
        REQUIRE(links.size() == 200);
        for (std::size_t i = 0; i < links.size(); ++i) {
            const auto& [weight, query, key] = all[i];
            CHECK(links[i].weight == -weight);
            CHECK(std::pair(links[i].query, links[i].key) == std::pair(query, key));
        }
    }
}

TEST_CASE("the links of some keys of a large map are those that they have among all") {
    LinesData data;
    data.heads.push_back({0, weights(300, 280)});
    LinksOptions every, some;
    every.threshold = some.threshold = 1;
    for (const std::vector<int>& keys : {std::vector{7}, {0, 99, 279}}) {
        some.keys = keys;
        auto all = strongest_links(data, every, 300 * 280);
        std::erase_if(all, [&](const Link& link) {
            const bool none = link.weight < 0.0005f; // which is written as 0.000
            return none || std::find(keys.begin(), keys.end(), link.key) == keys.end();
        });
        const auto found = strongest_links(data, some, 300 * 280);
        REQUIRE(found.size() == all.size());
        CHECK(found.size() > 20);
        for (std::size_t i = 0; i < all.size(); ++i) {
            CHECK(found[i].query == all[i].query);
            CHECK(found[i].key == all[i].key);
            CHECK(found[i].weight == all[i].weight);
        }
    }
}

TEST_CASE("arcs below a map stand under its columns, where their words slant too") {
    for (const Index n : {6, 24}) {
        INFO(n);
        Frame frame = frame_of(1800, 250, &plain_measure);
        frame.titled = false;
        frame.above = Columns{120, 640}; // a wide window: the map ends long before it
        MapData map = map_of(weights(n, n), repeated(kEnglish, n), repeated(kEnglish, n));
        const Figure figure = arcs(map, LinksOptions{}, frame);
        const float pitch = 640 / static_cast<float>(n);
        int found = 0;
        for (const Target& target : figure.targets) {
            const auto* link = target.as<tag::Link>();
            if (!target.curve || link->query == link->key) continue;
            ++found;
            CHECK(target.curve->a.x ==
                  Approx(120 + (static_cast<float>(link->query) + 0.5f) * pitch));
            CHECK(target.curve->b.x ==
                  Approx(120 + (static_cast<float>(link->key) + 0.5f) * pitch));
        }
        CHECK(found > 4);
    }
}

TEST_CASE("keys stand under a narrow map's columns, and longer queries go on beyond them") {
    Frame frame = frame_of(720, 160, &plain_measure);
    frame.titled = false;
    frame.above = Columns{120, 160};
    const std::vector<std::string> queries{"les", "oiseaux", "chantent", "⟨end⟩"};
    const Figure figure = lines(map_of(weights(4, 2), queries, {"birds", "sing"}), {}, frame);
    int found = 0;
    for (const Target& target : figure.targets) {
        const auto* link = target.as<tag::Link>();
        if (!target.curve) continue;
        ++found;
        CHECK(target.curve->a.x == Approx(120 + (static_cast<float>(link->key) + 0.5f) * 80));
        CHECK(target.curve->b.x < 600);
    }
    CHECK(found > 2);
}

TEST_CASE("links below a map keep within its width where words have room on their side") {
    const std::vector<std::string> queries{"les", "oiseaux", "chantent", "dans",
                                           "le",  "jardin",  "⟨end⟩"};
    for (const float width : {100.f, 140.f, 200.f}) {
        INFO(width);
        Frame frame = frame_of(672, 170);
        frame.titled = false;
        frame.above = Columns{90, width};
        const Figure figure = lines(map_of(weights(7, 2), queries, {"I", "am"}), {}, frame);
        int found = 0;
        for (const Target& target : figure.targets) {
            if (!target.curve) continue;
            ++found;
            CHECK(target.curve->b.x > 90);
            CHECK(target.curve->b.x < 90 + width);
        }
        CHECK(found > 6);
        check_texts(figure, &heed::figure::measure);
    }
}

TEST_CASE("keys stand under a narrow map's columns, however many queries are below them") {
    Frame frame = frame_of(672, 170);
    frame.titled = false;
    frame.above = Columns{90, 200};
    const std::vector<std::string> queries{"一个", "par", ".", "some", "坐", "as", "not", "小"};
    const Figure figure = lines(
        map_of(weights(16, 4), repeated(queries, 16), {"I", "ate", "an", "apple"}), {}, frame);
    int found = 0;
    for (const Target& target : figure.targets) {
        const auto* link = target.as<tag::Link>();
        if (!target.curve) continue;
        ++found;
        CHECK(target.curve->a.x == Approx(90 + (static_cast<float>(link->key) + 0.5f) * 50));
        CHECK(target.curve->b.x > 24);
        CHECK(target.curve->b.x < 672 - 24);
    }
    CHECK(found > 16);
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("words above and below lines are of one size, whichever have less room") {
    const std::vector<std::string> keys{"the", "black", "cat", "did",  "not",
                                        "eat", "the",   "red", "apple"};
    const std::vector<std::string> queries{"le",    "chat", "noir",  "n'a",   "pas",
                                           "mangé", "la",   "pomme", "rouge", "⟨end⟩"};
    for (const float width : {330.f, 367.f, 420.f, 600.f}) {
        INFO(width);
        std::set<float> sizes;
        int words = 0;
        for (const Primitive& item :
             lines(map_of(weights(10, 9), queries, keys), {}, frame_of(width, 200)).items) {
            const auto* text = std::get_if<Text>(&item);
            if (text == nullptr) continue;
            const bool is_word = std::ranges::find(keys, text->text) != keys.end() ||
                                 std::ranges::find(queries, text->text) != queries.end();
            if (!is_word) continue;
            sizes.insert(text->style.size);
            ++words;
        }
        CHECK(words >= 15);
        CHECK(sizes.size() == 1);
    }
}

TEST_CASE("a selected link of no weight is no link, and a slight one a hair") {
    const auto width = [](float weight) {
        const auto data = lines_of(2, 3, kEnglish, kEnglish, {0});
        auto weights = std::make_shared<Matrix<float>>(2, 3);
        *weights << 1 - weight, weight, 0, 0, 0, 1;
        LinesData one = data;
        one.heads[0].weights = weights;
        LinksOptions options;
        options.selected = {0, 1};
        float found = 0;
        const Figure figure = lines(one, options, frame_of(700, 400));
        for (const Target& target : figure.targets) {
            if (target.tag == Tag(tag::Link{0, 1, 0})) found = target.curve->width;
        }
        return found;
    };
    CHECK(width(9e-6f) == 0);
    CHECK(width(0.003f) == 1);
    CHECK(width(0.05f) >= 2);
}

TEST_CASE("arcs of several heads from one token to another stand beside each other") {
    LinksOptions options;
    options.threshold = 1;
    const Figure figure = arcs(lines_of(5, 5, kEnglish, kEnglish, {0, 2, 5}), options,
                               frame_of(900, 500, &plain_measure));
    std::vector<float> all;
    for (const auto& item : figure.items) {
        if (const auto* curve = std::get_if<Curve>(&item)) all.push_back(curve->a.x);
    }
    REQUIRE(all.size() > 20);
    std::ranges::sort(all);
    const auto same = std::ranges::unique(all, [](float a, float b) { return b - a < 0.5f; });
    all.erase(same.begin(), same.end());
    CHECK(all.size() >= 3 * 5); // each token has a place for each head
}

TEST_CASE("links of several heads between the same tokens lie beside each other") {
    for (const auto& [width, height] : {std::pair<float, float>{900, 600}, {900, 240}}) {
        for (const int heads : {2, 3, 8}) {
            INFO(heads << " heads in " << width << " × " << height);
            const auto data = lines_of(6, 8, kEnglish, kEnglish, first_heads(heads), heads);
            LinksOptions options;
            options.threshold = 1;
            const Figure figure = lines(data, options, frame_of(width, height));
            std::map<std::pair<int, int>, std::vector<Curve>> between;
            for (const Target& target : figure.targets) {
                const auto* link = target.as<tag::Link>();
                if (link) between[{link->query, link->key}].push_back(*target.curve);
            }
            REQUIRE(between.size() == 48);
            for (const auto& [ends, curves] : between) {
                REQUIRE(std::ssize(curves) == heads);
                for (std::size_t i = 0; i < curves.size(); ++i) {
                    for (std::size_t k = 0; k < i; ++k) {
                        const Point a = curves[i].a, b = curves[k].a;
                        CHECK(std::hypot(a.x - b.x, a.y - b.y) > 0.9f);
                    }
                }
            }
        }
    }
}

TEST_CASE("arcs say what lies above their tokens and what below") {
    const auto said = [](const Figure& figure, const std::string& words) {
        const auto texts = texts_of(figure);
        return std::ranges::count_if(
            texts, [&](const Text& t) { return t.text.find(words) != std::string::npos; });
    };
    const auto data = lines_of(9, 9, kEnglish, kEnglish, {1, 4});
    for (const bool titled : {true, false}) {
        Frame frame = frame_of(720, titled ? 500.f : 240.f);
        frame.titled = titled;
        const Figure both = arcs(data, {}, frame);
        CHECK(said(both, "above: to earlier tokens") == 1);
        CHECK(said(both, "below: to later tokens") == 1);
        check_texts(both, &heed::figure::measure);
    }
    auto causal =
        lines_data(map_of(weights(9, 9, true), repeated(kEnglish, 9), repeated(kEnglish, 9)));
    CHECK(said(arcs(causal, {}, frame_of(720, 500)), "below: to later tokens") == 0);
}

TEST_CASE("no arc crosses the words that say what lies above and what below") {
    const auto data = lines_of(9, 9, kEnglish, kEnglish, {1, 4});
    for (const auto& [width, height] :
         {std::pair<float, float>{452, 0}, {904, 0}, {720, 500}, {936, 640}}) {
        INFO(width << " × " << height);
        const Figure figure = arcs(data, {}, frame_of(width, height));
        check_texts(figure, &heed::figure::measure);
        float lowest = 0; // of the arcs' controls: they are in between
        for (const Primitive& item : figure.items) {
            const auto* curve = std::get_if<Curve>(&item);
            if (curve)
                lowest =
                    std::max({lowest, curve->a.y, 0.75f * curve->control_a.y + 0.25f * curve->a.y});
        }
        int found = 0;
        for (const Text& text : texts_of(figure)) {
            if (text.text.find("below: to later tokens") == std::string::npos) continue;
            ++found;
            CHECK(text.at.y - text.style.size > lowest);
        }
        CHECK(found == 1);
    }
}

TEST_CASE("links on a page say which they are, however many lines its caption has") {
    for (const int lines_of_caption : {1, 3, 5, 7}) {
        INFO(lines_of_caption);
        Frame frame = frame_of(452, 0);
        for (int i = 0; i < lines_of_caption; ++i)
            frame.caption += "Model: English → français · transformer. Text: “the cat sat on it”. ";
        const auto causal =
            lines_data(map_of(weights(9, 9, true), repeated(kEnglish, 9), repeated(kEnglish, 9)));
        const auto data = lines_of(9, 9, kEnglish, kEnglish, {0});
        for (const Figure& figure :
             {arcs(data, {}, frame), arcs(causal, {}, frame), lines(data, {}, frame)}) {
            check_texts(figure, &heed::figure::measure);
            const auto texts = texts_of(figure);
            CHECK(std::ranges::any_of(
                texts, [](const Text& text) { return text.text.starts_with("Top links"); }));
        }
    }
}

TEST_CASE("two columns of tokens that are asked for are on every page") {
    LinksOptions options;
    const auto data = lines_of(10, 9, kEnglish, kEnglish, {0});
    CHECK(tags_of<tag::Square>(lines(data, options, frame_of(904, 0))).empty());
    options.columns = true;
    for (const float width : {452.f, 640.f, 904.f}) {
        INFO(width);
        const Figure page = lines(data, options, frame_of(width, 0));
        check_texts(page, &heed::figure::measure);
        CHECK_FALSE(tags_of<tag::Square>(page).empty());
    }
    const Figure figure = lines(data, options, frame_of(904, 0));
    const auto texts = texts_of(figure);
    CHECK(std::ranges::any_of(texts, [](const Text& text) {
        return text.text.starts_with("average attention received, max 0.");
    }));
}

TEST_CASE("the squares of short names say what they mean, up to which weight, over the links") {
    const std::vector<std::string> letters = {"8", "M", "a", "y", "2", "0", "3", "5"};
    const Figure figure = lines(lines_of(8, 8, letters, letters, {0}), {}, frame_of(760, 640));
    check_texts(figure, &heed::figure::measure);
    int meanings = 0;
    for (const Text& text : texts_of(figure)) {
        const bool means = text.text.find("strongest link") != std::string::npos ||
                           text.text.find("attention received") != std::string::npos;
        if (!means) continue;
        ++meanings;
        CHECK(text.text.find(", max ") != std::string::npos);
    }
    CHECK(meanings == 2);
}

TEST_CASE("the meaning of the squares stands over them") {
    for (const float width : {391.f, 640.f, 760.f, 1100.f}) {
        INFO(width);
        const Figure figure =
            lines(lines_of(8, 8, repeated(kEnglish, 8), repeated(kEnglish, 8), {0}), {},
                  frame_of(width, 640));
        check_texts(figure, &heed::figure::measure);
        int found = 0;
        for (const Text& text : texts_of(figure)) {
            const bool of_keys = text.text.find("attention received") != std::string::npos;
            if (!of_keys && !text.text.starts_with("strongest link")) continue;
            const float wide = heed::figure::measure(text.text, text.style).width;
            const float from =
                text.align_x == heed::figure::AlignX::right ? text.at.x - wide : text.at.x;
            for (const Target& target : figure.targets) {
                const auto* square = target.as<tag::Square>();
                if (!square || square->of_key != of_keys || square->token < 0) continue;
                ++found;
                CHECK(target.box.x + target.box.w / 2 > from);
                CHECK(target.box.x + target.box.w / 2 < from + wide);
            }
        }
        CHECK(found == 16);
    }
}

TEST_CASE("a link of a token to itself is as wide as its weight, like any other") {
    auto self = std::make_shared<Matrix<float>>(Matrix<float>::Zero(5, 5));
    for (Index i = 0; i < 5; ++i) {
        (*self)(i, i) = 0.7f;
        (*self)(i, (i + 1) % 5) = 0.3f;
    }
    LinksOptions options;
    options.threshold = 1;
    for (const auto& [width, height] : {std::pair<float, float>{700, 420}, {500, 140}}) {
        const Figure figure = arcs(map_of(self, repeated(kEnglish, 5), repeated(kEnglish, 5)),
                                   options, frame_of(width, height));
        float loop = 0, other = 0;
        for (const Target& target : figure.targets) {
            const auto* link = target.as<tag::Link>();
            if (link == nullptr) continue;
            float& widest = link->query == link->key ? loop : other;
            widest = std::max(widest, target.curve->width);
            CHECK(0.25f * target.curve->a.y + 0.75f * target.curve->control_a.y >= 0);
        }
        INFO(width);
        CHECK(loop > 1.5f * other);
    }
}

TEST_CASE("short sentences stand in the middle of a wide stage") {
    const auto middle_of = [](const Figure& figure) {
        float left = 1e9f, right = 0;
        for (const Target& target : figure.targets) {
            const bool label = target.as<tag::RowLabel>() || target.as<tag::ColLabel>();
            if (!label) continue;
            left = std::min(left, target.box.x);
            right = std::max(right, target.box.x + target.box.w);
        }
        return (left + right) / 2;
    };
    const auto data = lines_of(3, 3, kEnglish, kEnglish, {0});
    CHECK(middle_of(arcs(data, {}, frame_of(1100, 600))) == Approx(550).margin(2));
    CHECK(middle_of(lines(data, {}, frame_of(1100, 600))) == Approx(550).margin(20));
    CHECK(middle_of(lines(data, {}, frame_of(1300, 240))) == Approx(650).margin(40));
}

TEST_CASE("arcs on a page say which links they are") {
    const Figure figure = arcs(lines_of(9, 9, kEnglish, kEnglish, {0}), {}, frame_of(904, 0));
    const auto texts = texts_of(figure);
    CHECK(std::ranges::any_of(texts,
                              [](const Text& text) { return text.text.starts_with("Top links"); }));
}

TEST_CASE("the headings of columns of words stand off the sentence above them") {
    Frame frame = frame_of(720, 640);
    frame.reading = "“cat” attends most to “The”.";
    frame.reading_lines = 2;
    const Figure figure = lines(lines_of(9, 9, kEnglish, kEnglish, {0}), {}, frame);
    const auto texts = texts_of(figure);
    float reading = 0, heading = 1e9f;
    for (const Text& text : texts) {
        if (text.text == frame.reading) reading = text.at.y;
        if (text.text.find(", max ") != std::string::npos) heading = std::min(heading, text.at.y);
    }
    // The second line of the reading stands one below the first.
    CHECK(heading - reading >= 19 + 25);
}

TEST_CASE(
    "words of links below a map are easily read where they have room, and axis names no larger") {
    const std::vector<std::string> queries{"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> keys{"the",  "young", "teacher", "did", "not",
                                        "read", "the",   "old",     "book"};
    Frame frame = frame_of(783, 130); // of a screen of 1280 points that is presented
    frame.titled = false;
    const auto smallest = [&](float left, float width) {
        frame.above = Columns{left, width};
        const Figure figure = lines(map_of(weights(10, 9), queries, keys), {}, frame);
        check_texts(figure, &heed::figure::measure);
        float words = 100, names = 0;
        for (const Text& text : texts_of(figure)) {
            const bool is_word = std::ranges::find(keys, text.text) != keys.end() ||
                                 std::ranges::find(queries, text.text) != queries.end();
            if (is_word) words = std::min(words, text.style.size);
            if (text.text == "key" || text.text == "query")
                names = std::max(names, text.style.size);
        }
        CHECK(names > 0);
        CHECK(names <= words);
        return words;
    };
    CHECK(smallest(110, 460) >= 11.5f);
    smallest(250, 460); // no room beyond the map
}

TEST_CASE("words of links below a map are as large as the map's, and within its width") {
    const std::vector<std::string> queries{"le", "jeune", "professeur", "n'a",   "pas",
                                           "lu", "le",    "vieux",      "livre", "⟨end⟩"};
    const std::vector<std::string> keys{"the",  "young", "teacher", "did", "not",
                                        "read", "the",   "old",     "book"};
    Frame frame = frame_of(853, 135); // of a window of 1280 points that is presented
    frame.titled = false;
    for (const auto& [left, width] : {std::pair<float, float>{194, 477}, {181, 504}}) {
        INFO(width);
        frame.above = Columns{left, width};
        const Figure figure = lines(map_of(weights(10, 9), queries, keys), {}, frame);
        check_texts(figure, &heed::figure::measure);
        for (const Target& target : figure.targets) {
            if (target.curve) CHECK(target.curve->b.x < left + width);
        }
        int words = 0;
        float end = 0; // of the word before
        for (const Text& text : texts_of(figure)) {
            if (std::ranges::find(queries, text.text) == queries.end()) continue;
            ++words;
            CHECK(text.style.size >= 11.5f);
            const float half = heed::figure::measure(text.text, text.style).width / 2;
            CHECK(text.at.x - half - end > 9);
            end = text.at.x + half;
        }
        CHECK(words == 10);
    }
}

TEST_CASE("weak links are seen on a dark ground, too") {
    for (const Theme* theme : {&light_theme(), &dark_theme()}) {
        auto values = std::make_shared<Matrix<float>>(Matrix<float>::Constant(3, 3, 0.004f));
        values->diagonal().setConstant(0.992f);
        LinksOptions options;
        options.threshold = 1;
        const Figure figure = lines(map_of(values, {"a", "b", "c"}, {"d", "e", "f"}), options,
                                    frame_of(600, 240, &heed::figure::measure, *theme));
        int found = 0;
        for (const Primitive& item : figure.items) {
            const auto* curve = std::get_if<Curve>(&item);
            if (!curve) continue;
            ++found;
            if (theme->dark) CHECK(curve->color.a >= 50);
        }
        CHECK(found > 3);
    }
}

TEST_CASE("with a filter its own words alone are lit, and none for the selected cell's sake") {
    const auto data = lines_of(5, 6, kEnglish, kEnglish, {0});
    LinksOptions options;
    options.selected = {0, 1};
    options.queries = {2, 3};
    const auto bold = [&] {
        std::set<std::string> words;
        for (const Frame& frame : {frame_of(700, 600), frame_of(700, 300)}) {
            for (const Primitive& item : lines(data, options, frame).items) {
                const auto* text = std::get_if<Text>(&item);
                if (text && text->style.weight == Weight::bold) words.insert(text->text);
            }
        }
        return words;
    };
    CHECK_FALSE(bold().contains(data.row_labels[0]));
    CHECK_FALSE(bold().contains(data.col_labels[1]));
    CHECK(bold().contains(data.row_labels[2]));
    options.selected = {2, 1}; // of the filter, which has chosen no key
    CHECK_FALSE(bold().contains(data.col_labels[1]));
    options.queries.clear();
    options.selected = {0, 1};
    CHECK(bold().contains(data.row_labels[0]));
}

TEST_CASE("with a filter by keys arcs and columns light no word of a cell that it leaves out") {
    const MapData map = map_of(weights(6, 6), kEnglish, kEnglish);
    const auto data = lines_of(6, 6, kEnglish, kEnglish, {0});
    LinksOptions options;
    options.selected = {1, 4};
    const auto lit = [&] {
        std::set<std::string> words;
        for (const Figure& figure :
             {arcs(map, options, frame_of(700, 400)), lines(data, options, frame_of(700, 600))}) {
            for (const Text& text : texts_of(figure)) {
                if (text.style.weight == Weight::bold) words.insert(text.text);
            }
        }
        return words;
    };
    CHECK(lit().contains(kEnglish[1]));
    CHECK(lit().contains(kEnglish[4]));
    options.keys = {2};
    CHECK_FALSE(lit().contains(kEnglish[1]));
    CHECK_FALSE(lit().contains(kEnglish[4]));
    CHECK(lit().contains(kEnglish[2]));
    options.keys = {4};
    CHECK(lit().contains(kEnglish[4]));
    CHECK_FALSE(lit().contains(kEnglish[1]));
}

TEST_CASE("of a filter by one side every link is drawn that is not written as 0.000") {
    auto map = std::make_shared<Matrix<float>>(Matrix<float>::Constant(4, 4, 0.0001f));
    map->diagonal().setConstant(0.96f);
    (*map)(1, 2) = 0.03f;
    (*map)(1, 3) = 0.001f;
    (*map)(3, 2) = 0.005f;
    map->col(0).tail(3).setConstant(0.01f); // a key that is weak in these rows
    LinesData data = lines_data(map_of(map, repeated(kEnglish, 4), repeated(kEnglish, 4)));
    const auto links_of = [&](const LinksOptions& options, float height) {
        return tags_of<tag::Link>(lines(data, options, frame_of(800, height))).size();
    };
    for (const float height : {600.f, 220.f}) {
        LinksOptions options;
        options.queries = {1};
        CHECK(links_of(options, height) == 4);
        options.queries.clear();
        options.keys = {0};
        CHECK(links_of(options, height) == 4);
        options.keys = {3};
        CHECK(links_of(options, height) == 2);
        CHECK(links_note(data, options, 2) == "All links of the filter from 0.001 up");
        options.keys.clear();
        options.isolated_key = 0; // under the pointer no more than of all
        CHECK(links_of(options, height) == 1);
    }
}

TEST_CASE("numbers beside links of several heads are said to be means") {
    const auto data = lines_of(5, 5, kEnglish, kEnglish, {0, 2});
    const auto names = [&](const LinksOptions& options) {
        int named = 0;
        for (const Figure& figure :
             {lines(data, options, frame_of(900, 640)), arcs(data, options, frame_of(900, 400))}) {
            named += std::ranges::any_of(texts_of(figure), [](const Text& text) {
                return text.text.find("mean of the heads") != std::string::npos;
            });
        }
        return named;
    };
    LinksOptions options;
    CHECK(names(options) == 0);
    options.queries = {1};
    CHECK(names(options) == 2);
}

TEST_CASE("links below a map name their numbers, and say that a filter has none") {
    auto map = std::make_shared<Matrix<float>>(5, 5);
    map->setConstant(0.0001f);
    map->diagonal().setConstant(0.9996f);
    const MapData data = map_of(map, repeated(kEnglish, 5), repeated(kEnglish, 5));
    Frame below = frame_of(900, 200);
    below.titled = false;
    const auto says = [&](const LinksOptions& options, bool of_arcs, const std::string& words) {
        const auto texts =
            texts_of(of_arcs ? arcs(data, options, below) : lines(data, options, below));
        return std::ranges::any_of(
            texts, [&](const Text& text) { return text.text.find(words) != std::string::npos; });
    };
    LinksOptions options;
    CHECK_FALSE(says(options, true, "numbers:"));
    options.queries = {1};
    CHECK(says(options, true, "numbers: received from the filter"));
    for (const bool of_arcs : {true, false}) {
        options.keys = {};
        CHECK_FALSE(says(options, of_arcs, "All links of the filter"));
        options.keys = {3};
        CHECK(says(options, of_arcs, "All links of the filter < 0.001"));
    }
}

TEST_CASE("between chosen queries and keys every link is drawn, however weak") {
    auto map = std::make_shared<Matrix<float>>(4, 4);
    map->setConstant(0.0001f);
    map->diagonal().setConstant(0.96f);
    (*map)(1, 2) = 0.03f;
    (*map)(3, 2) = 0.005f;
    LinesData data = lines_data(map_of(map, repeated(kEnglish, 4), repeated(kEnglish, 4)));
    LinksOptions options;
    options.queries = {1, 3};
    options.keys = {2};
    for (int form = 0; form < 3; ++form) {
        const Figure figure = form == 0
                                  ? arcs(data, options, frame_of(800, 600))
                                  : lines(data, options, frame_of(800, form == 1 ? 600.f : 220.f));
        const auto links = tags_of<tag::Link>(figure);
        CHECK(links.size() == 2);
        const auto texts = texts_of(figure);
        CHECK(std::ranges::any_of(texts, [](const Text& text) {
            return text.text.starts_with("All links of the filter");
        }));
    }
    options.queries = {0}; // 0.0001 is written as 0.000
    CHECK(tags_of<tag::Link>(lines(data, options, frame_of(800, 600))).empty());
}

TEST_CASE("arcs light the chosen keys beside the chosen queries, and name their numbers") {
    const MapData map = map_of(weights(6, 6), kEnglish, kEnglish);
    LinksOptions options;
    options.queries = {1};
    options.keys = {4};
    const auto drawn = [&] { return arcs(map, options, frame_of(700, 400)); };
    const auto lit = [&](const std::string& word) {
        const auto texts = texts_of(drawn());
        return std::ranges::any_of(texts, [&](const Text& text) {
            return text.text == word && text.style.weight == Weight::bold;
        });
    };
    const auto names = [&](const std::string& words) {
        const auto texts = texts_of(drawn());
        return std::ranges::any_of(
            texts, [&](const Text& text) { return text.text.find(words) != std::string::npos; });
    };
    CHECK(lit(kEnglish[1]));
    CHECK(lit(kEnglish[4]));
    CHECK_FALSE(lit(kEnglish[2]));
    CHECK(names("numbers: received from the filter"));
    options.keys.clear();
    CHECK(names("numbers: received from the filter"));
    options.queries.clear();
    options.keys = {4};
    CHECK(names("numbers: given to the filter"));
    options.keys.clear();
    CHECK_FALSE(names("numbers:"));
}

TEST_CASE("a thick link between lines that are near has room to turn at its ends") {
    auto map = std::make_shared<Matrix<float>>(Matrix<float>::Zero(6, 6));
    for (Index i = 0; i < 6; ++i) (*map)(i, 5 - i) = 1;
    const LinesData data = lines_data(map_of(map, repeated(kEnglish, 6), repeated(kEnglish, 6)));
    Frame frame = frame_of(1200, 130);
    frame.titled = false;
    int curves = 0;
    for (const Primitive& item : lines(data, {}, frame).items) {
        const auto* curve = std::get_if<Curve>(&item);
        if (curve == nullptr) continue;
        ++curves;
        const float reach = curve->control_a.y - curve->a.y, wide = curve->b.x - curve->a.x;
        const float most = 0.7f * (curve->b.y - curve->a.y);
        CHECK(reach <= most + 0.01f);
        const bool whole = reach >= most - 0.01f; // as far as leaves the middle aslant
        const float radius = 1.5f * reach * reach / std::max(std::abs(wide), 1.f);
        CHECK((whole || radius >= curve->width / 2));
    }
    CHECK(curves == 6);
}

TEST_CASE("names of many words in a low picture stand in two lines before they are cut") {
    const std::vector<std::string> words = {"the", "young", "teacher", "did", "not", "because"};
    const int n = 33;
    const LinesData data =
        lines_data(map_of(weights(18, n), repeated(words, 18), repeated(words, n)));
    Frame frame = frame_of(860, 132);
    frame.titled = false;
    const Figure figure = lines(data, {}, frame);
    int whole = 0;
    for (const Text& text : texts_of(figure)) {
        INFO(text.text);
        CHECK(text.text.find("…") == std::string::npos);
        whole += std::ranges::count(words, text.text) > 0 ? 1 : 0;
    }
    CHECK(whole == 18 + n);
    check_texts(figure, &heed::figure::measure);
}

TEST_CASE("names of links below a map are no larger than the map's") {
    Frame frame = dark_frame(800, 140);
    frame.above = Columns{110, 640, 11.5f};
    MapData map = map_of(weights(5, 9), repeated(kEnglish, 5), repeated(kEnglish, 9));
    const Figure figure = lines(map, {}, frame);
    int named = 0;
    for (const Text& text : texts_of(figure)) {
        if (std::ranges::count(kEnglish, text.text) == 0) continue;
        ++named;
        CHECK(text.style.size <= 11.5f);
    }
    CHECK(named == 14);
}

TEST_CASE("what the squares of both columns mean stands in one line") {
    for (float width = 391; width <= 1100; width += 20) {
        INFO(width);
        const Figure figure =
            lines(lines_of(10, 9, repeated({"professeur", "le"}, 10), repeated(kEnglish, 9), {0}),
                  {}, frame_of(width, 640));
        check_texts(figure, &heed::figure::measure);
        std::set<float> lines;
        float name = 0;
        for (const Text& text : texts_of(figure)) {
            if (text.text.find(", max ") != std::string::npos) lines.insert(text.at.y);
            if (text.text == "query") name = text.at.y;
        }
        CHECK(lines.size() <= 1);
        // What names the tokens is in that line, or clearly below it.
        if (!lines.empty() && name != *lines.begin()) CHECK(name - *lines.begin() > 20);
    }
}
