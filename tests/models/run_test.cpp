#include "models/sentences.hpp"
#include "models/transformer/parameters.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <thread>

using namespace heed;
using namespace heed::models;
using base::ErrorKind;
using trace::AttentionKind;
using trace::Stage;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

HeadControls with(const std::function<void(HeadControls&)>& change) {
    HeadControls c;
    change(c);
    return c;
}

Controls everywhere(const std::function<void(HeadControls&)>& change) {
    Controls c;
    c.set({}, with(change));
    return c;
}

std::vector<float> all_weights(const trace::Trace& t) {
    std::vector<float> result;
    for (const auto& layer : t.layers) {
        for (const auto& attention : layer->attentions) {
            for (int h = 0; h < static_cast<int>(attention->heads.size()); ++h) {
                const auto map = trace::AttentionMap(attention, h).whole(Stage::weights);
                result.insert(result.end(), map.data(), map.data() + map.size());
            }
        }
    }
    return result;
}

std::vector<std::string> names(const trace::Layer& layer) {
    std::vector<std::string> result;
    for (const auto& tensor : layer.tensors) result.push_back(tensor->name);
    return result;
}

} // namespace

TEST_CASE("the same call gives the same bytes, on one thread and on two") {
    num::ThreadPool one(1), two(2);
    const auto model = drawn(tiny(), one), again = drawn(tiny(), two);
    const Input input = sentence();
    const auto a = ran(model, input, {}, one), b = ran(model, input, {}, one),
               c = ran(again, input, {}, two);
    CHECK(same_numbers(a->trace, b->trace));
    CHECK(same_numbers(a->trace, c->trace));
    ModelSpec other = tiny();
    other.seed = 2;
    CHECK_FALSE(same_numbers(a->trace, ran(drawn(other, one), input, {}, one)->trace));
}

TEST_CASE("an encoder-decoder names its layers, tensors and attention modules like torch") {
    num::ThreadPool pool(1);
    const auto t = ran(drawn(tiny(), pool), sentence(), {}, pool)->trace;
    std::vector<std::string> layers, modules;
    for (const auto& layer : t.layers) {
        layers.push_back(layer->name);
        for (const auto& attention : layer->attentions) modules.push_back(attention->name);
    }
    CHECK(layers == std::vector<std::string>{"encoder.embedding", "encoder.layers.0",
                                             "encoder.layers.1", "encoder.norm",
                                             "decoder.embedding", "decoder.layers.0",
                                             "decoder.layers.1", "decoder.norm"});
    CHECK(modules == std::vector<std::string>{
                         "encoder.layers.0.self_attn", "encoder.layers.1.self_attn",
                         "decoder.layers.0.self_attn", "decoder.layers.0.multihead_attn",
                         "decoder.layers.1.self_attn", "decoder.layers.1.multihead_attn"});
    CHECK(names(*t.layers[1]) ==
          std::vector<std::string>{"encoder.layers.0.norm1", "encoder.layers.0.activation",
                                   "encoder.layers.0.linear2", "encoder.layers.0.norm2"});
    for (const char* name : {"encoder_input", "memory", "decoder_input", "decoder_output"}) {
        CHECK(t.tensor(name));
    }
    CHECK(t.source.size() == 6);
    CHECK(t.target.size() == 5);
}

TEST_CASE("what the activation read is in the trace of every layer, though ReLU overwrote it") {
    num::ThreadPool one(1), two(2);
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        for (const NormOrder norm : {NormOrder::post, NormOrder::pre}) {
            for (const Activation activation : {Activation::relu, Activation::gelu}) {
                ModelSpec config = tiny(architecture);
                config.norm = norm;
                config.activation = activation;
                config.d_ff = 37;
                const auto model = drawn(config, one);
                const auto t = ran(model, sentence(), {}, two)->trace;
                const auto check = [&](const std::string& layer, const std::string& read,
                                       const nn::FeedForwardParams<float>& p) {
                    INFO(layer << " after " << read);
                    const auto linear = t.tensor(layer + ".linear1");
                    REQUIRE(linear);
                    const auto& x = t.tensor(layer + read)->values;
                    const Matrix<float> slow = (x * p.linear1.dense()).rowwise() + p.bias1;
                    CHECK((linear->values - slow).cwiseAbs().maxCoeff() < 1e-5f);
                    CHECK(linear->values.minCoeff() < 0);
                    if (activation == Activation::gelu) return;
                    const auto& hidden = t.tensor(layer + ".activation")->values;
                    CHECK(linear->values.cwiseMax(0.f) == hidden);
                };
                const bool pre = norm == NormOrder::pre;
                const auto& p = model->parameters();
                for (std::size_t i = 0; i < p.encoder.size(); ++i) {
                    check("encoder.layers." + std::to_string(i), pre ? ".norm2" : ".norm1",
                          p.encoder[i].feed_forward);
                }
                const bool cross = architecture == Architecture::encoder_decoder;
                for (std::size_t i = 0; i < p.decoder.size(); ++i) {
                    check("decoder.layers." + std::to_string(i),
                          pre     ? ".norm3"
                          : cross ? ".norm2"
                                  : ".norm1",
                          p.decoder[i].feed_forward);
                }
            }
        }
    }
}

TEST_CASE("the last tensor of a layer is what the next one reads") {
    // In pre-norm the norm of the next layer's input is there to be made again.
    num::ThreadPool pool(1);
    ModelSpec config = tiny();
    config.norm = NormOrder::pre;
    const auto t = ran(drawn(config, pool), sentence(), {}, pool)->trace;
    for (const char* stack : {"encoder", "decoder"}) {
        for (std::size_t i = 1; i < t.layers.size(); ++i) {
            const trace::Layer &layer = *t.layers[i], &below = *t.layers[i - 1];
            if (layer.name.rfind(stack, 0) != 0 || layer.attentions.empty()) continue;
            const auto& x = below.tensors.back()->values;
            const auto norm = t.tensor(layer.name + ".norm1");
            REQUIRE(norm);
            for (num::Index row = 0; row < x.rows(); ++row) {
                const Eigen::RowVectorXd r = x.row(row).cast<double>();
                const double mean = r.mean();
                const double var = (r.array() - mean).square().mean();
                const Eigen::RowVectorXd y = (r.array() - mean) / std::sqrt(var + 1e-5);
                CHECK((norm->values.row(row).cast<double>() - y).cwiseAbs().maxCoeff() < 1e-4);
            }
        }
    }
}

TEST_CASE("an encoder alone and a decoder alone have their own attention and no other") {
    num::ThreadPool pool(1);
    const auto encoder =
        ran(drawn(tiny(Architecture::encoder_only), pool), sentence(), {}, pool)->trace;
    CHECK(encoder.n_layers(AttentionKind::encoder_self) == 2);
    CHECK(encoder.n_layers(AttentionKind::decoder_self) == 0);
    CHECK(encoder.n_layers(AttentionKind::cross) == 0);
    CHECK(encoder.target.empty());
    const auto decoder_model = drawn(tiny(Architecture::decoder_only), pool);
    const auto decoder = ran(decoder_model, sentence(), {}, pool)->trace;
    CHECK(decoder.n_layers(AttentionKind::encoder_self) == 0);
    CHECK(decoder.n_layers(AttentionKind::decoder_self) == 2);
    CHECK(decoder.n_layers(AttentionKind::cross) == 0);
    CHECK(decoder.source.empty());
    CHECK(decoder.target.size() == 5);
    CHECK(decoder.attention(AttentionKind::decoder_self, 1)->name == "decoder.layers.1.self_attn");
    // A sentence typed into the source field is read where there is no other.
    const auto from_source = ran(decoder_model, {sentence().source, {}, 0}, {}, pool)->trace;
    CHECK(from_source.target.size() == 6);
}

TEST_CASE("decoder self-attention is causal unless a mask says otherwise") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    const trace::HeadId id{AttentionKind::decoder_self, 1, 2};
    const auto causal = ran(model, sentence(), {}, pool)->trace.map(id)->whole(Stage::weights);
    const auto open = ran(model, sentence(), everywhere([](auto& c) { c.mask = nn::Mask{}; }), pool)
                          ->trace.map(id)
                          ->whole(Stage::weights);
    for (num::Index i = 0; i < causal.rows(); ++i) {
        for (num::Index j = 0; j < causal.cols(); ++j) {
            CHECK((causal(i, j) > 0) == (j <= i));
            CHECK(open(i, j) > 0);
        }
    }
}

TEST_CASE("the scale is on for dot, bilinear and squared distance scores and off for the others") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    const auto gamma = [&](HeadControls c) {
        Controls controls;
        controls.set({}, c);
        return ran(model, sentence(), controls, pool)
            ->trace.map({AttentionKind::cross, 0, 0})
            ->head()
            .settings.gamma;
    };
    for (const nn::Score score : nn::kScores) {
        const bool on = score == nn::Score::dot || score == nn::Score::bilinear ||
                        score == nn::Score::squared_distance;
        CHECK(gamma(with([&](auto& c) { c.score = score; })) == (on ? 0.25f : 1.f)); // d_k = 16
        CHECK(gamma(with([&](auto& c) {
                  c.score = score;
                  c.scale = Scale{Scale::Kind::factor, 3};
              })) == 3.f);
        CHECK(gamma(with([&](auto& c) {
                  c.score = score;
                  c.scale = Scale{Scale::Kind::on, 1};
              })) == 0.25f);
    }
}

TEST_CASE("each control reaches the heads of its scope and no other") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    Controls controls;
    controls.set({AttentionKind::cross, 1, 3}, with([](auto& c) { c.gain = 0.f; }));
    controls.set({AttentionKind::encoder_self, {}, {}}, with([](auto& c) { c.temperature = 2.f; }));
    controls.set({{}, 0, {}}, with([](auto& c) { c.score = nn::Score::cosine; }));
    const auto t = ran(model, sentence(), controls, pool)->trace;
    for (const AttentionKind kind : trace::kAttentionKinds) {
        for (int layer = 0; layer < 2; ++layer) {
            for (int head = 0; head < 4; ++head) {
                const auto s = t.map({kind, layer, head})->head().settings;
                const bool off = kind == AttentionKind::cross && layer == 1 && head == 3;
                CHECK(s.gain == (off ? 0.f : 1.f));
                CHECK(s.temperature == (kind == AttentionKind::encoder_self ? 2.f : 1.f));
                CHECK((s.score == nn::Score::cosine) == (layer == 0));
            }
        }
    }
    CHECK(t.map({AttentionKind::cross, 1, 3})->whole(Stage::context).isZero());
}

TEST_CASE("padding fills both sentences, and its mask takes the keys away") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    Input input = sentence();
    input.pad_to = 9;
    const auto seen = ran(model, input, {}, pool)->trace;
    REQUIRE(seen.source.size() == 9);
    REQUIRE(seen.target.size() == 9);
    CHECK(seen.source[6].text == kPadToken);
    CHECK(seen.attention(AttentionKind::encoder_self, 0)->valid_keys == 6);
    CHECK(seen.attention(AttentionKind::decoder_self, 0)->valid_keys == 5);
    CHECK(seen.attention(AttentionKind::cross, 0)->valid_keys == 6);
    const auto masked = ran(model, input, everywhere([](auto& c) {
                                c.mask = nn::Mask{true, false, {}, {}};
                            }),
                            pool)
                            ->trace;
    const auto w = masked.map({AttentionKind::encoder_self, 0, 0})->whole(Stage::weights);
    CHECK(w.rightCols(3).isZero());
    CHECK(w.leftCols(6).minCoeff() > 0);
    // Nothing that is padding reaches the words.
    const auto plain =
        ran(model, sentence(), everywhere([](auto& c) { c.mask = nn::Mask{}; }), pool)->trace;
    CHECK((masked.tensor("memory")->values.topRows(6) - plain.tensor("memory")->values)
              .cwiseAbs()
              .maxCoeff() < 1e-4);
}

TEST_CASE("a row without keys gives zeros and finite numbers everywhere") {
    num::ThreadPool pool(1);
    nn::Mask mask;
    for (num::Index j = 0; j < 6; ++j) mask.painted.push_back({2, j});
    const auto t =
        ran(drawn(tiny(), pool), sentence(), everywhere([&](auto& c) { c.mask = mask; }), pool)
            ->trace;
    const auto map = t.map({AttentionKind::encoder_self, 0, 1});
    CHECK_FALSE(map->has_distribution(2));
    CHECK(map->has_distribution(1));
    CHECK(map->whole(Stage::weights).row(2).isZero());
    CHECK(t.tensor("decoder_output")->values.allFinite());
}

TEST_CASE("cells painted beyond the sentence, twice or in any order do no harm") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    nn::Mask clean, messy;
    clean.painted = {{0, 1}, {1, 0}};
    messy.painted = {{1, 0}, {0, 1}, {500, 2}, {1, 0}, {2, 500}};
    const auto a =
        ran(model, sentence(), everywhere([&](auto& c) { c.mask = clean; }), pool)->trace;
    const auto b =
        ran(model, sentence(), everywhere([&](auto& c) { c.mask = messy; }), pool)->trace;
    CHECK(same_numbers(a, b));
}

TEST_CASE("heads that one entry gives its mask share it, whatever their layer") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    nn::Mask painted, other;
    for (num::Index i = 0; i < 5; ++i) painted.painted.push_back({i, 9 - i});
    other.painted = {{1, 0}};
    Controls controls = everywhere([&](auto& c) { c.mask = painted; });
    controls.set({AttentionKind::encoder_self, 1, 2}, with([&](auto& c) { c.mask = other; }));
    const auto t = ran(model, sentence(), controls, pool)->trace;
    const auto mask_at = [&](AttentionKind kind, int layer, int head) {
        return &*t.map({kind, layer, head})->head().settings.mask;
    };
    for (const AttentionKind kind : trace::kAttentionKinds) {
        const nn::Mask* first = mask_at(kind, 0, 0);
        for (int layer = 0; layer < t.n_layers(kind); ++layer) {
            for (int head = 0; head < t.n_heads(kind); ++head) {
                const bool apart = kind == AttentionKind::encoder_self && layer == 1 && head == 2;
                CHECK((mask_at(kind, layer, head) == first) == !apart);
            }
        }
    }
    CHECK(mask_at(AttentionKind::encoder_self, 1, 2)->painted == other.painted);
    const auto plain = ran(model, sentence(), {}, pool)->trace;
    const auto usual = [&](AttentionKind kind, int layer) {
        return &*plain.map({kind, layer, 1})->head().settings.mask;
    };
    CHECK(usual(AttentionKind::decoder_self, 0) == usual(AttentionKind::decoder_self, 1));
    CHECK(usual(AttentionKind::decoder_self, 0)->causal);
    CHECK_FALSE(usual(AttentionKind::cross, 0)->causal);
}

TEST_CASE("more painted cells than the largest map has are refused") {
    num::ThreadPool pool(1);
    constexpr auto kSide = static_cast<num::Index>(kMaxTokens);
    nn::Mask mask;
    mask.painted.assign(kMaxTokens * kMaxTokens, {0, 1});
    const auto model = drawn(tiny(), pool);
    const Controls most = everywhere([&](auto& c) { c.mask = mask; });
    CHECK(run(model, sentence(), most, pool));
    mask.painted.emplace_back(kSide, kSide);
    const auto result = run(model, sentence(), everywhere([&](auto& c) { c.mask = mask; }), pool);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::out_of_range);
    CHECK(base::describe(result.error()) ==
          "painted mask: has 4194305 cells; the largest map, of 2048 queries and 2048 keys, has "
          "4194304");
}

TEST_CASE("every position runs, joined or in the head, on every architecture and norm order") {
    num::ThreadPool pool(2);
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        const auto model = drawn(tiny(architecture), pool);
        std::vector<std::vector<float>> seen;
        for (const nn::Positions positions : nn::kPositions) {
            for (const NormOrder norm : {NormOrder::post, NormOrder::pre}) {
                Controls controls = everywhere([&](auto& c) { c.positions = positions; });
                controls.norm = norm;
                const auto t = ran(model, sentence(), controls, pool)->trace;
                for (const auto& layer : t.layers) {
                    for (const auto& tensor : layer->tensors) CHECK(tensor->values.allFinite());
                }
                const auto weights = all_weights(t);
                CHECK(std::find(seen.begin(), seen.end(), weights) == seen.end());
                seen.push_back(weights);
            }
        }
    }
}

TEST_CASE("a head that turns its keys leaves the positions of the embedding alone") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    Controls controls;
    controls.set({AttentionKind::encoder_self, 0, 1},
                 with([](auto& c) { c.positions = nn::Positions::rotary; }));
    const auto plain = ran(model, sentence(), {}, pool)->trace;
    const auto turned = ran(model, sentence(), controls, pool)->trace;
    CHECK(plain.tensor("encoder_input")->values == turned.tensor("encoder_input")->values);
    const auto settings = [&](int head) {
        return turned.map({AttentionKind::encoder_self, 0, head})->head().settings.positions;
    };
    CHECK(settings(1) == nn::Positions::rotary);
    CHECK(settings(0) == nn::Positions::none);
}

TEST_CASE("dropout is a function of its seed, differs between heads, and is off at rate 0") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    Controls a, b, off;
    a.dropout = {0.3f, 7};
    b.dropout = {0.3f, 8};
    off.dropout = {0, 9};
    const auto first = ran(model, sentence(), a, pool), again = ran(model, sentence(), a, pool),
               other = ran(model, sentence(), b, pool);
    CHECK(same_numbers(first->trace, again->trace));
    CHECK_FALSE(same_numbers(first->trace, other->trace));
    CHECK(same_numbers(ran(model, sentence(), off, pool)->trace,
                       ran(model, sentence(), {}, pool)->trace));
    const auto dropped = [&](int head) {
        const auto w =
            first->trace.map({AttentionKind::encoder_self, 0, head})->whole(Stage::weights);
        return (w.array() == 0).cast<int>().eval();
    };
    CHECK_FALSE((dropped(0) == dropped(1)).all());
    CHECK(dropped(0).sum() > 0);
}

TEST_CASE("all weights are written in the trace's order, shared layers too") {
    num::ThreadPool pool(2);
    const auto model = drawn(tiny(), pool);
    const std::size_t size = 2 * 4 * (6 * 6 + 5 * 5 + 5 * 6);
    std::vector<float> fresh(size, -1), shared(size, -1);
    RunOptions options;
    options.all_weights = fresh.data();
    const auto first = ran(model, sentence(), {}, pool, options);
    const auto expected = all_weights(first->trace);
    REQUIRE(expected.size() == size);
    options.all_weights = shared.data();
    options.previous = first;
    Controls controls;
    controls.set({AttentionKind::decoder_self, 1, {}}, with([](auto& c) { c.gain = 2.f; }));
    const auto second = ran(model, sentence(), controls, pool, options);
    CHECK(second->layers_reused == 6);
    const auto expected_second = all_weights(second->trace);
    for (std::size_t i = 0; i < size; ++i) {
        REQUIRE(std::abs(fresh[i] - expected[i]) < 1e-6f);
        REQUIRE(std::abs(shared[i] - expected_second[i]) < 1e-6f);
    }
}

TEST_CASE("maps of a model that was never trained show structure in every layer") {
    // The gains of q, k and of what joins the residual stream are chosen so: see parameters.cpp.
    num::ThreadPool pool(2);
    ModelSpec config = tiny();
    config.d_model = 128;
    config.n_encoder_layers = config.n_decoder_layers = 6;
    for (const NormOrder norm : {NormOrder::post, NormOrder::pre}) {
        config.norm = norm;
        const auto t = ran(drawn(config, pool), {tokens(10), tokens(10), 0}, {}, pool)->trace;
        for (const AttentionKind kind : {AttentionKind::encoder_self, AttentionKind::cross}) {
            for (int layer = 0; layer < 6; ++layer) {
                double largest = 0; // the mean over rows and heads of a row's largest weight
                for (int head = 0; head < 4; ++head) {
                    const auto w = t.map({kind, layer, head})->whole(Stage::weights);
                    largest += w.rowwise().maxCoeff().mean() / 4;
                }
                CHECK(largest > 0.3);
                CHECK(largest < 0.65);
            }
        }
    }
}

TEST_CASE("one token, and two thousand, run") {
    num::ThreadPool pool(2);
    const auto model = drawn(tiny(), pool);
    const auto one = ran(model, {tokens(1), tokens(1), 0}, {}, pool)->trace;
    CHECK(one.map({AttentionKind::cross, 1, 0})->whole(Stage::weights)(0, 0) == 1.f);
    const auto many = ran(model, {tokens(2000), tokens(3), 0}, {}, pool)->trace;
    CHECK(many.tensor("decoder_output")->values.allFinite());
    CHECK(many.map({AttentionKind::encoder_self, 1, 0})
              ->rectangle(Stage::weights, {1990, 0, 1, 2000})
              .sum() == Approx(1).margin(1e-4));
}

TEST_CASE("a sentence that is empty or too long is refused by name") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    const auto error = [&](const Input& input, const Controls& controls = {}) {
        const auto result = run(model, input, controls, pool);
        REQUIRE_FALSE(result);
        CHECK(result.error().kind == ErrorKind::out_of_range);
        return base::describe(result.error());
    };
    CHECK(error({{}, tokens(2), 0}).find("source: is empty") == 0);
    CHECK(run(model, {tokens(2), {}, 0}, {}, pool)); // the decoder reads the source again
    CHECK(error({tokens(2049), tokens(2), 0}).find("2049 tokens; at most 2048") !=
          std::string::npos);
    CHECK(error({tokens(2), tokens(2), 2049}).find("pad_to") == 0);
    CHECK(error({tokens(2), tokens(2), -1}).find("pad_to") == 0);
    CHECK(error({tokens(65), tokens(2), 0},
                everywhere([](auto& c) { c.positions = nn::Positions::learned; }))
              .find("end at 64") != std::string::npos);
}

TEST_CASE("controls that are NaN, out of range or of no layer are refused by name") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    const auto error = [&](const Scope& scope, const std::function<void(HeadControls&)>& change) {
        Controls controls;
        controls.set(scope, with(change));
        const auto result = run(model, sentence(), controls, pool);
        return result ? std::string("accepted") : base::describe(result.error());
    };
    const auto starts = [](const std::string& text, const std::string& prefix) {
        INFO(text);
        CHECK(text.rfind(prefix, 0) == 0);
    };
    const Scope head{AttentionKind::encoder_self, 1, 3};
    for (const float bad : {kNaN, kInf, 0.f, -1.f, 1e-30f}) {
        starts(error(head, [&](auto& c) { c.temperature = bad; }),
               "temperature of encoder, layer 1, head 3: is ");
    }
    for (const float bad : {kNaN, kInf, -kInf, 1e30f}) {
        starts(error({}, [&](auto& c) { c.scale = Scale{Scale::Kind::factor, bad}; }), "scale: is");
        starts(error({}, [&](auto& c) { c.gain = bad; }), "gain: is");
    }
    starts(error({},
                 [](auto& c) {
                     c.mask = nn::Mask{false, false, -1, {}};
                 }),
           "mask window: is -1");
    starts(error({},
                 [](auto& c) {
                     c.mask = nn::Mask{false, false, {}, {{-1, 0}}};
                 }),
           "painted mask: has a cell (-1, 0)");
    const auto gain = [](auto& c) { c.gain = 2.f; };
    starts(error({{}, 2, {}}, gain), "controls of layer 2: there is no layer 2; counted from 0");
    starts(error({{}, -1, {}}, gain), "controls of layer -1: there is no layer");
    starts(error({{}, {}, 4}, gain), "controls of head 4: there is no head 4");
    CHECK(error(head, gain) == "accepted");
    const auto encoder = drawn(tiny(Architecture::encoder_only), pool);
    Controls cross;
    cross.set({AttentionKind::cross, {}, {}}, with(gain));
    const auto result = run(encoder, sentence(), cross, pool);
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "this encoder-only model has no cross attention");
    for (const float bad : {kNaN, -0.1f, 1.f, kInf}) {
        Controls controls;
        controls.dropout.rate = bad;
        const auto refused = run(model, sentence(), controls, pool);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().subject == "dropout");
    }
}

TEST_CASE("the strongest controls that are allowed give finite numbers") {
    num::ThreadPool pool(2);
    const auto model = drawn(tiny(), pool);
    for (const nn::Score score : nn::kScores) {
        for (const nn::Positions positions : nn::kPositions) {
            Controls controls = everywhere([&](auto& c) {
                c.score = score;
                c.positions = positions;
                c.scale = Scale{Scale::Kind::factor, -1e6f};
                c.temperature = 1e-6f;
                c.gain = 1e6f;
            });
            for (const NormOrder norm : {NormOrder::post, NormOrder::pre}) {
                controls.norm = norm;
                std::vector<float> weights(2 * 4 * (6 * 6 + 5 * 5 + 5 * 6), -1.f);
                RunOptions options;
                options.all_weights = weights.data();
                const auto t = ran(model, sentence(), controls, pool, options)->trace;
                CHECK(std::all_of(weights.begin(), weights.end(),
                                  [](float w) { return w >= 0 && w <= 1.0001f; }));
                for (const auto& layer : t.layers) {
                    for (const auto& tensor : layer->tensors) CHECK(tensor->values.allFinite());
                }
            }
        }
    }
}

TEST_CASE("rotary positions on an odd head width are refused, and the widths are named") {
    num::ThreadPool pool(1);
    ModelSpec config = tiny();
    config.d_model = 36;
    const auto model = drawn(config, pool);
    const auto result = run(model, sentence(),
                            everywhere([](auto& c) { c.positions = nn::Positions::rotary; }), pool);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::mismatch);
    CHECK(result.error().message.find("a head is 9 wide") != std::string::npos);
}

TEST_CASE("a run that is asked to stop is cancelled, before its first layer is done or within") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    const Input input{tokens(60), tokens(60), 0};
    const auto whole = ran(model, input, {}, pool);
    for (const int microseconds : {-1, 0, 50, 100, 200, 400, 800, 1600, 3200, 6400}) {
        std::stop_source stop;
        RunOptions options;
        options.stop = stop.get_token();
        if (microseconds < 0) stop.request_stop();
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
            stop.request_stop();
        });
        const auto result = run(model, input, {}, pool, options);
        other.join();
        // Where it is stopped is chance; that it is whole or not at all is not.
        if (result) {
            CHECK(microseconds >= 0);
            CHECK(same_numbers((*result)->trace, whole->trace));
        } else {
            CHECK(result.error().kind == ErrorKind::cancelled);
        }
    }
}

TEST_CASE("weights made on demand are the run's own even where softmax is at its sharpest") {
    num::ThreadPool pool(1);
    ModelSpec config = tiny();
    config.d_model = 48; // a head of 24, whose root is no power of two
    config.n_heads = 2;
    const auto model = drawn(config, pool);
    for (const nn::Score score : nn::kScores) {
        for (const nn::Positions positions : nn::kPositions) {
            for (const float temperature : {0.01f, 7e-6f}) {
                const Controls sharp = everywhere([&](HeadControls& c) {
                    c.score = score;
                    c.positions = positions;
                    c.scale = Scale{Scale::Kind::factor, 0.3f};
                    c.temperature = temperature;
                });
                std::vector<float> of_run(2 * 2 * (6 * 6 + 5 * 5 + 5 * 6));
                RunOptions options;
                options.all_weights = of_run.data();
                const auto on_demand =
                    all_weights(ran(model, sentence(), sharp, pool, options)->trace);
                REQUIRE(on_demand.size() == of_run.size());
                float worst = 0;
                for (std::size_t i = 0; i < of_run.size(); ++i) {
                    worst = std::max(worst, std::abs(of_run[i] - on_demand[i]));
                }
                INFO(nn::name(score)
                     << ", " << nn::name(positions) << ", temperature " << temperature);
                CHECK(worst <= 1e-6f);
            }
        }
    }
}

TEST_CASE("a weight that is set by hand moves its row, and later layers follow") {
    num::ThreadPool pool(2);
    const auto model = drawn(tiny(), pool);
    Controls controls;
    HeadControls c;
    c.edits = {{1, 2, 0.75f}, {90, 0, 1.0f}}; // no such query: the sentence may have been longer
    controls.set({AttentionKind::encoder_self, 0, 1}, c);
    const auto plain = ran(model, sentence(), {}, pool);
    const auto edited = ran(model, sentence(), controls, pool);
    const trace::HeadId head{AttentionKind::encoder_self, 0, 1};
    const auto before = plain->trace.map(head)->whole(Stage::weights);
    const auto after = edited->trace.map(head)->whole(Stage::weights);
    CHECK(after(1, 2) == 0.75f);
    CHECK(after.row(1).sum() == Approx(1));
    CHECK(after(1, 0) / after(1, 1) == Approx(before(1, 0) / before(1, 1)).epsilon(1e-4));
    CHECK(after.row(0) == before.row(0));
    const trace::HeadId later{AttentionKind::encoder_self, 1, 0};
    CHECK(edited->trace.map(later)->whole(Stage::weights) !=
          plain->trace.map(later)->whole(Stage::weights));
}

TEST_CASE("an edited weight that is no share is refused by name") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    for (const float weight : {-0.1f, 1.5f, kNaN}) {
        const auto result = run(model, sentence(), everywhere([&](HeadControls& c) {
                                    c.edits = {{0, 0, weight}};
                                }),
                                pool);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().kind == ErrorKind::out_of_range);
        CHECK(result.error().subject.find("edited weight") != std::string::npos);
    }
}
