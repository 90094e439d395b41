#include "models/transformer/parameters.hpp"

#include "base/check.hpp"
#include "models/file/tensor_list.hpp"
#include "nn/attention/position.hpp"

#include <algorithm>
#include <cmath>

namespace heed::models {

namespace {

using trace::AttentionKind;
using Parameters = Transformer::Parameters;

// What each sublayer adds to its stream is drawn smaller by 1/sqrt(sublayers of the stack), as in
// GPT-2 (Radford et al. 2019, section 2.3). Without, every sublayer adds nearly the same vector to
// all tokens, they grow alike, and the maps of upper layers fade to grey whatever q and k are.
float residual_gain(int sublayers) { return 1 / std::sqrt(static_cast<float>(sublayers)); }

template <class P> class TransformerTensors : TensorList<std::is_const_v<P>> {
    using Base = TensorList<std::is_const_v<P>>;
    using Base::linear;
    using Base::table;
    using Base::vector;

  public:
    explicit TransformerTensors(P& parameters) : p_(parameters), c_(parameters.config) {}

    std::vector<NamedTensor<std::is_const_v<P>>> all() {
        const Index d = c_.d_model;
        table("embedding.weight", p_.embedding, c_.vocabulary, d, bound_of_variance(1.0 / d));
        if (is_classifier(c_)) {
            classifier_head();
        } else {
            word_logits();
        }
        if (c_.embedding.token_types > 0) {
            table("token_types.weight", p_.token_types, c_.embedding.token_types, d,
                  bound_of_variance(1.0 / d));
        }
        table("positions.learned.weight", p_.learned_positions, c_.max_positions, d,
              bound_of_variance(kPositionVariance));
        Base::last_is_optional(c_.positions != nn::Positions::learned);
        if (c_.layers == LayerKind::attention) {
            lone_attention();
            return Base::take();
        }
        linear("positions.join.weight", p_.join, 2 * d, d, bound_of_variance(1.0 / d));
        Base::last_is_optional(c_.join != nn::Join::concatenate);
        if (has_encoder(c_)) encoder();
        if (has_decoder(c_)) decoder();
        return Base::take();
    }

  private:
    void classifier_head() {
        auto& head = p_.head;
        const Index read = pooled_width(c_), dense = c_.dense, classes = std::ssize(head.classes);
        const auto share = [](Index in) { return 1.0 / static_cast<double>(in); };
        linear("dense.weight", head.dense, read, dense, bound_of_variance(2 * share(read)));
        vector("dense.bias", head.dense_bias, dense);
        linear("output.weight", head.output, dense, classes, bound_of_variance(share(dense)));
        vector("output.bias", head.output_bias, classes);
    }

    void word_logits() {
        const Index d = c_.d_model;
        if (!c_.word_logits.tied) {
            table("output.weight", p_.output, c_.vocabulary, d, bound_of_variance(1.0 / d));
        }
        if (c_.word_logits.bias) vector("output.bias", p_.output_bias, c_.vocabulary);
    }

    void lone_attention() {
        attention("self_attn", p_.encoder[0].self_attention);
        relative("positions.relative.weight", AttentionKind::encoder_self);
        scores("self_attn", AttentionKind::encoder_self, 0);
    }

    void encoder() {
        if (c_.embedding.norm) norm("encoder.embedding.norm", p_.encoder_embedding_norm);
        residual_ = residual_gain(2 * c_.n_encoder_layers);
        for (std::size_t i = 0; i < p_.encoder.size(); ++i) {
            const std::string at = fmt::format("encoder.layers.{}", i);
            auto& layer = p_.encoder[i];
            attention(at + ".self_attn", layer.self_attention);
            feed_forward(at, layer.feed_forward);
            norm(at + ".norm1", layer.norm1);
            if (!c_.norms.shared) norm(at + ".norm2", layer.norm2);
            scores(at + ".self_attn", AttentionKind::encoder_self, i);
        }
        if (c_.norms.last) norm("encoder.norm", p_.encoder_norm);
        relative(AttentionKind::encoder_self);
    }

    void decoder() {
        if (c_.embedding.norm) norm("decoder.embedding.norm", p_.decoder_embedding_norm);
        residual_ = residual_gain((has_cross(c_) ? 3 : 2) * c_.n_decoder_layers);
        for (std::size_t i = 0; i < p_.decoder.size(); ++i) {
            const std::string at = fmt::format("decoder.layers.{}", i);
            auto& layer = p_.decoder[i];
            attention(at + ".self_attn", layer.self_attention);
            feed_forward(at, layer.feed_forward);
            norm(at + ".norm1", layer.norm1);
            if (!c_.norms.shared) norm(at + ".norm3", layer.norm3);
            scores(at + ".self_attn", AttentionKind::decoder_self, i);
            if (!has_cross(c_)) continue;
            attention(at + ".multihead_attn", layer.cross_attention);
            norm(at + ".norm2", layer.norm2);
            scores(at + ".multihead_attn", AttentionKind::cross, i);
        }
        if (c_.norms.last) norm("decoder.norm", p_.decoder_norm);
        relative(AttentionKind::decoder_self);
        if (has_cross(c_)) relative(AttentionKind::cross);
    }

    template <class A> void attention(const std::string& at, A& a) {
        const Index width = head_width(c_);
        Base::attention(at, a,
                        {c_.d_model, c_.n_heads * width, n_kv_heads(c_) * width, c_.attention.bias,
                         c_.attention.output_bias},
                        residual_);
    }

    template <class F> void feed_forward(const std::string& at, F& f) {
        const Index d = c_.d_model, ff = c_.d_ff;
        const float xavier = std::sqrt(6.f / static_cast<float>(d + ff));
        linear(at + ".linear1.weight", f.linear1, d, ff, xavier);
        if (c_.feed_forward.bias) vector(at + ".linear1.bias", f.bias1, ff);
        if (c_.feed_forward.gated) {
            linear(at + ".gate.weight", f.gate, d, ff, xavier);
            if (c_.feed_forward.bias) vector(at + ".gate.bias", f.gate_bias, ff);
        }
        linear(at + ".linear2.weight", f.linear2, ff, d, xavier * residual_);
        if (c_.feed_forward.bias) vector(at + ".linear2.bias", f.bias2, d);
    }

    template <class N> void norm(const std::string& at, N& n) {
        vector(at + ".weight", n.gain, c_.d_model, 1);
        if (c_.norms.bias && c_.norms.kind == nn::NormKind::layer) {
            vector(at + ".bias", n.shift, c_.d_model);
        }
    }

    void scores(const std::string& module, AttentionKind kind, std::size_t layer) {
        const Index h = c_.n_heads;
        Base::scores(module,
                     p_.scores[static_cast<int>(kind)].data() + layer * static_cast<std::size_t>(h),
                     h, head_width(c_));
    }

    void relative(AttentionKind kind) {
        relative(fmt::format("positions.relative.{}.weight", trace::name(kind)), kind);
    }
    void relative(std::string name, AttentionKind kind) {
        table(std::move(name), p_.relative[static_cast<int>(kind)], c_.attention.relative_buckets,
              c_.n_heads, kRelativeBound);
        const bool used = kind != AttentionKind::cross || c_.attention.cross_positions;
        Base::last_is_optional(c_.positions != nn::Positions::relative || !used);
    }

    P& p_;
    const ModelSpec& c_;
    float residual_ = 1; // of the stack whose layers are being listed
};

} // namespace

NamedTensors named_tensors(Parameters& parameters) {
    return TransformerTensors<Parameters>(parameters).all();
}
ConstNamedTensors named_tensors(const Parameters& parameters) {
    return TransformerTensors<const Parameters>(parameters).all();
}

void make_room(Parameters& parameters) {
    const ModelSpec& c = parameters.config;
    parameters.encoder.resize(has_encoder(c) ? static_cast<std::size_t>(c.n_encoder_layers) : 0);
    parameters.decoder.resize(has_decoder(c) ? static_cast<std::size_t>(c.n_decoder_layers) : 0);
    for (const AttentionKind kind : trace::kAttentionKinds) {
        parameters.scores[static_cast<int>(kind)].resize(
            static_cast<std::size_t>(n_layers(c, kind) * c.n_heads));
    }
    const auto set = [&](auto&... norms) {
        ((norms.epsilon = c.norm_epsilon, norms.kind = c.norms.kind), ...);
    };
    for (auto& layer : parameters.encoder) set(layer.norm1, layer.norm2);
    for (auto& layer : parameters.decoder) set(layer.norm1, layer.norm2, layer.norm3);
    set(parameters.encoder_norm, parameters.decoder_norm, parameters.encoder_embedding_norm,
        parameters.decoder_embedding_norm);
}

void derive(Parameters& parameters, num::ThreadPool& pool) {
    const Index rows = static_cast<Index>(kMaxTokens), d = parameters.config.d_model;
    constexpr Index kBlock = 64;
    parameters.sinusoidal.resize(rows, d);
    pool.for_each((rows + kBlock - 1) / kBlock, [&](Index block) {
        const Index first = block * kBlock, n = std::min(kBlock, rows - first);
        parameters.sinusoidal.middleRows(first, n) = nn::sinusoidal_table<float>(n, d, first);
    });
}

} // namespace heed::models
