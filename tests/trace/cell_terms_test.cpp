#include "trace/cell_terms.hpp"

#include "base/check.hpp"
#include "catch.hpp"

#include "nn/attention/score_info.hpp"
#include "small_trace.hpp"

#include <cmath>

using namespace heed;
using namespace heed::trace;

TEST_CASE("the products of a cell add up to its dot product, turned or not") {
    for (const nn::Positions positions : {nn::Positions::none, nn::Positions::rotary}) {
        tests::SmallAttention small;
        Head head;
        head.settings.score = nn::Score::dot;
        head.settings.positions = positions;
        small.heads.assign(3, head);
        const AttentionMap map(small.run(), 2);
        const CellProducts terms = cell_products(map, 3, 7);
        INFO(nn::name(positions));
        REQUIRE(terms.products.size() == map.cols(Stage::k));
        CHECK(terms.products.sum() == Approx(map.cell(3, 7).score).margin(1e-5));
        CHECK(terms.products(1) == Approx(terms.q(1) * terms.k(1)));
        CHECK_THROWS_AS(cell_products(map, 9, 0), base::ContractError);
        CHECK_THROWS_AS(cell_products(map, 0, 11), base::ContractError);
    }
}

TEST_CASE("an additive score is the sum of its terms") {
    AdditiveParts parts;
    parts.query = num::RowVector<float>(2);
    parts.query << 0.5f, -1;
    parts.key = num::Matrix<float>(2, 2);
    parts.key << 9, 9, 0.25f, 2;
    parts.v = num::RowVector<float>(2);
    parts.v << 2, -3;
    const AdditiveTerms terms = additive_terms(parts, 1);
    CHECK(terms.sum(0) == 0.75f);
    CHECK(terms.hidden(1) == Approx(std::tanh(1.0)));
    CHECK(terms.weighted.sum() == Approx(2 * std::tanh(0.75) - 3 * std::tanh(1.0)));
}

TEST_CASE("a factor of 1 on the scores gives the weights of the run") {
    tests::SmallAttention small;
    Head head;
    head.settings.temperature = 2;
    nn::Mask mask;
    mask.painted = {{3, 2}};
    head.settings.mask = mask;
    small.heads.assign(3, head);
    const AttentionMap map(small.run(), 1);
    for (Index key = 0; key < 11; ++key) {
        const ScoreWeight cell = softmax_of_scaled(map, 3, 1, key);
        CHECK(cell.weight == Approx(map.cell(3, key).weight).margin(1e-6));
        if (key != 2) CHECK(cell.score == Approx(map.cell(3, key).masked / 2));
    }
    CHECK(softmax_of_scaled(map, 3, 1, 2).weight == 0);
}
