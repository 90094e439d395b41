#include "catch.hpp"

#include "base/check.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "small_trace.hpp"
#include "trace/neurons.hpp"

#include <limits>
#include <numeric>

using namespace heed;
using namespace heed::trace;

namespace {

Head head_of(nn::Score score) {
    Head head;
    head.settings.score = score;
    head.settings.gamma = 0.5f;
    head.settings.temperature = 2;
    nn::Mask mask;
    mask.painted = {{3, 2}, {3, 5}};
    head.settings.mask = mask;
    if (nn::has_parameters(score)) {
        head.score_params = std::make_shared<nn::ScoreParams<float>>(
            nn::draw_score_params<float>(1, "head", 4, 4, 5));
    }
    return head;
}

} // namespace

TEST_CASE("the products of a query's and a key's features add up to the score") {
    for (const nn::Score score : nn::kScores) {
        for (const nn::Positions positions : {nn::Positions::none, nn::Positions::rotary}) {
            tests::SmallAttention small;
            small.heads.assign(3, head_of(score));
            for (Head& head : small.heads) head.settings.positions = positions;
            const AttentionMap map(small.run(), 1);
            const Neurons row = neurons(map, 3);
            INFO(nn::name(score) << " " << nn::name(positions));
            CHECK(row.is_product == (score == nn::Score::dot || score == nn::Score::scaled_dot ||
                                     score == nn::Score::bilinear));
            REQUIRE(row.n_keys() == 11);
            REQUIRE(row.d_k() == 4);
            for (Index j = 0; row.is_product && j < row.n_keys(); ++j) {
                float sum = 0;
                for (Index i = 0; i < row.d_k(); ++i) sum += row.q[i] * row.k(j, i);
                CHECK(row.factor * sum ==
                      Approx(row.scores[static_cast<std::size_t>(j)]).margin(1e-5));
            }
        }
    }
}

TEST_CASE("the numbers of a query are those of its cells, and masked keys have none") {
    tests::SmallAttention small;
    small.heads.assign(3, head_of(nn::Score::dot));
    const AttentionMap map(small.run(), 2);
    const Neurons row = neurons(map, 3);
    float sum = 0;
    for (std::size_t j = 0; j < row.scores.size(); ++j) {
        const Cell cell = map.cell(3, static_cast<Index>(j));
        INFO("key " << j);
        CHECK(row.scores[j] == Approx(cell.score));
        CHECK(row.scaled[j] == Approx(cell.scaled));
        CHECK(row.exponentials[j] == Approx(cell.exponential));
        CHECK(row.weights[j] == Approx(cell.weight));
        CHECK(row.weights[j] == Approx(row.exponentials[j] / row.sum));
        sum += row.exponentials[j];
        if (j == 2 || j == 5) {
            CHECK(row.masked[j] == -std::numeric_limits<float>::infinity());
            CHECK(row.exponentials[j] == 0);
        }
    }
    CHECK(row.sum == Approx(sum));
    CHECK_THROWS_AS(neurons(map, 9), base::ContractError);
}
