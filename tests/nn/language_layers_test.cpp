// The layers that language models are made of, against PyTorch (tests/reference/make_layers.py).
#include "base/check.hpp"
#include "central_differences.hpp"
#include "nn/attention/attention.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/segment_attention.hpp"
#include "nn/layers/decoder_layer.hpp"
#include "nn/layers/embedding.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/norm.hpp"
#include "reference_arrays.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

using namespace heed;
using namespace heed::tests;
using num::Matrix;
using num::view;

namespace {

const ReferenceArrays& layers() {
    static const ReferenceArrays arrays("layers.txt");
    return arrays;
}

template <class S> num::Weights<S> weights(const std::string& name) {
    return num::Weights<S>(layers().at<S>(name));
}

template <class S> nn::AttentionParams<S> grouped_params() {
    return {weights<S>("gqa/q"),
            weights<S>("gqa/k"),
            weights<S>("gqa/v"),
            weights<S>("gqa/o"),
            {},
            {},
            {},
            {}};
}

template <class S> nn::HeadSettings<S> causal_settings(nn::Positions positions) {
    nn::HeadSettings<S> settings;
    settings.gamma = 1 / std::sqrt(S(6));
    nn::Mask causal;
    causal.causal = true;
    settings.mask = causal;
    settings.positions = positions;
    return settings;
}

/// LLaMA's: by halves, base 500000.
nn::RotarySettings halves(double base) {
    nn::RotarySettings settings;
    settings.pairs = nn::RotarySettings::Pairs::halves;
    settings.base = base;
    return settings;
}

nn::RotarySettings first_features(int width) {
    nn::RotarySettings settings;
    settings.width = width;
    return settings;
}

} // namespace

TEST_CASE("RMSNorm and a norm without shift are PyTorch's") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        num::ThreadPool pool(2);
        const Matrix<S> x = layers().at<S>("x");
        nn::LayerNormParams<S> p{layers().at<S>("gain"), {}, S(1e-6), nn::NormKind::rms};
        check_close(nn::layer_norm_forward(pool, p, x).y, layers().at("rms"), kTolerance<S>);
        p.kind = nn::NormKind::layer;
        p.epsilon = S(1e-5);
        check_close(nn::layer_norm_forward(pool, p, x).y, layers().at("layer_without_shift"),
                    kTolerance<S>);
    });
}

TEST_CASE("norms of each kind pass back what central differences say, with a shift and without") {
    num::ThreadPool pool(1);
    const Index n = 3, d = 5;
    for (const auto kind : {nn::NormKind::layer, nn::NormKind::rms}) {
        for (const bool shifted : {false, true}) {
            Matrix<double> x = drawn(n, d, "x");
            const Matrix<double> dy = drawn(n, d, "dy");
            nn::LayerNormParams<double> p{drawn(1, d, "gain"), {}, 1e-5, kind};
            if (shifted) p.shift = drawn(1, d, "shift");
            const auto loss = [&] {
                return nn::layer_norm_forward(pool, p, x).y.cwiseProduct(dy).sum();
            };
            Matrix<double> dx, dgain = Matrix<double>::Zero(1, d), dshift = dgain;
            nn::layer_norm_backward(p, nn::layer_norm_forward(pool, p, x).cache, x, dy,
                                    dgain.data(), shifted ? dshift.data() : nullptr, dx);
            check_gradient("x", x, dx, loss);
            check_gradient("gain", p.gain.data(), d, dgain.data(), loss);
            if (shifted) check_gradient("shift", p.shift.data(), d, dshift.data(), loss);
        }
    }
}

TEST_CASE("activations are PyTorch's, and their slopes what central differences say") {
    for (const nn::ActivationInfo& row : nn::kActivationInfos) {
        INFO(row.name);
        CHECK(nn::activation_named(row.name) == row.activation);
        for_float_and_double([&](auto zero) {
            using S = decltype(zero);
            const Matrix<S> y = layers().at<S>("points").unaryExpr(
                [&](S x) { return nn::activate(row.activation, x); });
            check_close(y, layers().at(fmt::format("activation/{}", row.name)), kTolerance<S>);
        });
        for (double x = -3.9; x < 4; x += 0.37) {
            const double h = 1e-5, slope = (nn::activate(row.activation, x + h) -
                                            nn::activate(row.activation, x - h)) /
                                           (2 * h);
            CHECK(nn::activation_slope(row.activation, x) == Approx(slope).margin(1e-8));
        }
    }
}

TEST_CASE("feed-forward is PyTorch's: plain and gated, with biases and without") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        num::ThreadPool pool(2);
        const Matrix<S> x = layers().at<S>("x");
        for (const nn::ActivationInfo& row : nn::kActivationInfos) {
            const auto at = [&](const char* which) {
                return fmt::format("ff/{}/{}", row.name, which);
            };
            INFO(row.name);
            nn::FeedForwardParams<S> p{weights<S>("ff/w1"), weights<S>("ff/w2"), {}, {}};
            check_close(nn::feed_forward(pool, p, row.activation, x).output,
                        layers().at(at("plain")), kTolerance<S>);
            p.gate = weights<S>("ff/gate");
            check_close(nn::feed_forward(pool, p, row.activation, x).output,
                        layers().at(at("gated")), kTolerance<S>);
            p.bias1 = layers().at<S>("ff/b1");
            p.gate_bias = layers().at<S>("ff/c");
            p.bias2 = layers().at<S>("ff/b2");
            check_close(nn::feed_forward(pool, p, row.activation, x).output,
                        layers().at(at("gated_biased")), kTolerance<S>);
        }
    });
}

TEST_CASE("a gated feed-forward passes back what central differences say") {
    using Mat = Matrix<double>;
    const Index n = 4, d = 3, d_ff = 6;
    for (const nn::ActivationInfo& row : nn::kActivationInfos) {
        INFO(row.name);
        Mat x = drawn(n, d, "x"), w1 = drawn(d, d_ff, "w1"), w2 = drawn(d_ff, d, "w2"),
            gate = drawn(d, d_ff, "gate"), c = drawn(1, d_ff, "c");
        const Mat dy = drawn(n, d, "dy");
        nn::LearnedFeedForward<double> layer;
        layer.activation = row.activation;
        nn::FeedForwardCache<double> cache;
        const auto loss = [&] {
            layer.linear1.set(view(std::as_const(w1)), {});
            layer.gate.set(view(std::as_const(gate)), {c.data(), std::size_t(d_ff)});
            layer.linear2.set(view(std::as_const(w2)), {});
            Mat y;
            nn::feed_forward_forward<double>(layer, x, nullptr, cache, y);
            return y.cwiseProduct(dy).sum();
        };
        loss();
        Mat dx = Mat::Zero(n, d), dw1(d, d_ff), dw2(d_ff, d), dgate(d, d_ff), dc(1, d_ff);
        nn::feed_forward_backward<double>(
            layer, cache, x, dy,
            {{dw1.data(), nullptr}, {dw2.data(), nullptr}, {dgate.data(), dc.data()}}, dx);
        check_gradient("x", x, dx, loss);
        check_gradient("W1", w1, dw1, loss);
        check_gradient("W2", w2, dw2, loss);
        check_gradient("V", gate, dgate, loss);
        check_gradient("c", c, dc, loss);
    }
}

TEST_CASE(
    "rotary positions turn by pairs and by halves, over a part of a head, scaled as LLaMA 3") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        const Matrix<S> x = layers().at<S>("rotary/x");
        const auto turned = [&](const nn::RotarySettings& settings) {
            Matrix<S> y(x.rows(), x.cols());
            nn::rotate(nn::rotary_table<S>(x.rows(), x.cols(), 0, settings), view(x), view(y));
            return y;
        };
        check_close(turned(halves(500000)), layers().at("rotary/halves"), kTolerance<S>);
        check_close(turned(first_features(4)), layers().at("rotary/pairs_part"), kTolerance<S>);
        nn::RotarySettings part = halves(10000);
        part.width = 6;
        check_close(turned(part), layers().at("rotary/halves_part"), kTolerance<S>);
        nn::RotarySettings scaled = halves(500);
        scaled.scaling = nn::RotaryScaling{8, 1, 4, 32};
        check_close(turned(scaled), layers().at("rotary/llama3"), kTolerance<S>);
        CHECK_THROWS_AS(turned(first_features(10)), base::ContractError);
    });
}

TEST_CASE("query heads share heads of keys and values, and are as wide as they like") {
    for_float_and_double([](auto zero) {
        using S = decltype(zero);
        num::ThreadPool pool(2);
        const Matrix<S> x = layers().at<S>("x");
        for (const auto positions : {nn::Positions::none, nn::Positions::rotary}) {
            nn::AttentionOptions<S> options{.name = "self"};
            options.positions.rotary = halves(500000);
            std::vector<nn::Head<S>> heads(4);
            for (auto& h : heads) h.settings = causal_settings<S>(positions);
            const auto cache =
                nn::attention_forward(pool, grouped_params<S>(), x, x, heads, options);
            const bool rotary = positions == nn::Positions::rotary;
            check_close(cache.output,
                        layers().at(fmt::format("gqa/{}", rotary ? "rotary" : "output")),
                        kTolerance<S>);
            CHECK(cache.d_q() == 6);
            CHECK(cache.d_k() == 6);
            CHECK(cache.d_v() == 6);
            // What is shown is what multiplied V.
            for (Index h = 0; h < 4; ++h) {
                Matrix<S> map(5, 5);
                nn::head_weights(cache, h, {0, 0, 5, 5}, view(map));
                const Matrix<S> context = map * cache.v.middleCols(h / 2 * 6, 6);
                check_close(context, cache.context.middleCols(h * 6, 6).template cast<double>(),
                            kTolerance<S>);
            }
        }
    });
}

TEST_CASE("heads that cannot share heads of keys and values are refused") {
    num::ThreadPool pool(1);
    const Matrix<float> x = layers().at<float>("x");
    CHECK_THROWS_AS(nn::attention_forward(pool, grouped_params<float>(), x, x,
                                          std::vector<nn::Head<float>>(3), {}),
                    base::ContractError);
    CHECK_THROWS_AS(nn::head_layout(6, 4), base::ContractError);
    CHECK(nn::head_layout(6, 2).kv_head(3) == 1);
    CHECK(nn::head_layout(6, 0).n_kv_heads == 6);
}

TEST_CASE("attention that learns shares keys and values, and passes back what differences say") {
    using Mat = Matrix<double>;
    Mat x = layers().at("x"), w[4] = {layers().at("gqa/q"), layers().at("gqa/k"),
                                      layers().at("gqa/v"), layers().at("gqa/o")};
    nn::SegmentAttention<double> layer;
    layer.heads.assign(4, causal_settings<double>(nn::Positions::rotary));
    layer.positions.rotary = halves(500000);
    nn::Segments whole;
    whole.add(5);
    const auto run = [&](nn::SegmentAttentionCache<double>& cache) {
        nn::LinearLayer<double>* to[] = {&layer.query, &layer.key, &layer.value, &layer.output};
        for (int i = 0; i < 4; ++i) to[i]->set(view(std::as_const(w[i])), {});
        Mat y;
        nn::segment_attention_forward<double>(layer, x, whole, x, whole, {}, nullptr, cache, y);
        return y;
    };
    nn::SegmentAttentionCache<double> cache;
    check_close(run(cache), layers().at("gqa/rotary"), 1e-12);
    const Mat dy = drawn(5, 8, "dy");
    const auto loss = [&] {
        nn::SegmentAttentionCache<double> own;
        return run(own).cwiseProduct(dy).sum();
    };
    Mat dx = Mat::Zero(5, 8), d[4];
    nn::SegmentAttentionGradient<double> gradient;
    nn::LinearGradient<double>* to[] = {&gradient.query, &gradient.key, &gradient.value,
                                        &gradient.output};
    for (int i = 0; i < 4; ++i) {
        d[i] = Mat::Zero(w[i].rows(), w[i].cols());
        to[i]->weights = d[i].data();
    }
    nn::segment_attention_backward<double>(layer, cache, x, whole, x, whole, dy, gradient, dx, dx);
    check_gradient("x", x, dx, loss);
    for (int i = 0; i < 4; ++i) check_gradient("W", w[i], d[i], loss);
}

TEST_CASE("buckets of relative positions are as many and as wide as a model has them") {
    const nn::RelativeSettings settings{20, 50};
    for (const bool directed : {false, true}) {
        const auto expected =
            layers().at(fmt::format("buckets/{}", directed ? "directed" : "both"));
        for (Index offset = -70; offset <= 70; ++offset) {
            INFO(offset);
            CHECK(nn::relative_bucket(offset, directed, settings) ==
                  static_cast<Index>(expected(0, offset + 70)));
        }
    }
}

TEST_CASE("embeddings take any factor, learned positions any first row") {
    const Matrix<double> table = layers().at("x");
    const std::vector<Index> rows{3, 1};
    CHECK(nn::embed<double>(table, rows, 1).row(0) == table.row(3));
    CHECK(nn::embed<double>(table, rows).row(1) == table.row(1) * std::sqrt(8.0));
    CHECK(nn::learned_positions(table, 3, 2) == table.middleRows(2, 3));
    CHECK_THROWS_AS(nn::learned_positions(table, 4, 2), base::ContractError);
}

TEST_CASE("attention and feed-forward stand side by side in a parallel layer") {
    num::ThreadPool pool(1);
    const Matrix<double> x = layers().at("x");
    nn::DecoderLayerParams<double> p;
    p.self_attention = grouped_params<double>();
    p.feed_forward = {weights<double>("ff/w1"), weights<double>("ff/w2"), {}, {}};
    p.norm1 = {layers().at("gain"), {}, 1e-6, nn::NormKind::rms};
    std::vector<nn::Head<double>> heads(4);
    for (auto& h : heads) h.settings = causal_settings<double>(nn::Positions::none);
    nn::DecoderLayerOptions<double> options;
    options.norm = nn::NormOrder::pre;
    options.parallel = true;
    const auto run = [&] {
        return nn::decoder_layer_forward<double>(pool, p, x, nullptr, heads, {}, options).output();
    };
    const Matrix<double> read = nn::layer_norm_forward(pool, p.norm1, x).y;
    const Matrix<double> attended =
        nn::attention_forward(pool, p.self_attention, read, read, heads, {.name = "self"}).output;
    const auto fed = [&](const Matrix<double>& from) {
        return nn::feed_forward(pool, p.feed_forward, nn::Activation::relu, from).output;
    };
    check_close(run(), x + attended + fed(read), 1e-12);
    p.norm3 = {layers().at("shift"), layers().at("gain"), 1e-5};
    check_close(run(), x + attended + fed(nn::layer_norm_forward(pool, p.norm3, x).y), 1e-12);
}
