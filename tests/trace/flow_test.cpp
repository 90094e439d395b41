#include "catch.hpp"

#include "base/check.hpp"
#include "trace/flow.hpp"

#include <cmath>
#include <numeric>

using namespace heed::trace;

namespace {

/// Rows sum to 1; different in every layer; with `causal`, no token looks ahead.
LayerMaps maps(Index n, int n_layers, bool causal = false) {
    LayerMaps layers;
    for (int layer = 0; layer < n_layers; ++layer) {
        auto map = std::make_shared<Matrix<float>>(n, n);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                const auto x = static_cast<float>((3 * i + 5 * j + 7 * layer) % 11 + 1);
                (*map)(i, j) = causal && j > i ? 0 : x;
            }
            map->row(i) /= map->row(i).sum();
        }
        layers.push_back(std::move(map));
    }
    return layers;
}

/// The shares of all paths from `from` at level 0 to `to` at level `level`, one by one.
double all_paths(const std::vector<Matrix<float>>& steps, std::size_t level, Index to, Index from) {
    if (level == 0) return to == from ? 1 : 0;
    double sum = 0;
    for (Index via = 0; via < steps[0].rows(); ++via) {
        sum +=
            static_cast<double>(steps[level - 1](to, via)) * all_paths(steps, level - 1, via, from);
    }
    return sum;
}

std::vector<Matrix<float>> steps_of(const LayerMaps& layers, FlowRule rule) {
    std::vector<Matrix<float>> steps;
    for (const auto& map : layers) {
        const Index n = map->rows();
        Matrix<float> step = *map;
        if (rule == FlowRule::rollout) {
            step = 0.5f * step + 0.5f * Matrix<float>::Identity(n, n);
        }
        steps.push_back(step);
    }
    return steps;
}

} // namespace

TEST_CASE("the flow from an input token is the sum over all paths") {
    for (const bool causal : {false, true}) {
        const LayerMaps layers = maps(5, 4, causal);
        const Matrix<float> whole = rollout(layers);
        for (const FlowRule rule : {FlowRule::raw, FlowRule::rollout}) {
            const auto steps = steps_of(layers, rule);
            for (Index to = 0; to < 5; ++to) {
                const Flow flow = flow_to(layers, rule, to);
                for (Index from = 0; from < 5; ++from) {
                    const double expected = all_paths(steps, steps.size(), to, from);
                    REQUIRE(std::abs(flow.reach(0, from) - expected) < 1e-6);
                    if (rule == FlowRule::rollout) {
                        REQUIRE(std::abs(whole(to, from) - expected) < 1e-6);
                    }
                }
            }
        }
    }
}

TEST_CASE("nothing of the flow is lost or made on the way") {
    const Flow flow = flow_to(maps(6, 3), FlowRule::rollout, 2);
    for (Index level = 0; level <= 3; ++level) {
        CHECK(std::abs(flow.reach.row(level).sum() - 1) < 1e-6f);
    }
    for (Index layer = 0; layer < 3; ++layer) {
        for (Index from = 0; from < 6; ++from) {
            float sum = 0;
            for (Index to = 0; to < 6; ++to) sum += flow.share(layer, to, from);
            CHECK(std::abs(sum - flow.reach(layer, from)) < 1e-6f);
        }
    }
    CHECK(flow.reach(3, 2) == 1);
}

TEST_CASE("rollout of even attention: a share of 2^−L stays, the rest is even") {
    const Index n = 4;
    for (const int n_layers : {1, 2, 5}) {
        LayerMaps layers(static_cast<std::size_t>(n_layers),
                         std::make_shared<Matrix<float>>(Matrix<float>::Constant(n, n, 0.25f)));
        const double stays = std::exp2(-n_layers);
        const Matrix<float> whole = rollout(layers);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                const double expected = (i == j ? stays : 0) + (1 - stays) / 4;
                CHECK(std::abs(whole(i, j) - expected) < 1e-6);
            }
        }
    }
}

TEST_CASE("attention to oneself leaves every token its own") {
    const LayerMaps layers(3, std::make_shared<Matrix<float>>(Matrix<float>::Identity(4, 4)));
    CHECK(rollout(layers).isApprox(Matrix<float>::Identity(4, 4)));
    CHECK(flow_to(layers, FlowRule::raw, 1).reach(0, 1) == 1);
}

TEST_CASE("a query without keys keeps what it holds under rollout, and gets nothing raw") {
    auto map = std::make_shared<Matrix<float>>(Matrix<float>::Constant(3, 3, 1 / 3.f));
    map->row(1).setZero();
    CHECK(with_residual(*map).row(1).isApprox(Matrix<float>::Identity(3, 3).row(1)));
    CHECK(flow_to({map}, FlowRule::rollout, 1).reach(0, 1) == 1);
    CHECK(flow_to({map}, FlowRule::raw, 1).reach.row(0).sum() == 0);
}

TEST_CASE("maps that are not square or not of one size are refused, and tokens that are none") {
    using heed::base::ContractError;
    const auto square = std::make_shared<Matrix<float>>(Matrix<float>::Identity(3, 3));
    const auto other = std::make_shared<Matrix<float>>(Matrix<float>::Identity(4, 4));
    const auto flat = std::make_shared<Matrix<float>>(Matrix<float>::Zero(3, 4));
    CHECK_THROWS_AS(rollout({square, other}), ContractError);
    CHECK_THROWS_AS(rollout({flat}), ContractError);
    CHECK_THROWS_AS(flow_to({square, nullptr}, FlowRule::raw, 0), ContractError);
    CHECK_THROWS_AS(flow_to({square}, FlowRule::raw, 3), ContractError);
    CHECK_THROWS_AS(flow_to({}, FlowRule::raw, 0), ContractError);
    CHECK(rollout({}).size() == 0);
}
