#include "nn/attention/step_attention.hpp"

#include "base/check.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/layers/cell.hpp"
#include "recurrent_params.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

using namespace heed;
using namespace heed::tests;
using nn::Index;

namespace {

constexpr Index kStepQueries = 9, kStepKeys = 21;

template <class S> num::Matrix<S> waves(Index rows, Index cols, double step) {
    return wave(rows, cols, step).cast<S>();
}

template <class S>
std::shared_ptr<const nn::ScoreParams<S>> params_of(Index d_q, Index d_k, Index hidden) {
    return std::make_shared<const nn::ScoreParams<S>>(
        nn::draw_score_params<S>(5, "decoder.attention.0", d_q, d_k, hidden));
}

template <class S> nn::Head<S> head_of(nn::Score score, Index d_q, Index d_k, Index hidden = 13) {
    nn::Head<S> head;
    head.settings.score = score;
    head.settings.gamma = S(0.9);
    head.score_params = params_of<S>(d_q, d_k, hidden);
    return head;
}

/// All queries one at a time, as a decoder asks them.
template <class S>
nn::AttentionCache<S> step_by_step(num::ThreadPool& pool, const nn::StepAttention<S>& attention,
                                   const num::Matrix<S>& q, num::Matrix<S>* weights = nullptr) {
    std::vector<nn::Attended<S>> steps;
    for (Index i = 0; i < q.rows(); ++i) {
        steps.push_back(attention.attend(pool, q.row(i), std::span(&i, 1)));
        if (weights) weights->row(i) = steps.back().weights.row(0);
    }
    std::vector<nn::AttendedRow<S>> rows;
    for (const auto& step : steps) rows.push_back({&step, 0});
    return attention.cache(rows);
}

/// The same queries, keys and values in one call: projections that change nothing.
template <class S>
nn::AttentionCache<S> at_once(num::ThreadPool& pool, const num::Matrix<S>& q,
                              const num::Matrix<S>& k, const nn::Head<S>& head, Index valid_keys,
                              S* weights) {
    nn::AttentionParams<S> params;
    params.query = params.key = params.value = params.output =
        num::Weights<S>(num::Matrix<S>::Identity(q.cols(), q.cols()));
    nn::AttentionOptions<S> options{.name = "decoder.attention", .valid_keys = valid_keys};
    options.all_weights = weights;
    return nn::attention_forward(pool, params, q, k, {head}, options);
}

template <class S>
num::Matrix<S> stage_of(const nn::AttentionCache<S>& cache,
                        void (*stage)(const nn::AttentionCache<S>&, Index, const num::Rect&,
                                      num::View<S>)) {
    num::Matrix<S> map(cache.n_queries(), cache.n_keys());
    stage(cache, 0, {0, 0, map.rows(), map.cols()}, num::view(map));
    return map;
}

template <class S> num::Matrix<double> column(const std::vector<S>& numbers) {
    num::Matrix<double> m(static_cast<Index>(numbers.size()), 1);
    for (Index i = 0; i < m.rows(); ++i) m(i, 0) = double(numbers[std::size_t(i)]);
    return m;
}

nn::Mask every_step_part() {
    nn::Mask mask;
    mask.padding = mask.causal = true;
    mask.window = 5;
    mask.painted = {{-1, 3}, {1, 0}, {1, 1}, {4, 2}, {4, 90}, {8, 8}};
    return mask;
}

/// Runs both ways and compares every stage that either keeps or makes again.
template <class S> void check_same(const nn::Head<S>& head, Index valid_keys = -1) {
    num::ThreadPool pool(2);
    const auto q = waves<S>(kStepQueries, 12, 0.7), k = waves<S>(kStepKeys, 12, 0.9);
    num::Matrix<S> weights(kStepQueries, kStepKeys), step_weights(kStepQueries, kStepKeys);
    const auto whole = at_once(pool, q, k, head, valid_keys, weights.data());
    const nn::StepAttention<S> attention("decoder.attention", k, k, head, valid_keys);
    const auto steps = step_by_step(pool, attention, q, &step_weights);
    // Roundings only: sums may be made in another order.
    const double tolerance = sizeof(S) == sizeof(float) ? 1e-6 : 1e-14;
    const auto in_double = [](const num::Matrix<S>& m) -> num::Matrix<double> {
        return m.template cast<double>();
    };
    CHECK(steps.name == whole.name);
    CHECK(steps.valid_keys == whole.valid_keys);
    CHECK(steps.q == whole.q);
    CHECK(steps.k == whole.k);
    CHECK(steps.v == whole.v);
    // What remakes the stages is the same function of the same q and k.
    CHECK(stage_of<S>(steps, nn::head_scores) == stage_of<S>(whole, nn::head_scores));
    CHECK(stage_of<S>(steps, nn::head_masked) == stage_of<S>(whole, nn::head_masked));
    check_close(column(steps.heads[0].row_max), column(whole.heads[0].row_max), tolerance);
    check_close(column(steps.heads[0].row_sum), column(whole.heads[0].row_sum), tolerance);
    check_close(step_weights, in_double(weights), tolerance);
    check_close(stage_of<S>(steps, nn::head_weights), in_double(weights), tolerance);
    check_close(steps.context, in_double(whole.context), tolerance);
}

} // namespace

TEST_CASE("attention step by step is attention at once, for every score and mask") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        for (const nn::Score score : nn::kScores) {
            INFO(nn::name(score));
            check_same(head_of<S>(score, 12, 12));
            auto head = head_of<S>(score, 12, 12);
            head.settings.mask = every_step_part();
            head.settings.temperature = S(0.3);
            head.settings.gain = S(0.5);
            check_same(head, 18);
            nn::Mask painted;
            for (Index j = 0; j < kStepKeys; ++j)
                painted.painted.emplace_back(4, j); // no key is left
            head.settings.mask = painted;
            check_same(head);
        }
    });
}

TEST_CASE("edits and dropout of a step are those of its row") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        for (const nn::Score score : {nn::Score::additive, nn::Score::dot}) {
            auto head = head_of<S>(score, 12, 12);
            head.settings.mask = every_step_part();
            head.settings.edits = {{0, 0, 0.25f}, {3, 0, 1.0f}, {3, 20, 0.5f}, {7, 2, 0.0f}};
            head.settings.gain = S(1.5);
            check_same(head);
            head.settings.dropout = 0.3f;
            head.settings.dropout_seed = 7;
            head.settings.edits.clear();
            check_same(head);
        }
    });
}

TEST_CASE("hypotheses are asked together, each at its own place in the map") {
    num::ThreadPool pool(2);
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        auto head = head_of<float>(score, 12, 12);
        head.settings.mask = every_step_part();
        head.settings.edits = {{3, 0, 0.75f}};
        head.settings.dropout = 0.2f;
        const auto k = waves<float>(kStepKeys, 12, 0.9);
        const nn::StepAttention<float> attention("decoder.attention", k, k, head, 18);
        const auto q = waves<float>(4, 12, 0.7);
        const Index places[] = {3, 3, 8, 0};
        const auto together = attention.attend(pool, q, places);
        for (Index r = 0; r < 4; ++r) {
            const auto alone = attention.attend(pool, q.row(r), std::span(places).subspan(r, 1));
            CHECK(alone.weights == together.weights.row(r));
            CHECK(alone.context == together.context.row(r));
            CHECK(alone.row_max[0] == together.row_max[std::size_t(r)]);
            CHECK(alone.row_sum[0] == together.row_sum[std::size_t(r)]);
        }
    }
}

TEST_CASE("a decoder's loop with attention agrees with PyTorch, for every score") {
    const auto& a = recurrent_arrays();
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        num::ThreadPool pool(2);
        for (const std::string side : {"decoder", "decoder_wide"}) {
            const std::string prefix = side + "/";
            const auto keys = a.at<S>(prefix + "keys"), y = a.at<S>("decoder/y");
            const auto cell = cell_params<S>(nn::Cell::gru, prefix, "");
            for (const nn::Score score : nn::kScores) {
                const std::string name = prefix + std::string(nn::name(score));
                if (!a.has(name + "/scores")) continue;
                INFO(name);
                nn::Head<S> head;
                head.settings.score = score;
                head.score_params = std::make_shared<const nn::ScoreParams<S>>(
                    nn::ScoreParams<S>{a.at<S>(prefix + "W"), a.at<S>(prefix + "U"),
                                       a.at<S>(prefix + "v"), a.at<S>(prefix + "B")});
                const nn::StepAttention<S> attention("decoder.attention", keys, keys, head);
                nn::CellState<S> state{a.at<S>("decoder/s_0"), {}};
                std::vector<nn::Attended<S>> steps;
                num::Matrix<S> states(y.rows(), state.h.cols());
                for (Index i = 0; i < y.rows(); ++i) {
                    steps.push_back(attention.attend(pool, state.h, std::span(&i, 1)));
                    num::Matrix<S> input(1, cell.in());
                    input << y.row(i), steps.back().context;
                    state = nn::cell_step(pool, cell, input, state).state;
                    states.row(i) = state.h;
                }
                std::vector<nn::AttendedRow<S>> rows;
                for (const auto& step : steps) rows.push_back({&step, 0});
                const auto cache = attention.cache(rows);
                CHECK(cache.d_q() == 4);
                CHECK(cache.d_k() == keys.cols());
                check_close(stage_of<S>(cache, nn::head_scores), a.at(name + "/scores"),
                            kTolerance<S>);
                check_close(stage_of<S>(cache, nn::head_weights), a.at(name + "/weights"),
                            kTolerance<S>);
                check_close(cache.context, a.at(name + "/context"), kTolerance<S>);
                check_close(states, a.at(name + "/states"), kTolerance<S>);
            }
        }
    });
}

TEST_CASE("a rectangle of a map of unequal widths is that part of the whole") {
    num::ThreadPool pool(1);
    const auto q = waves<float>(6, 5, 0.7), k = waves<float>(8, 9, 0.9);
    for (const nn::Score score : {nn::Score::additive, nn::Score::concat, nn::Score::bilinear}) {
        const nn::StepAttention<float> attention("decoder.attention", k, k,
                                                 head_of<float>(score, 5, 9));
        const auto cache = step_by_step(pool, attention, q);
        const auto whole = stage_of<float>(cache, nn::head_weights);
        num::Matrix<float> part(2, 3);
        nn::head_weights(cache, 0, {3, 4, 2, 3}, num::view(part));
        check_close(part, whole.block(3, 4, 2, 3).cast<double>(), 1e-6);
        CHECK(attention.cache({}).d_q() == 5);
    }
}

TEST_CASE("no keys give no context, and values that are no numbers stay with their keys") {
    num::ThreadPool pool(1);
    const Index first = 0;
    const num::Matrix<float> none(0, 4), q = waves<float>(1, 4, 0.7);
    for (const nn::Score score : nn::kScores) {
        const nn::StepAttention<float> attention("a", none, num::Matrix<float>(0, 3),
                                                 head_of<float>(score, 4, 4));
        const auto got = attention.attend(pool, q, std::span(&first, 1));
        CHECK(got.context == num::Matrix<float>::Zero(1, 3));
        CHECK(got.row_sum[0] == 0);
    }
    nn::Mask mask;
    mask.padding = true;
    auto head = head_of<float>(nn::Score::dot, 4, 4);
    head.settings.mask = mask;
    num::Matrix<float> values = waves<float>(3, 2, 0.4);
    values.setConstant(std::nanf(""));
    const nn::StepAttention<float> hidden("a", waves<float>(3, 4, 0.9), values, head, 0);
    CHECK(hidden.attend(pool, q, std::span(&first, 1)).context == num::Matrix<float>::Zero(1, 2));
}

TEST_CASE("an allowed score that overflows makes a step NaN, and a masked one does not") {
    num::ThreadPool pool(1);
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        const S large = std::sqrt(std::numeric_limits<S>::max()) * 8;
        num::Matrix<S> k(3, 2), q(1, 2);
        k << -large, 0, 1, 0, 0, 1;
        q << large, 0;
        nn::Head<S> head;
        const auto attend = [&] {
            const Index query = 2;
            return nn::StepAttention<S>("a", k, k, head).attend(pool, q, std::span(&query, 1));
        };
        auto got = attend();
        CHECK(std::isnan(got.row_sum[0]));
        CHECK(got.weights.array().isNaN().all());
        CHECK(got.context.array().isNaN().all());
        nn::Mask mask;
        mask.painted = {{2, 0}};
        head.settings.mask = mask;
        got = attend();
        CHECK(got.weights(0, 1) == 1);
        CHECK(got.context.allFinite());
        k(0, 0) = large;
        head.settings.mask = nn::Mask{};
        CHECK(std::isnan(attend().row_sum[0]));
    });
}

TEST_CASE("attention step by step names both numbers that do not fit") {
    num::ThreadPool pool(1);
    const auto message_of = [](auto&& call) -> std::string {
        try {
            call();
        } catch (const base::ContractError& error) {
            return error.what();
        }
        return "no error";
    };
    const auto holds = [](const std::string& message, const char* a, const char* b) {
        INFO(message);
        CHECK(message.find(a) != std::string::npos);
        CHECK(message.find(b) != std::string::npos);
    };
    const auto k = waves<float>(5, 6, 0.9), q = waves<float>(1, 4, 0.7);
    const Index first = 0;
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        const nn::StepAttention<float> attention("a", k, k, head_of<float>(score, 3, 6));
        holds(message_of([&] { attention.attend(pool, q, std::span(&first, 1)); }), "4",
              nn::has_parameters(score) ? "3" : "6");
    }
    const auto head = head_of<float>(nn::Score::additive, 4, 3);
    holds(message_of([&] { nn::StepAttention<float>("a", k, k, head); }), "6", "3");
    const auto dot = head_of<float>(nn::Score::dot, 6, 6);
    holds(message_of([&] { nn::StepAttention<float>("a", k, waves<float>(7, 6, 0.1), dot); }), "5",
          "7");
    holds(message_of([&] { nn::StepAttention<float>("a", k, k, dot, 9); }), "9", "5");
    auto cold = dot;
    cold.settings.temperature = 0;
    CHECK_THROWS_AS(nn::StepAttention<float>("a", k, k, cold), base::ContractError);
    auto biased = dot;
    biased.settings.positions = nn::Positions::alibi;
    holds(message_of([&] { nn::StepAttention<float>("a", k, k, biased); }), "alibi", "positions");
    auto bare = head;
    bare.score_params = nullptr;
    CHECK_THROWS_AS(nn::StepAttention<float>("a", k, k, bare), base::ContractError);
    const nn::StepAttention<float> attention("a", k, k, dot);
    holds(
        message_of([&] { attention.attend(pool, waves<float>(2, 6, 0.3), std::span(&first, 1)); }),
        "1", "2");
}
