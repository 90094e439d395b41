#include "base/check.hpp"
#include "nn/attention/score_info.hpp"
#include "reference_params.hpp"

#include <sys/resource.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

using namespace heed;
using namespace heed::tests;
using nn::Index;

namespace {

constexpr Index kQueries = 5, kKeys = 6;

template <class S> struct Case {
    num::ThreadPool pool{2};
    std::vector<nn::Head<S>> heads = scaled_heads<S>(2, 4);
    nn::AttentionOptions<S> options{.name = "mha"};
    num::Matrix<S> all_weights = num::Matrix<S>::Constant(2 * kQueries, kKeys, 7);

    nn::AttentionCache<S> run() {
        options.all_weights = all_weights.data();
        return nn::attention_forward(pool, attention_params<S>("mha/"),
                                     nn_arrays().at<S>("mha/x_queries"),
                                     nn_arrays().at<S>("mha/x_keys"), heads, options);
    }
};

template <class S>
num::Matrix<S> both_heads(const nn::AttentionCache<S>& cache,
                          void (*stage)(const nn::AttentionCache<S>&, Index, const num::Rect&,
                                        num::View<S>)) {
    num::Matrix<S> stacked(2 * kQueries, kKeys);
    for (Index h = 0; h < 2; ++h) {
        stage(cache, h, {0, 0, kQueries, kKeys},
              num::view(stacked, h * kQueries, 0, kQueries, kKeys));
    }
    return stacked;
}

num::Matrix<double> wave(Index rows, Index cols, double step) {
    num::Matrix<double> x(rows, cols);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(step * double(i * i % 1009));
    return x;
}

template <class S> void check_case(const std::string& name, Case<S>& c) {
    INFO(name);
    const nn::AttentionCache<S> cache = c.run();
    const auto& a = nn_arrays();
    check_close(both_heads<S>(cache, nn::head_scores), a.at(name + "/scores"), kTolerance<S>);
    check_close(both_heads<S>(cache, nn::head_masked), a.at(name + "/masked"), kTolerance<S>);
    check_close(both_heads<S>(cache, nn::head_weights), a.at(name + "/weights"), kTolerance<S>);
    check_close(c.all_weights, a.at(name + "/weights"), kTolerance<S>);
    check_close(cache.context, a.at(name + "/context"), kTolerance<S>);
    check_close(cache.output, a.at(name + "/output"), kTolerance<S>);
    // Without a place for all weights the result is the same.
    c.options.all_weights = nullptr;
    const auto bare =
        nn::attention_forward(c.pool, attention_params<S>("mha/"), a.at<S>("mha/x_queries"),
                              a.at<S>("mha/x_keys"), c.heads, c.options);
    check_close(bare.output, a.at(name + "/output"), kTolerance<S>);
}

void check_both(const std::string& name, auto&& set_up) {
    for_float_and_double([&](auto zero) {
        Case<decltype(zero)> c;
        set_up(c);
        check_case(name, c);
    });
}

const std::vector<std::pair<Index, Index>> kPainted = {{0, 1}, {1, 0}, {3, 2}, {3, 3}, {4, 5}};

nn::Mask every_part() {
    nn::Mask mask;
    mask.padding = mask.causal = true;
    mask.window = 1;
    mask.painted = kPainted;
    return mask;
}

void set_mask(auto& c, const nn::Mask& mask) {
    for (auto& head : c.heads) head.settings.mask = mask;
}

} // namespace

TEST_CASE("multi-head attention agrees with torch.nn.MultiheadAttention under every mask") {
    check_both("mha/plain", [](auto&) {});
    check_both("mha/padding", [](auto& c) {
        nn::Mask mask;
        mask.padding = true;
        set_mask(c, mask);
        c.options.valid_keys = 4;
    });
    check_both("mha/causal", [](auto& c) {
        nn::Mask mask;
        mask.causal = true;
        set_mask(c, mask);
    });
    check_both("mha/window", [](auto& c) {
        nn::Mask mask;
        mask.window = 1;
        set_mask(c, mask);
    });
    check_both("mha/painted", [](auto& c) {
        nn::Mask mask;
        mask.painted = kPainted;
        set_mask(c, mask);
    });
    check_both("mha/intersection", [](auto& c) {
        set_mask(c, every_part());
        c.options.valid_keys = 4;
    });
}

TEST_CASE("a row whose keys are all masked has no weights, no context and no NaN") {
    check_both("mha/empty_row", [](auto& c) {
        nn::Mask mask;
        mask.painted = kPainted;
        for (Index j = 0; j < kKeys; ++j) mask.painted.emplace_back(2, j);
        std::sort(mask.painted.begin(), mask.painted.end());
        set_mask(c, mask);
    });
    Case<float> c;
    nn::Mask mask;
    mask.padding = true;
    set_mask(c, mask);
    c.options.valid_keys = 0; // no row has a key
    const auto cache = c.run();
    CHECK(c.all_weights == num::Matrix<float>::Zero(2 * kQueries, kKeys));
    CHECK(cache.context == num::Matrix<float>::Zero(kQueries, 8));
    CHECK(both_heads<float>(cache, nn::head_weights) ==
          num::Matrix<float>::Zero(2 * kQueries, kKeys));
    CHECK(cache.heads[1].row_sum[0] == 0);
    CHECK(std::isinf(cache.heads[1].row_max[0]));
    CHECK(cache.output.allFinite());
}

TEST_CASE("masked keys receive no weight") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        Case<S> c;
        set_mask(c, every_part());
        c.options.valid_keys = 4;
        const auto cache = c.run();
        const auto weights = both_heads<S>(cache, nn::head_weights);
        for (Index i = 0; i < kQueries; ++i) {
            for (Index j = 0; j < kKeys; ++j) {
                if (every_part().allows(i, j, 4)) continue;
                CHECK(weights(i, j) == 0);
                CHECK(c.all_weights(i, j) == 0);
            }
        }
    });
}

TEST_CASE("painted cells outside the map are of no effect") {
    Case<float> plain, painted;
    nn::Mask mask;
    mask.painted = {{-1, 2}, {0, -3}, {1, 6}, {1, 900}, {5, 0}, {70, 1}};
    set_mask(painted, mask);
    CHECK(plain.run().output == painted.run().output);
}

TEST_CASE("factor, temperature and gain are those of the formulas") {
    check_both("mha/turned_knobs", [](auto& c) {
        for (auto& head : c.heads) {
            head.settings.gamma = 1.5;
            head.settings.temperature = 2.5;
        }
        c.heads[0].settings.gain = 0.5;
        c.heads[1].settings.gain = 0;
    });
    check_both("mha/no_scale", [](auto& c) {
        for (auto& head : c.heads) head.settings.gamma = 1;
    });
}

TEST_CASE("a softcap bounds scaled scores, before temperature and softmax") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        constexpr S kCap = S(0.8), kTemperature = S(0.5);
        Case<S> c;
        for (auto& head : c.heads) {
            head.settings.softcap = kCap;
            head.settings.temperature = kTemperature;
        }
        const auto cache = c.run();
        const S gamma = c.heads[0].settings.gamma;
        const num::Matrix<S> scores = both_heads<S>(cache, nn::head_scores);
        num::Matrix<double> scaled(scores.rows(), scores.cols()), weights = scaled;
        for (Index i = 0; i < scores.size(); ++i) {
            scaled.data()[i] = double(kCap) * std::tanh(double(gamma * scores.data()[i] / kCap));
        }
        for (Index r = 0; r < scaled.rows(); ++r) {
            weights.row(r) = (scaled.row(r).array() / double(kTemperature)).exp();
            weights.row(r) /= weights.row(r).sum();
        }
        check_close(both_heads<S>(cache, nn::head_scaled), scaled, kTolerance<S>);
        check_close(both_heads<S>(cache, nn::head_weights), weights, kTolerance<S>);
        check_close(c.all_weights, weights, kTolerance<S>);
    });
}

TEST_CASE("queries and keys of each head get a mean square of 1, times the gain") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        Case<S> c;
        auto params = attention_params<S>("mha/");
        const auto plain = c.run();
        const Index width = plain.d_k();
        params.query_norm = num::RowVector<S>::LinSpaced(width, S(0.5), S(2));
        params.key_norm = num::RowVector<S>::LinSpaced(width, S(-1), S(1));
        const auto normed =
            nn::attention_forward(c.pool, params, nn_arrays().at<S>("mha/x_queries"),
                                  nn_arrays().at<S>("mha/x_keys"), c.heads, c.options);
        const auto expected = [&](const num::Matrix<S>& x, const num::RowVector<S>& gain) {
            num::Matrix<double> y = x.template cast<double>();
            for (Index r = 0; r < y.rows(); ++r) {
                for (Index at = 0; at < y.cols(); at += width) {
                    auto head = y.row(r).segment(at, width);
                    const double square = head.squaredNorm() / double(width);
                    head.array() *= gain.template cast<double>().array() / std::sqrt(square + 1e-6);
                }
            }
            return y;
        };
        check_close(normed.q, expected(plain.q, params.query_norm), kTolerance<S>);
        check_close(normed.k, expected(plain.k, params.key_norm), kTolerance<S>);
    });
}

TEST_CASE("every score makes weights inside a head, and heads may differ") {
    for (const nn::Score score : nn::kScores) {
        check_both("mha/" + std::string(nn::name(score)), [&](auto& c) {
            using S = decltype(c.all_weights.sum());
            for (auto& head : c.heads) {
                head.settings.score = score;
                head.settings.gamma = 1;
                head.score_params = reference_score_params<S>();
            }
        });
    }
    check_both("mha/mixed", [](auto& c) {
        using S = decltype(c.all_weights.sum());
        c.heads[0].settings.score = nn::Score::additive;
        c.heads[0].score_params = reference_score_params<S>();
        c.heads[1].settings.score = nn::Score::cosine;
        for (auto& head : c.heads) head.settings.gamma = 2;
    });
}

TEST_CASE("positions act inside the heads") {
    const auto set = [](auto& c, nn::Positions positions, bool directed) {
        for (auto& head : c.heads) head.settings.positions = positions;
        c.options.directed = directed;
    };
    check_both("mha/rotary", [&](auto& c) { set(c, nn::Positions::rotary, false); });
    check_both("mha/alibi", [&](auto& c) { set(c, nn::Positions::alibi, false); });
    check_both("mha/alibi_directed", [&](auto& c) { set(c, nn::Positions::alibi, true); });
    for (const bool directed : {false, true}) {
        check_both(directed ? "mha/relative_directed" : "mha/relative", [&](auto& c) {
            using S = decltype(c.all_weights.sum());
            static const auto table = nn_arrays().at<S>("mha/relative_table");
            set(c, nn::Positions::relative, directed);
            c.options.relative_table = &table;
        });
    }
}

TEST_CASE("only the heads that are rotary are turned") {
    Case<double> none, first, both;
    first.heads[0].settings.positions = nn::Positions::rotary;
    for (auto& head : both.heads) head.settings.positions = nn::Positions::rotary;
    const auto n = none.run(), f = first.run(), b = both.run();
    CHECK(n.q_rotated.size() == 0);
    CHECK(f.context.leftCols(4) == b.context.leftCols(4));
    CHECK(f.context.rightCols(4) == n.context.rightCols(4));
    CHECK(f.q == n.q);
}

TEST_CASE("rectangles are cut from the whole map") {
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        Case<float> c;
        set_mask(c, every_part());
        c.options.valid_keys = 4;
        for (auto& head : c.heads) {
            head.settings.score = score;
            head.score_params = reference_score_params<float>();
            head.settings.positions = nn::Positions::alibi;
        }
        const auto cache = c.run();
        for (const auto stage : {nn::head_scores<float>, nn::head_scaled<float>,
                                 nn::head_masked<float>, nn::head_weights<float>}) {
            const num::Matrix<float> whole = both_heads<float>(cache, stage).bottomRows(kQueries);
            for (const num::Rect& r : {num::Rect{1, 2, 3, 4}, num::Rect{4, 0, 1, 1},
                                       num::Rect{0, 5, 5, 1}, num::Rect{2, 2, 0, 3}}) {
                num::Matrix<float> part(r.rows, r.cols);
                stage(cache, 1, r, num::view(part));
                const num::Matrix<double> cut =
                    whole.block(r.row, r.col, r.rows, r.cols).cast<double>();
                check_close(part, cut, 1e-6);
            }
        }
    }
}

TEST_CASE("what was projected before is taken over, and nothing changes") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        Case<S> c;
        const auto first = c.run();
        c.options.same_queries = c.options.same_keys = &first;
        c.heads[0].settings.gamma = 1;
        const auto reused = c.run();
        c.options.same_queries = c.options.same_keys = nullptr;
        CHECK(reused.output == c.run().output);
        CHECK(reused.output != first.output);
    });
}

TEST_CASE("dropped weights are made again, and are what the values were summed with") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        Case<S> c;
        c.heads[0].settings.dropout = 0.4f;
        c.heads[0].settings.dropout_seed = 11;
        c.heads[0].settings.gain = 0.5;
        const auto cache = c.run();
        const auto weights = both_heads<S>(cache, nn::head_weights);
        check_close(c.all_weights, weights.template cast<double>(), 1e-6);
        CHECK((weights.topRows(kQueries).array() == 0).any());
        CHECK(!(weights.bottomRows(kQueries).array() == 0).any());
        const num::Matrix<S> context = weights.topRows(kQueries) * cache.v.leftCols(4) * S(0.5);
        check_close(cache.context.leftCols(4), context.template cast<double>(), kTolerance<S>);
        c.options.all_weights = nullptr;
        const auto bare = nn::attention_forward(
            c.pool, attention_params<S>("mha/"), nn_arrays().at<S>("mha/x_queries"),
            nn_arrays().at<S>("mha/x_keys"), c.heads, c.options);
        CHECK(bare.output == cache.output);
        const S factor = nn::weight_dropout(cache, 0, 3, 2);
        CHECK((factor == 0) == (weights(3, 2) == 0));
        CHECK(nn::weight_dropout(cache, 1, 3, 2) == 1);
    });
}

TEST_CASE("permuting tokens without positions only permutes the maps") {
    num::ThreadPool pool(1);
    const auto params = attention_params<double>("mha/");
    const auto x = nn_arrays().at("mha/x_keys");
    const std::vector<Index> order{3, 0, 5, 1, 4, 2};
    num::Matrix<double> shuffled(x.rows(), x.cols());
    for (Index i = 0; i < x.rows(); ++i) shuffled.row(i) = x.row(order[std::size_t(i)]);
    for (const auto positions :
         {nn::Positions::none, nn::Positions::rotary, nn::Positions::alibi}) {
        auto heads = scaled_heads<double>(2, 4);
        for (auto& head : heads) head.settings.positions = positions;
        num::Matrix<double> before(12, 6), after(12, 6);
        nn::attention_forward(pool, params, x, x, heads, {.all_weights = before.data()});
        nn::attention_forward(pool, params, shuffled, shuffled, heads,
                              {.all_weights = after.data()});
        double largest = 0;
        for (Index h = 0; h < 2; ++h) {
            for (Index i = 0; i < 6; ++i) {
                for (Index j = 0; j < 6; ++j) {
                    const double moved =
                        before(h * 6 + order[std::size_t(i)], order[std::size_t(j)]);
                    largest = std::max(largest, std::abs(moved - after(h * 6 + i, j)));
                }
            }
        }
        if (positions == nn::Positions::none) {
            CHECK(largest < 1e-14);
        } else {
            CHECK(largest > 1e-3);
        }
    }
}

TEST_CASE("many heads and long sentences are the same in float, fused, and in double, plain") {
    num::ThreadPool pool(2);
    const Index n = 70, m = 83, d = 24;
    const auto params = [&](auto zero) {
        using S = decltype(zero);
        nn::AttentionParams<S> p;
        p.query = num::Weights<S>(wave(d, d, 0.31).cast<S>());
        p.key = num::Weights<S>(wave(d, d, 0.17).cast<S>());
        p.value = num::Weights<S>(wave(d, d, 0.23).cast<S>());
        p.output = num::Weights<S>(wave(d, d, 0.41).cast<S>());
        return p;
    };
    nn::Mask mask;
    mask.padding = true;
    mask.window = 9;
    mask.painted = {{0, 1}, {12, 12}, {66, 60}, {69, 60}};
    // The heads are of three kinds, so that they go through the fused kernel and beside it.
    const auto heads = [&](auto zero, nn::Score score, float dropout) {
        using S = decltype(zero);
        auto three = scaled_heads<S>(3, 8, mask);
        three[1].settings.score = score;
        three[1].score_params = std::make_shared<const nn::ScoreParams<S>>(
            nn::ScoreParams<S>{wave(8, 5, 0.13).cast<S>(), wave(8, 5, 0.19).cast<S>(),
                               wave(1, 5, 0.29).cast<S>().row(0), wave(8, 8, 0.37).cast<S>()});
        three[1].settings.positions = nn::Positions::alibi;
        three[2].settings.positions = nn::Positions::rotary;
        three[1].settings.gain = S(1.5);
        for (auto& head : three) {
            head.settings.dropout = dropout;
            head.settings.dropout_seed = 3;
        }
        return three;
    };
    const auto xq = wave(n, d, 0.7), xk = wave(m, d, 0.9);
    for (const nn::Score score : nn::kScores) {
        for (const float dropout : {0.f, 0.25f}) {
            INFO(nn::name(score) << ", dropout " << dropout);
            const auto slow = nn::attention_forward<double>(pool, params(double()), xq, xk,
                                                            heads(double(), score, dropout),
                                                            {.name = "mha", .valid_keys = 75});
            num::Matrix<float> weights(3 * n, m);
            nn::AttentionOptions<float> options{
                .name = "mha", .valid_keys = 75, .all_weights = weights.data()};
            const auto run = [&] {
                return nn::attention_forward<float>(pool, params(float()), xq.cast<float>(),
                                                    xk.cast<float>(),
                                                    heads(float(), score, dropout), options);
            };
            const auto fast = run();
            check_close(fast.output, slow.output, 1e-5);
            for (Index h = 0; h < 3; ++h) {
                num::Matrix<double> map(n, m);
                nn::head_weights(slow, h, {0, 0, n, m}, num::view(map));
                check_close(weights.middleRows(h * n, n), map, 1e-5);
            }
            options.all_weights = nullptr;
            check_close(run().output, slow.output, 1e-5);
        }
    }
}

TEST_CASE("an allowed score that overflows to -inf is not taken for a mask") {
    num::ThreadPool pool(2);
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        const S large = std::sqrt(std::numeric_limits<S>::max()) * 8;
        nn::AttentionParams<S> params;
        params.query = params.key = params.value = params.output =
            num::Weights<S>(num::Matrix<S>::Identity(2, 2));
        num::Matrix<S> queries(3, 2), keys(3, 2);
        queries << large, 0, 1, 0, 0, 1;
        keys << -large, 0, 1, 0, 0, 1;
        num::Matrix<S> weights(3, 3);
        const auto run = [&](const nn::HeadSettings<S>& settings) {
            return nn::attention_forward(pool, params, queries, keys,
                                         {{settings, {}, {}, {}, {}, {}}},
                                         {.all_weights = weights.data()});
        };
        const auto row_is_nan = [&](const nn::AttentionCache<S>& cache, Index row) {
            const bool nan = std::isnan(cache.heads[0].row_sum[static_cast<std::size_t>(row)]);
            CHECK(cache.context.row(row).array().isNaN().all() == nan);
            CHECK(cache.output.row(row).array().isNaN().all() == nan);
            CHECK(weights.row(row).array().isNaN().all() == nan);
            CHECK(weights.row(row).allFinite() == !nan);
            return nan;
        };
        nn::HeadSettings<S> settings;
        auto cache = run(settings); // the first query's score with the first key
        CHECK(row_is_nan(cache, 0));
        CHECK_FALSE(row_is_nan(cache, 1));
        CHECK_FALSE(row_is_nan(cache, 2));

        nn::Mask mask;
        mask.painted = {{0, 0}};
        settings.mask = mask;
        cache = run(settings); // nobody asks for it
        for (Index row = 0; row < 3; ++row) CHECK_FALSE(row_is_nan(cache, row));
        CHECK(weights(0, 1) == 1);

        settings.gamma = large; // the second query's score with it, scaled; its others are finite
        cache = run(settings);
        CHECK(row_is_nan(cache, 1));
        CHECK_FALSE(row_is_nan(cache, 2));

        settings.mask = nn::Mask{};
        settings.gamma = 1;
        settings.score = nn::Score::cosine; // of any vectors at all
        cache = run(settings);
        for (Index row = 0; row < 3; ++row) CHECK_FALSE(row_is_nan(cache, row));
    });
}

// A sanitizer keeps what was freed for a while, and so has a peak of its own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("scores that are no product and dropout do not write all maps of a module out at once") {
    num::ThreadPool pool(2);
    const Index n = 600, h = 64; // 92 MB of maps
    nn::AttentionParams<float> params;
    params.query = params.key = params.value = params.output =
        num::Weights<float>(wave(h, h, 0.31).cast<float>());
    auto heads = scaled_heads<float>(static_cast<std::size_t>(h), 1);
    for (auto& head : heads) {
        head.settings.score = nn::Score::additive;
        head.score_params = std::make_shared<const nn::ScoreParams<float>>(
            nn::draw_score_params<float>(1, "head", 1, 1, 1));
        head.settings.dropout = 0.1f;
    }
    const num::Matrix<float> x = wave(n, h, 0.7).cast<float>();
    const auto peak = [] { // kB
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const auto before = peak();
    const auto cache = nn::attention_forward(pool, params, x, x, heads, {.name = "mha"});
    CHECK(cache.output.allFinite());
    CHECK(peak() - before < 16 * 1024);
}
#endif

TEST_CASE("an attention layer names the widths that do not fit") {
    Case<float> c;
    c.heads = scaled_heads<float>(3, 4); // 8 features and 3 heads
    try {
        c.run();
        FAIL("no error");
    } catch (const base::ContractError& error) {
        const std::string message = error.what();
        CHECK(message.find('8') != std::string::npos);
        CHECK(message.find('3') != std::string::npos);
    }
    Case<float> additive;
    additive.heads[1].settings.score = nn::Score::additive;
    CHECK_THROWS_AS(additive.run(), base::ContractError);
    Case<float> cold;
    cold.heads[0].settings.temperature = 0;
    CHECK_THROWS_AS(cold.run(), base::ContractError);
}
