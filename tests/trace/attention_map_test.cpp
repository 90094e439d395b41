#include "base/check.hpp"
#include "catch.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "small_trace.hpp"

#include <limits>

using namespace heed;
using namespace heed::tests;
using num::Index;
using num::Matrix;
using trace::AttentionMap;
using trace::Stage;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

nn::Mask some_mask() {
    nn::Mask mask;
    mask.padding = true;
    mask.window = 4;
    for (Index j = 0; j < 11; ++j) mask.painted.emplace_back(3, j); // query 3 has no key
    mask.painted.emplace_back(5, 5);
    return mask;
}

SmallAttention masked_attention() {
    SmallAttention small;
    small.valid_keys = 9;
    for (auto& head : small.heads) {
        head.settings.mask = some_mask();
        head.settings.gamma = 0.5f;
    }
    small.heads[1].settings.positions = nn::Positions::alibi;
    small.heads[1].settings.temperature = 1.7f;
    small.heads[2].settings.positions = nn::Positions::rotary;
    small.heads[2].settings.score = nn::Score::additive;
    small.heads[2].score_params = std::make_shared<const nn::ScoreParams<float>>(
        nn::draw_score_params<float>(1, "head", 4, 4, 5));
    return small;
}

Matrix<float> reduced_slowly(const Matrix<float>& map, Index rows, Index cols) {
    rows = std::min(rows, map.rows());
    cols = std::min(cols, map.cols());
    Matrix<float> grid = Matrix<float>::Constant(rows, cols, -kInfinity);
    for (Index r = 0; r < rows; ++r) {
        for (Index c = 0; c < cols; ++c) {
            for (Index i = r * map.rows() / rows; i < (r + 1) * map.rows() / rows; ++i) {
                for (Index j = c * map.cols() / cols; j < (c + 1) * map.cols() / cols; ++j) {
                    grid(r, c) = std::max(grid(r, c), map(i, j));
                }
            }
        }
    }
    return grid;
}

} // namespace

TEST_CASE("weights made on demand are those that the run used, and sum to 1") {
    SmallAttention small = masked_attention();
    const auto attention = small.run();
    for (int h = 0; h < 3; ++h) {
        const AttentionMap map(attention, h);
        const Matrix<float> weights = map.whole(Stage::weights);
        const Matrix<float> used = small.weights.middleRows(h * 9, 9);
        CHECK((weights - used).cwiseAbs().maxCoeff() <= 1e-6f);
        for (Index i = 0; i < 9; ++i) {
            INFO("head " << h << ", query " << i);
            CHECK(map.has_distribution(i) == (i != 3));
            CHECK(weights.row(i).sum() == Approx(i == 3 ? 0 : 1).margin(1e-6));
        }
    }
}

TEST_CASE("large scores without scaling still give the weights of the run") {
    SmallAttention small;
    for (auto& head : small.heads) head.settings.gamma = 20; // scores of some hundreds
    const auto attention = small.run();
    const AttentionMap map(attention, 1);
    const Matrix<float> used = small.weights.middleRows(9, 9);
    CHECK((map.whole(Stage::weights) - used).cwiseAbs().maxCoeff() <= 1e-6f);
}

TEST_CASE("each stage follows from the one before it") {
    SmallAttention small = masked_attention();
    const auto attention = small.run();
    for (int h = 0; h < 3; ++h) {
        const AttentionMap map(attention, h);
        const auto& settings = map.head().settings;
        const auto scores = map.whole(Stage::scores), scaled = map.whole(Stage::scaled);
        const auto masked = map.whole(Stage::masked), weights = map.whole(Stage::weights);
        const Matrix<float> context = weights * map.whole(Stage::v) * settings.gain;
        CHECK((context - map.whole(Stage::context)).cwiseAbs().maxCoeff() < 1e-5f);
        for (Index i = 0; i < 9; ++i) {
            for (Index j = 0; j < 11; ++j) {
                INFO("head " << h << ", query " << i << ", key " << j);
                CHECK(scaled(i, j) == Approx(scores(i, j) * settings.gamma).margin(1e-6));
                const trace::Cell cell = map.cell(i, j);
                CHECK(cell.score == Approx(scores(i, j)).margin(1e-6));
                CHECK(cell.weight == Approx(weights(i, j)).margin(1e-6));
                CHECK(cell.allowed == settings.mask->allows(i, j, 9));
                if (cell.allowed) {
                    CHECK(masked(i, j) == Approx(cell.scaled + cell.bias).margin(1e-6));
                    CHECK(cell.weight == Approx(cell.exponential / cell.sum).margin(1e-6));
                    CHECK(cell.exponential <= 1.00001f);
                } else {
                    CHECK(masked(i, j) == -kInfinity);
                    CHECK(cell.masked == -kInfinity);
                    CHECK(cell.exponential == 0);
                    CHECK(cell.weight == 0);
                }
            }
        }
    }
    const trace::Cell alibi = AttentionMap(attention, 1).cell(2, 6);
    CHECK(alibi.bias == Approx(-4 * nn::alibi_slopes<float>(3)[1]));
}

TEST_CASE("a head's features are its columns of the projections") {
    SmallAttention small;
    const auto attention = small.run();
    const AttentionMap map(attention, 2);
    CHECK(map.rows(Stage::q) == 9);
    CHECK(map.rows(Stage::v) == 11);
    CHECK(map.cols(Stage::k) == 4);
    CHECK(map.cols(Stage::scores) == 11);
    CHECK(map.whole(Stage::k) == attention->k.middleCols(8, 4));
    CHECK(map.rectangle(Stage::q, {3, 1, 2, 3}) == attention->q.block(3, 9, 2, 3));
    const Matrix<float> dots = map.whole(Stage::q) * map.whole(Stage::k).transpose();
    CHECK((dots - map.whole(Stage::scores)).cwiseAbs().maxCoeff() < 1e-5f);
}

TEST_CASE("a reduced map keeps the largest number of every block") {
    SmallAttention small = masked_attention();
    small.queries = 83; // more than one strip of queries
    small.keys = 40;
    small.valid_keys = 30;
    const auto attention = small.run();
    for (int h = 0; h < 3; ++h) {
        const AttentionMap map(attention, h);
        for (const Stage stage : trace::kStages) {
            const Matrix<float> whole = map.whole(stage);
            for (const auto& [rows, cols] :
                 {std::pair<Index, Index>(7, 5), {80, 33}, {1, 1}, {200, 6}, {5, 200}}) {
                INFO(trace::name(stage) << " to " << rows << " x " << cols);
                const Matrix<float> fast = map.reduced(stage, rows, cols);
                const Matrix<float> slow = reduced_slowly(whole, rows, cols);
                REQUIRE(fast.rows() == slow.rows());
                REQUIRE(fast.cols() == slow.cols());
                for (Index i = 0; i < slow.size(); ++i) {
                    const float a = fast.data()[i], b = slow.data()[i];
                    CHECK((a == b || std::abs(a - b) <= 1e-5f));
                }
            }
            CHECK(map.reduced(stage, 100, 100) == whole);
        }
    }
}

TEST_CASE("a block of a reduced map is masked only where every cell of it is") {
    SmallAttention small;
    nn::Mask causal;
    causal.causal = true;
    for (auto& head : small.heads) head.settings.mask = causal;
    const auto attention = small.run();
    const auto grid = AttentionMap(attention, 0).reduced(Stage::masked, 3, 11);
    for (Index r = 0; r < 3; ++r) {
        for (Index key = 0; key < 11; ++key) {
            CHECK((grid(r, key) == -kInfinity) == (key > 3 * r + 2));
        }
    }
}

TEST_CASE("a rectangle beyond the map is a broken contract") {
    SmallAttention small;
    const auto attention = small.run();
    const AttentionMap map(attention, 0);
    CHECK_THROWS_AS(map.rectangle(Stage::weights, {0, 0, 10, 1}), base::ContractError);
    CHECK_THROWS_AS(map.rectangle(Stage::q, {0, 3, 1, 2}), base::ContractError);
    CHECK_THROWS_AS(map.rectangle(Stage::scores, {-1, 0, 1, 1}), base::ContractError);
    CHECK_THROWS_AS(AttentionMap(attention, 3), base::ContractError);
    CHECK_THROWS_AS(map.reduced(Stage::weights, 0, 5), base::ContractError);
}
