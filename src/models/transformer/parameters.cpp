#include "models/transformer/parameters.hpp"

#include "base/check.hpp"
#include "models/file/tensor_list.hpp"

#include <algorithm>
#include <cmath>

namespace heed::models {

namespace {

using trace::AttentionKind;
using Parameters = Transformer::Parameters;

// Gain on what each sublayer adds to its stream: 1/sqrt(sublayers of the stack), as in
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
        embedding();
        if (is_classifier(c_)) classifier_head();
        if (c_.logits == Logits::words) word_logits();
        positions();
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
    void embedding() {
        const Index e = embedding_width(c_), d = c_.d_model;
        const float bound = bound_of_variance(1.0 / static_cast<double>(e));
        if (c_.reads == Reads::patches) {
            const PatchSpec& s = c_.patches;
            const Index pixels = Index(s.channels) * s.size * s.size;
            linear("patches.weight", p_.patch, pixels, d,
                   bound_of_variance(1.0 / static_cast<double>(pixels)));
            vector("patches.bias", p_.patch_bias, d);
            if (s.leading > 0) table("patches.leading.weight", p_.leading, s.leading, d, bound);
            return;
        }
        table("embedding.weight", p_.embedding, c_.vocabulary, e, bound);
        if (c_.embedding.token_types > 0) {
            table("token_types.weight", p_.token_types, c_.embedding.token_types, e, bound);
        }
        if (e != d) {
            linear("embedding.widen.weight", p_.widen, e, d, bound);
            vector("embedding.widen.bias", p_.widen_bias, d);
        }
    }

    void positions() {
        const bool learned = c_.positions == nn::Positions::learned;
        const float bound = bound_of_variance(kPositionVariance);
        const Index e = embedding_width(c_);
        table("positions.learned.weight", p_.learned_positions, c_.max_positions, e, bound);
        Base::last_is_optional(!learned);
        if (!c_.embedding.own_positions || !has_cross(c_)) return;
        table("positions.learned.decoder.weight", p_.decoder_positions, c_.max_positions, e, bound);
        Base::last_is_optional(!learned);
    }

    void classifier_head() {
        auto& head = p_.head;
        const Index read = pooled_width(c_), classes = std::ssize(head.classes);
        const Index dense = c_.dense > 0 ? c_.dense : read;
        const auto share = [](Index in) { return 1.0 / static_cast<double>(in); };
        if (c_.dense > 0) {
            linear("dense.weight", head.dense, read, dense, bound_of_variance(2 * share(read)));
            vector("dense.bias", head.dense_bias, dense);
        }
        const bool two = c_.pooling == Pooling::leading;
        const Index last = two ? c_.d_model : dense;
        linear("output.weight", head.output, last, classes, bound_of_variance(share(last)));
        vector("output.bias", head.output_bias, classes);
        if (!two) return;
        linear("distilled.weight", head.distilled, last, classes, bound_of_variance(share(last)));
        vector("distilled.bias", head.distilled_bias, classes);
    }

    void word_logits() {
        const Index d = c_.d_model, e = embedding_width(c_);
        const float bound = bound_of_variance(1.0 / static_cast<double>(e));
        if (c_.word_logits.transform) {
            linear("transform.weight", p_.transform, d, e, bound);
            vector("transform.bias", p_.transform_bias, e);
            vector("transform.norm.weight", p_.transform_norm.gain, e, 1);
            vector("transform.norm.bias", p_.transform_norm.shift, e);
        }
        if (!c_.word_logits.tied) table("output.weight", p_.output, c_.vocabulary, e, bound);
        if (c_.word_logits.bias) vector("output.bias", p_.output_bias, c_.vocabulary);
    }

    void lone_attention() {
        attention("self_attn", p_.encoder[0].self_attention);
        relative("positions.relative.weight", AttentionKind::encoder_self);
        scores("self_attn", AttentionKind::encoder_self, 0);
    }

    void encoder() {
        if (c_.embedding.norm) {
            norm("encoder.embedding.norm", p_.encoder_embedding_norm, embedding_width(c_));
        }
        residual_ = residual_gain(2 * c_.n_encoder_layers);
        for (std::size_t i = 0; i < listed(p_.encoder); ++i) {
            const std::string at = fmt::format("encoder.layers.{}", i);
            auto& layer = p_.encoder[i];
            attention(at + ".self_attn", layer.self_attention);
            feed_forward(at, layer.feed_forward);
            norm(at + ".norm1", layer.norm1);
            if (!c_.norms.shared) norm(at + ".norm2", layer.norm2);
            if (c_.norms.after) {
                norm(at + ".after1", layer.after1);
                norm(at + ".after2", layer.after2);
            }
            scores(at + ".self_attn", AttentionKind::encoder_self, i);
        }
        if (c_.norms.last) norm("encoder.norm", p_.encoder_norm);
        relative(AttentionKind::encoder_self);
    }

    void decoder() {
        if (c_.embedding.norm) {
            norm("decoder.embedding.norm", p_.decoder_embedding_norm, embedding_width(c_));
        }
        residual_ = residual_gain((has_cross(c_) ? 3 : 2) * c_.n_decoder_layers);
        for (std::size_t i = 0; i < listed(p_.decoder); ++i) {
            const std::string at = fmt::format("decoder.layers.{}", i);
            auto& layer = p_.decoder[i];
            attention(at + ".self_attn", layer.self_attention);
            feed_forward(at, layer.feed_forward);
            norm(at + ".norm1", layer.norm1);
            if (!c_.norms.shared) norm(at + ".norm3", layer.norm3);
            if (c_.norms.after) {
                norm(at + ".after1", layer.after1);
                norm(at + ".after3", layer.after3);
                if (has_cross(c_)) norm(at + ".after2", layer.after2);
            }
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
        if (!c_.attention.head_norm) return;
        vector(at + ".query_norm.weight", a.query_norm, width, 1);
        vector(at + ".key_norm.weight", a.key_norm, width, 1);
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

    template <class N> void norm(const std::string& at, N& n) { norm(at, n, c_.d_model); }
    template <class N> void norm(const std::string& at, N& n, Index width) {
        vector(at + ".weight", n.gain, width, 1);
        if (c_.norms.bias && c_.norms.kind == nn::NormKind::layer) {
            vector(at + ".bias", n.shift, width);
        }
    }

    /// Layers that share their weights are listed once.
    template <class L> std::size_t listed(const L& layers) const {
        return c_.shared_layers ? std::min<std::size_t>(1, layers.size()) : layers.size();
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

// Packed weights are shared by their copies.
template <class L> void share_layers(std::vector<L>& layers) {
    for (std::size_t i = 1; i < layers.size(); ++i) layers[i] = layers[0];
}

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
    for (auto& layer : parameters.encoder) {
        set(layer.norm1, layer.norm2, layer.after1, layer.after2);
        layer.self_attention.norm_epsilon = c.norm_epsilon;
    }
    for (auto& layer : parameters.decoder) {
        set(layer.norm1, layer.norm2, layer.norm3, layer.after1, layer.after2, layer.after3);
        layer.self_attention.norm_epsilon = layer.cross_attention.norm_epsilon = c.norm_epsilon;
    }
    parameters.transform_norm.epsilon = c.norm_epsilon;
    set(parameters.encoder_norm, parameters.decoder_norm, parameters.encoder_embedding_norm,
        parameters.decoder_embedding_norm);
}

void share_scores(Parameters& parameters) {
    if (!parameters.config.shared_layers) return;
    const auto heads = static_cast<std::size_t>(parameters.config.n_heads);
    for (auto& scores : parameters.scores) {
        for (std::size_t i = heads; i < scores.size(); ++i) scores[i] = scores[i % heads];
    }
}

void derive(Parameters& parameters) {
    if (parameters.config.shared_layers) {
        share_layers(parameters.encoder);
        share_layers(parameters.decoder);
    }
    share_scores(parameters);
    parameters.sines = std::make_shared<const SineRows>(embedding_width(parameters.config),
                                                        parameters.config.embedding.sines_first);
}

} // namespace heed::models
