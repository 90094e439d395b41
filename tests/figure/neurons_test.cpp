#include "catch.hpp"

#include "figure/views/neurons.hpp"
#include "golden.hpp"
#include "nn/attention/score_info.hpp"
#include "texts.hpp"
#include "view_samples.hpp"

#include <algorithm>
#include <set>

using namespace heed::figure;
using namespace samples;
using heed::nn::Score;

namespace {

std::set<int> keys_of(const Figure& figure) {
    std::set<int> keys;
    for (const Target& target : figure.targets) {
        if (const auto* key = target.as<tag::ColLabel>()) keys.insert(key->key);
    }
    return keys;
}

int stripes_of(const Figure& figure, Stripe stripe) {
    return static_cast<int>(
        std::count_if(figure.targets.begin(), figure.targets.end(), [&](const Target& target) {
            const auto* drawn = target.as<tag::Stripe>();
            return drawn && drawn->which == static_cast<int>(stripe);
        }));
}

} // namespace

TEST_CASE("one query against its keys is as approved") {
    NeuronsOptions options;
    options.selected = 2;
    options.hovered = 4;
    options.feature = 5;
    const auto data = neurons_of(7, 16, kEnglish);
    CHECK(difference_from_golden(
              "neurons", dump(neurons(data, options, frame_of(940, 0, &plain_measure)))) == "");
}

TEST_CASE("texts of the neurons view keep inside the frame and off each other") {
    const Measure measure = GENERATE(Measure(&heed::figure::measure), Measure(&plain_measure));
    for (const auto& [width, height] : {std::pair<float, float>{1200, 900},
                                        {937, 640},
                                        {640, 480},
                                        {420, 520},
                                        {300, 240},
                                        {0, 0}}) {
        for (const Index m : {1, 6, 30, 400}) {
            for (const Score score : {Score::dot, Score::additive, Score::scaled_dot}) {
                for (const auto* words : {&kEnglish, &kChinese, &kMixed}) {
                    INFO(m << " keys in " << width << " × " << height);
                    NeuronsOptions options;
                    options.selected = static_cast<int>(m - 1);
                    Frame frame = frame_of(width, height, measure);
                    frame.caption = "transformer base · seed 1 · encoder layer 5 · head 3";
                    check_texts(neurons(neurons_of(m, 64, *words, score), options, frame), measure);
                }
            }
        }
    }
}

TEST_CASE("no word above the keys is cut, however wide a page") {
    for (float width = 300; width < 520; width += 0.5f) { // whatever a sum of places rounds to
        const Figure figure = neurons(neurons_of(6, 20, {"我", "吃", "了", "一个", "苹果"}), {},
                                      frame_of(width, 0, &heed::figure::measure));
        REQUIRE(has_text(figure, "key ↓"));
        for (const Text& text : texts_of(figure)) {
            INFO(text.text << " in " << width);
            REQUIRE(text.text.find("…") == std::string::npos);
        }
    }
}

TEST_CASE("a stripe is found at every feature, and gives back its key and its column") {
    const auto data = neurons_of(5, 16, kEnglish);
    const Figure figure = neurons(data, {}, frame_of(1000, 500));
    CHECK(stripes_of(figure, Stripe::query) == 1);
    CHECK(stripes_of(figure, Stripe::key) == 5);
    CHECK(stripes_of(figure, Stripe::product) == 5);
    for (const Target& target : figure.targets) {
        if (!target.as<tag::Stripe>()) continue;
        const Box& box = target.box;
        for (int i = 0; i < 16; ++i) {
            const auto hit = pick(
                figure, {box.x + (static_cast<float>(i) + 0.5f) * box.w / 16, box.y + box.h / 2});
            REQUIRE(hit);
            REQUIRE(hit->tag == target.tag);
            REQUIRE(hit->col == i);
        }
    }
}

TEST_CASE("features by contribution come in falling order, of one key or of all") {
    const auto data = neurons_of(9, 32, kEnglish);
    NeuronsOptions options;
    CHECK(feature_order(*data.row, options)[7] == 7);
    options.order = FeatureOrder::contribution;
    for (const std::optional<int> selected : {std::optional<int>(), std::optional<int>(4)}) {
        options.selected = selected;
        const auto order = feature_order(*data.row, options);
        CHECK(std::set<Index>(order.begin(), order.end()).size() == 32);
        float before = 1e30f;
        for (const Index i : order) {
            float share = 0;
            for (Index j = 0; j < 9; ++j) {
                const float weight = selected ? (j == *selected ? 1.f : 0.f)
                                              : data.row->weights[static_cast<std::size_t>(j)];
                share += weight * std::abs(data.row->q[i] * data.row->k(j, i));
            }
            CHECK(share <= before + 1e-5f);
            before = share;
        }
    }
}

TEST_CASE("scores that are no products have no column of products, and name their function") {
    const Figure figure =
        neurons(neurons_of(5, 16, kEnglish, Score::additive), {}, frame_of(1000, 400));
    CHECK(stripes_of(figure, Stripe::product) == 0);
    CHECK(stripes_of(figure, Stripe::key) == 5);
    CHECK(has_text(figure, "vᵀ tanh(W q + U k)"));
    CHECK(has_text(neurons(neurons_of(5, 16, kEnglish), {}, frame_of(1000, 400)), "Σ q∘k"));
}

TEST_CASE("too many keys: those with the largest weights stand, with the selected one") {
    const auto data = neurons_of(2000, 128, kEnglish);
    NeuronsOptions options;
    options.selected = 1999; // masked: its weight is 0
    const Figure figure = neurons(data, options, frame_of(1000, 500));
    const auto keys = keys_of(figure);
    REQUIRE(keys.size() > 10);
    REQUIRE(keys.size() < 40);
    CHECK(keys.count(1999) == 1);
    float least = 1;
    for (const int key : keys) {
        if (key != 1999) least = std::min(least, data.row->weights[static_cast<std::size_t>(key)]);
    }
    for (int key = 0; key < 2000; ++key) {
        if (keys.count(key) == 0) CHECK(data.row->weights[static_cast<std::size_t>(key)] <= least);
    }
    CHECK(
        has_text(figure, std::to_string(keys.size()) +
                             " of 2000 keys: those with the largest weights, and the chosen one"));
}

TEST_CASE("a query without any key says so, and nothing is not finite") {
    const auto data = neurons_of(4, 8, kEnglish, Score::dot, 4);
    const Figure figure = neurons(data, {}, frame_of(1000, 400));
    CHECK(has_text(figure, "no key allowed"));
    for (const float side : {0.f, 1.f, 17.f, 90.f, 500.f, -5.f, 1e30f}) {
        CHECK(std::isfinite(neurons(data, {}, frame_of(side, side)).height));
        CHECK(std::isfinite(neurons({}, {}, frame_of(side, side)).height));
        NeuronsOptions odd;
        odd.selected = 99;
        odd.hovered = -3;
        odd.feature = 4000;
        CHECK(std::isfinite(neurons(data, odd, frame_of(side, side)).height));
    }
}

TEST_CASE("a query with fewer features than its keys is told of, not paired with them") {
    NeuronsData data = neurons_of(4, 16, kEnglish);
    heed::trace::Neurons row = *data.row;
    row.q = heed::num::RowVector<float>(row.q.head(8));
    data.row = std::make_shared<const heed::trace::Neurons>(row);
    const std::string said = dump(neurons(data, {}, frame_of(940, 0, &plain_measure)));
    CHECK(said.find("The query has 8 features, a key 16: they do not pair") != std::string::npos);
}

TEST_CASE("a stripe of any width says whole that q and k are rotated") {
    NeuronsData data = neurons_of(4, 16, kEnglish);
    heed::trace::Neurons row = *data.row;
    row.rotated = true;
    data.row = std::make_shared<const heed::trace::Neurons>(row);
    for (float width = 500; width <= 1600; width += 20) {
        INFO(width);
        const Figure figure = neurons(data, {}, frame_of(width, 600));
        CHECK((has_text(figure, "q, k, rotated") || has_text(figure, "query q, keys k, rotated")));
    }
    CHECK(has_text(neurons(data, {}, frame_of(1600, 600)), "query q, keys k, rotated"));
}

TEST_CASE("a column of masking is there where something is masked") {
    const Frame frame = frame_of(1000, 400);
    CHECK(has_text(neurons(neurons_of(5, 16, kEnglish), {}, frame), "masked"));
    NeuronsData data = neurons_of(5, 16, kEnglish, Score::dot, 0);
    const Figure without = neurons(data, {}, frame);
    CHECK_FALSE(has_text(without, "masked"));
    CHECK_FALSE(has_text(without, "mask"));
    CHECK(has_text(without, "weight"));
    heed::trace::Neurons row = *data.row;
    row.biased = true;
    for (float& x : row.masked) x -= 0.5f;
    data.row = std::make_shared<const heed::trace::Neurons>(row);
    const Figure biased = neurons(data, {}, frame);
    CHECK_FALSE(has_text(biased, "masked"));
    CHECK(has_text(biased, "+ bias"));
}

TEST_CASE("scores that a softcap bounds are not called scaled, and say by what they are bounded") {
    NeuronsData data = neurons_of(5, 16, kEnglish);
    heed::trace::Neurons row = *data.row;
    row.softcap = 3;
    data.row = std::make_shared<const heed::trace::Neurons>(row);
    const Figure bounded = neurons(data, {}, frame_of(1000, 400));
    CHECK_FALSE(has_text(bounded, "scaled"));
    CHECK(has_text(bounded, "bounded"));
    CHECK(has_text(bounded, "3 tanh(x ÷ √16 ÷ 3)"));
}

TEST_CASE("scores have as many decimals as the sentence about them") {
    auto data = neurons_of(3, 8, kEnglish);
    auto row = std::make_shared<heed::trace::Neurons>(*data.row);
    row->scores = {67.451f, -2.345f, 12.3f};
    data.row = row;
    const Figure figure = neurons(data, {}, frame_of(1040, 0));
    CHECK(has_text(figure, "67.45"));
    CHECK(has_text(figure, "12.30"));
}

TEST_CASE("colours of neurons have their range, whose ends are the ± of each heading") {
    for (const float width : {420.f, 700.f, 1000.f}) {
        for (const float height : {0.f, 500.f}) {
            const Figure figure = neurons(neurons_of(5, 16, kEnglish), {}, frame_of(width, height));
            CHECK(has_text(figure, "−a"));
            CHECK(has_text(figure, "a: the number after ± in each heading"));
        }
    }
}
