#include "nn/layers/transformer_layer.hpp"

#include "central_differences.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/layers/decoder_layer.hpp"
#include "nn/layers/encoder_layer.hpp"

#include <deque>
#include <utility>

using namespace heed;
using namespace heed::tests;
using num::Matrix;
using num::view;

namespace {

using Real = double;
using Mat = Matrix<Real>;
using nn::Positions;
using nn::Score;

constexpr Index kWidth = 8, kHeads = 2, kFeedForward = 6;

/// One layer's parameters and gradients, each a matrix of its own.
class Learned {
  public:
    Mat& make(Index rows, Index cols, const std::string& name, double scale = 1) {
        values_.push_back(drawn(rows, cols, name) * scale);
        gradients_.push_back(Mat::Zero(rows, cols));
        names_.push_back(name);
        return values_.back();
    }
    Real* gradient() { return gradients_.back().data(); }

    void check(const std::function<double()>& loss) {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            check_gradient(names_[i], values_[i], gradients_[i], loss);
        }
    }

  private:
    std::deque<Mat> values_, gradients_; // stay where they are
    std::deque<std::string> names_;
};

struct Bound {
    nn::TransformerLayer<Real> layer;
    nn::TransformerLayerGradient<Real> gradient;
    Learned learned;
    std::vector<std::function<void()>> refresh; // packs what was changed

    void linear(nn::LinearLayer<Real>& to, nn::LinearGradient<Real>& d, Index in, Index out,
                const std::string& name) {
        Mat& w = learned.make(in, out, name, 0.7);
        d.weights = learned.gradient();
        Mat& b = learned.make(1, out, name + ".bias");
        d.bias = learned.gradient();
        refresh.push_back([&to, &w, &b, out] {
            to.set(view(std::as_const(w)), {b.data(), std::size_t(out)});
        });
    }
    void norm(nn::LayerNormParams<Real>& to, nn::NormGradient<Real>& d, const std::string& name) {
        Mat& gain = learned.make(1, kWidth, name + ".gain");
        d.gain = learned.gradient();
        Mat& shift = learned.make(1, kWidth, name + ".shift");
        d.shift = learned.gradient();
        refresh.push_back([&] {
            to.gain = gain;
            to.shift = shift;
        });
    }
    void attention(nn::SegmentAttention<Real>& a, nn::SegmentAttentionGradient<Real>& d,
                   const std::string& name, const nn::HeadSettings<Real>& settings, bool directed) {
        a.name = name;
        a.directed = directed;
        a.heads.assign(kHeads, settings);
        linear(a.query, d.query, kWidth, kWidth, name + ".query");
        linear(a.key, d.key, kWidth, kWidth, name + ".key");
        linear(a.value, d.value, kWidth, kWidth, name + ".value");
        linear(a.output, d.output, kWidth, kWidth, name + ".output");
        if (settings.positions == Positions::relative) {
            Mat& table = learned.make(nn::kRelativeBuckets, kHeads, name + ".relative");
            d.relative = learned.gradient();
            refresh.push_back([&] { a.relative = table; });
        }
        if (!nn::has_parameters(settings.score)) return;
        const Index d_k = kWidth / kHeads, hidden = 3;
        a.scores.resize(kHeads);
        d.scores.resize(kHeads);
        for (std::size_t h = 0; h < a.scores.size(); ++h) {
            const std::string at = name + ".score" + std::to_string(h);
            Mat& w = learned.make(d_k, hidden, at + ".W");
            d.scores[h].query = learned.gradient();
            Mat& u = learned.make(d_k, hidden, at + ".U");
            d.scores[h].key = learned.gradient();
            Mat& v = learned.make(1, hidden, at + ".v");
            d.scores[h].hidden = learned.gradient();
            Mat& bilinear = learned.make(d_k, d_k, at + ".bilinear");
            d.scores[h].bilinear = learned.gradient();
            refresh.push_back([&, h] { a.scores[h] = {w, u, v, bilinear}; });
        }
    }
};

struct Variant {
    const char* name;
    nn::NormOrder order = nn::NormOrder::post;
    bool cross = false;
    Score score = Score::dot;
    Positions positions = Positions::none;
    bool causal = false;
    nn::Activation activation = nn::Activation::relu;
    float dropout = 0;
    Real temperature = 1, gain = 1;
};

std::unique_ptr<Bound> bind(const Variant& v) {
    auto b = std::make_unique<Bound>();
    b->layer.name = "layer";
    b->layer.order = v.order;
    b->layer.feed_forward.activation = v.activation;
    nn::HeadSettings<Real> settings;
    settings.score = v.score;
    settings.gamma = 0.6;
    settings.temperature = v.temperature;
    settings.positions = v.positions;
    settings.gain = v.gain;
    nn::HeadSettings<Real> self = settings;
    nn::Mask causal;
    causal.causal = v.causal;
    self.mask = causal;
    b->attention(b->layer.self, b->gradient.self, "layer.self_attn", self, v.cross);
    if (v.cross) {
        b->layer.cross.emplace();
        b->attention(*b->layer.cross, b->gradient.cross, "layer.multihead_attn", settings, false);
        b->norm(b->layer.cross_norm, b->gradient.cross_norm, "norm2");
    }
    b->norm(b->layer.self_norm, b->gradient.self_norm, "norm1");
    b->norm(b->layer.feed_forward_norm, b->gradient.feed_forward_norm, "norm3");
    b->linear(b->layer.feed_forward.linear1, b->gradient.feed_forward.linear1, kWidth, kFeedForward,
              "linear1");
    b->linear(b->layer.feed_forward.linear2, b->gradient.feed_forward.linear2, kFeedForward, kWidth,
              "linear2");
    return b;
}

const Variant kVariants[] = {
    {"encoder, post-norm"},
    {"encoder, pre-norm", nn::NormOrder::pre},
    {"decoder, post-norm", nn::NormOrder::post, true, Score::dot, Positions::none, true},
    {"decoder, pre-norm, temperature and gain", nn::NormOrder::pre, true, Score::scaled_dot,
     Positions::none, true, nn::Activation::gelu, 0, 1.7, 0.8},
    {"additive", nn::NormOrder::post, false, Score::additive},
    {"concat", nn::NormOrder::post, true, Score::concat},
    {"bilinear", nn::NormOrder::post, false, Score::bilinear},
    {"cosine", nn::NormOrder::post, false, Score::cosine},
    {"rotary", nn::NormOrder::post, true, Score::dot, Positions::rotary, true},
    {"ALiBi", nn::NormOrder::pre, false, Score::dot, Positions::alibi, true},
    {"relative", nn::NormOrder::post, true, Score::dot, Positions::relative, true},
    {"dropout, post-norm", nn::NormOrder::post, true, Score::dot, Positions::none, true,
     nn::Activation::relu, 0.3f},
    {"dropout, pre-norm", nn::NormOrder::pre, true, Score::dot, Positions::none, true,
     nn::Activation::relu, 0.3f},
};

nn::Segments segments_of(std::initializer_list<Index> lengths) {
    nn::Segments segments;
    for (const Index n : lengths) segments.add(n);
    return segments;
}

/// The same parameters as a live run takes them.
nn::AttentionParams<Real> live(const nn::SegmentAttention<Real>& a) {
    const auto bias = [](const nn::LinearLayer<Real>& l) {
        return num::RowVector<Real>(
            Eigen::Map<const num::RowVector<Real>>(l.bias.data(), Index(l.bias.size())));
    };
    return {a.query.weights, a.key.weights, a.value.weights, a.output.weights,
            bias(a.query),   bias(a.key),   bias(a.value),   bias(a.output)};
}
nn::FeedForwardParams<Real> live(const nn::LearnedFeedForward<Real>& f) {
    const auto bias = [](const nn::LinearLayer<Real>& l) {
        return num::RowVector<Real>(
            Eigen::Map<const num::RowVector<Real>>(l.bias.data(), Index(l.bias.size())));
    };
    return {f.linear1.weights, f.linear2.weights, bias(f.linear1), bias(f.linear2)};
}
std::vector<nn::Head<Real>> live_heads(const nn::SegmentAttention<Real>& a) {
    std::vector<nn::Head<Real>> heads(a.heads.size());
    for (std::size_t h = 0; h < heads.size(); ++h) {
        heads[h].settings = a.heads[h];
        if (!a.scores.empty()) {
            heads[h].score_params = std::make_shared<nn::ScoreParams<Real>>(a.scores[h]);
        }
    }
    return heads;
}

} // namespace

TEST_CASE("a layer over joined sentences computes what a live layer does with each of them") {
    num::ThreadPool pool(1);
    for (const Variant& v : kVariants) {
        if (v.dropout > 0) continue; // its places are counted over the whole batch
        INFO(v.name);
        const auto b = bind(v);
        for (const auto& refresh : b->refresh) refresh();
        const nn::Segments targets = segments_of({3, 1, 4}), sources = segments_of({2, 5, 3});
        const Mat x = drawn(targets.rows(), kWidth, "x"), rows = drawn(sources.rows(), kWidth, "m");
        nn::Memory<Real> memory;
        if (v.cross) memory = {&rows, &sources};
        nn::TransformerLayerCache<Real> cache;
        const Mat joined = nn::transformer_layer_forward(b->layer, x, targets, memory, {}, cache);
        const auto& l = b->layer;
        for (Index s = 0; s < targets.count(); ++s) {
            const Mat one = x.middleRows(targets.begin(s), targets.size(s));
            nn::AttentionOptions<Real> self;
            self.directed = l.self.directed;
            self.relative_table = &l.self.relative;
            Mat expected;
            if (v.cross) {
                const Mat source = rows.middleRows(sources.begin(s), sources.size(s));
                nn::DecoderLayerParams<Real> p{live(l.self), live(*l.cross), live(l.feed_forward),
                                               l.self_norm,  l.cross_norm,   l.feed_forward_norm};
                nn::DecoderLayerOptions<Real> o;
                o.name = l.name;
                o.norm = l.order;
                o.activation = v.activation;
                o.self_attention = self;
                o.cross_attention.relative_table = &l.cross->relative;
                expected = nn::decoder_layer_forward(pool, p, one, &source, live_heads(l.self),
                                                     live_heads(*l.cross), o)
                               .output();
            } else {
                nn::EncoderLayerParams<Real> p{live(l.self), live(l.feed_forward), l.self_norm,
                                               l.feed_forward_norm};
                nn::EncoderLayerOptions<Real> o;
                o.name = l.name;
                o.norm = l.order;
                o.activation = v.activation;
                o.self_attention = self;
                expected = nn::encoder_layer_forward(pool, p, one, live_heads(l.self), o).output();
            }
            const Mat found = joined.middleRows(targets.begin(s), targets.size(s));
            CHECK((found - expected).cwiseAbs().maxCoeff() < 1e-12);
        }
    }
}

TEST_CASE("layers over joined sentences pass back what central differences say") {
    for (const Variant& v : kVariants) {
        INFO(v.name);
        const auto b = bind(v);
        const nn::Segments targets = segments_of({3, 1, 2}), sources = segments_of({2, 4, 1});
        Mat x = drawn(targets.rows(), kWidth, "x"), rows = drawn(sources.rows(), kWidth, "m");
        const Mat direction = drawn(targets.rows(), kWidth, "direction");
        nn::Memory<Real> memory;
        if (v.cross) memory = {&rows, &sources};
        nn::TransformerLayerCache<Real> cache;
        const nn::DropoutSettings dropout{v.dropout, 5};
        const auto loss = [&] {
            for (const auto& refresh : b->refresh) refresh();
            return nn::transformer_layer_forward(b->layer, x, targets, memory, dropout, cache)
                .cwiseProduct(direction)
                .sum();
        };
        loss();
        Mat dx = direction, d_memory = Mat::Zero(sources.rows(), kWidth);
        nn::transformer_layer_backward(b->layer, cache, x, targets, memory, b->gradient, dx,
                                       v.cross ? &d_memory : nullptr);
        check_gradient("x", x, dx, loss);
        if (v.cross) check_gradient("memory", rows, d_memory, loss);
        b->learned.check(loss);
    }
}
