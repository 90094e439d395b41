#include "trace/merged.hpp"

#include "base/check.hpp"
#include "catch.hpp"
#include "small_trace.hpp"

#include <limits>

using namespace heed;
using namespace heed::tests;
using namespace heed::trace;

namespace {

/// Words of so many pieces each.
text::Words words_of_sizes(const std::vector<std::size_t>& sizes) {
    text::Words words;
    for (const std::size_t size : sizes) {
        words.words.push_back({"w", 0, 1});
        words.first.push_back(words.first.back() + size);
    }
    return words;
}

Matrix<float> matrix(std::initializer_list<std::initializer_list<float>> rows) {
    Matrix<float> m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
    Index i = 0;
    for (const auto& row : rows) {
        for (const float x : row) m.data()[i++] = x;
    }
    return m;
}

LayerMaps two_layer_maps() {
    return {std::make_shared<const Matrix<float>>(
                matrix({{0.5f, 0.25f, 0.25f}, {0.125f, 0.375f, 0.5f}, {0, 0.75f, 0.25f}})),
            std::make_shared<const Matrix<float>>(
                matrix({{0.25f, 0.5f, 0.25f}, {0.5f, 0, 0.5f}, {0.125f, 0.125f, 0.75f}}))};
}

} // namespace

TEST_CASE("attention to a word is the sum over its pieces, from it the mean over them") {
    const Matrix<float> weights =
        matrix({{0.5f, 0.25f, 0.125f, 0.125f}, {0, 0.5f, 0.25f, 0.25f}, {0.25f, 0.25f, 0, 0.5f}});
    const Matrix<float> merged =
        merged_weights(weights, words_of_sizes({2, 1}), words_of_sizes({1, 2, 1}));
    CHECK(merged == matrix({{0.25f, 0.5625f, 0.1875f}, {0.25f, 0.25f, 0.5f}}));
    for (Index i = 0; i < merged.rows(); ++i) CHECK(merged.row(i).sum() == 1);
}

TEST_CASE("words of one piece each leave the weights as they are") {
    const Matrix<float> weights = matrix({{0.25f, 0.75f}, {0.5f, 0.5f}});
    CHECK(merged_weights(weights, words_of_sizes({1, 1}), words_of_sizes({1, 1})) == weights);
}

TEST_CASE("a piece without a distribution does not pull its word's sum below one") {
    const Matrix<float> weights = matrix({{0, 0}, {0.25f, 0.75f}, {0, 0}, {0, 0}});
    const Matrix<float> merged =
        merged_weights(weights, words_of_sizes({2, 2}), words_of_sizes({1, 1}));
    CHECK(merged == matrix({{0.25f, 0.75f}, {0, 0}}));
}

TEST_CASE("a number that is none stays one in its word") {
    Matrix<float> weights = matrix({{0.5f, 0.5f}, {0.5f, 0.5f}});
    weights(1, 0) = std::numeric_limits<float>::quiet_NaN();
    const Matrix<float> merged =
        merged_weights(weights, words_of_sizes({2}), words_of_sizes({1, 1}));
    CHECK(std::isnan(merged(0, 0)));
    CHECK(merged(0, 1) == 0.5f);
}

TEST_CASE("words that do not fit the map are refused") {
    const Matrix<float> weights = matrix({{0.25f, 0.75f}});
    CHECK_THROWS_AS(merged_weights(weights, words_of_sizes({2}), words_of_sizes({2})),
                    base::ContractError);
    CHECK_THROWS_AS(merged_weights(weights, words_of_sizes({1}), words_of_sizes({1})),
                    base::ContractError);
}

TEST_CASE("a head merges strip by strip to what its whole map does") {
    SmallAttention small;
    small.queries = 75; // strips of several words, and a word longer than a strip
    const AttentionMap map(small.run(), 1);
    const text::Words queries = words_of_sizes({3, 1, 20, 9, 2, 38, 1, 1}),
                      keys = words_of_sizes({4, 1, 6});
    const Matrix<float> merged = merged_weights(map, queries, keys);
    CHECK(merged.isApprox(merged_weights(map.whole(Stage::weights), queries, keys), 1e-6f));
    for (Index i = 0; i < merged.rows(); ++i) {
        CHECK(merged.row(i).sum() == Approx(1).margin(1e-5));
    }
}

TEST_CASE("what flows to a word is the mean of what flows to its pieces, summed over pieces") {
    const LayerMaps layers = two_layer_maps();
    const text::Words words = words_of_sizes({1, 2});
    for (const FlowRule rule : {FlowRule::raw, FlowRule::rollout}) {
        const Flow first = flow_to(layers, rule, 1), second = flow_to(layers, rule, 2);
        const Flow flow = flow_to_word(layers, rule, words, 1);
        REQUIRE(flow.n_tokens() == 2);
        REQUIRE(flow.n_layers() == 2);
        for (Index level = 0; level <= 2; ++level) {
            const auto mean = [&](Index token) {
                return (first.reach(level, token) + second.reach(level, token)) / 2;
            };
            CHECK(flow.reach(level, 0) == Approx(mean(0)));
            CHECK(flow.reach(level, 1) == Approx(mean(1) + mean(2)));
        }
        for (Index layer = 0; layer < 2; ++layer) {
            const auto mean = [&](Index to, Index from) {
                return (first.share(layer, to, from) + second.share(layer, to, from)) / 2;
            };
            CHECK(flow.share(layer, 0, 0) == Approx(mean(0, 0)));
            CHECK(flow.share(layer, 0, 1) == Approx(mean(0, 1) + mean(0, 2)));
            CHECK(flow.share(layer, 1, 0) == Approx(mean(1, 0) + mean(2, 0)));
            CHECK(flow.share(layer, 1, 1) ==
                  Approx(mean(1, 1) + mean(1, 2) + mean(2, 1) + mean(2, 2)));
        }
    }
}

TEST_CASE("a flow to a word needs a word that there is, and maps of its tokens") {
    const LayerMaps layers = two_layer_maps();
    CHECK_THROWS_AS(flow_to_word(layers, FlowRule::raw, words_of_sizes({1, 2}), 2),
                    base::ContractError);
    CHECK_THROWS_AS(flow_to_word(layers, FlowRule::raw, words_of_sizes({1, 1}), 0),
                    base::ContractError);
}

TEST_CASE("tokens that are left out give and get nothing, and the rest stays as it is") {
    Matrix<float> weights(3, 4);
    weights << 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.25f, 0.125f, 0.125f, 0, 0.5f, 0.25f, 0.25f;
    const text::Words queries = words_of_sizes({1, 1, 1}).without({true, false, false});
    const text::Words keys = words_of_sizes({1, 2, 1}).without({false, false, false, true});
    const Matrix<float> merged = merged_weights(weights, queries, keys);
    Matrix<float> expected(2, 2);
    expected << 0.5f, 0.375f, 0, 0.75f; // of the second and third row: first key, second and third
    CHECK(merged == expected);
}
