#include "inside/pass_layers.hpp"

#include "models/model/resolve.hpp"
#include "models/transformer/parameters.hpp"
#include "nn/attention/score_info.hpp"
#include "num/transposed.hpp"

#include <algorithm>
#include <deque>
#include <type_traits>
#include <utility>

namespace heed::inside {

namespace {

using base::ErrorKind;
using base::fail;
using num::RowVector;

template <class S> using Biases = std::deque<RowVector<S>>;

template <class S> std::span<const S> bias_in(const RowVector<float>& from, Biases<S>& kept) {
    if constexpr (std::is_same_v<S, float>) {
        return num::row_span(from);
    } else {
        kept.push_back(from.cast<S>());
        return num::row_span(std::as_const(kept.back()));
    }
}

template <class S>
nn::LinearLayer<S> linear_in(const num::Weights<float>& w, const RowVector<float>& bias,
                             Biases<S>& kept) {
    nn::LinearLayer<S> layer;
    layer.weights = weights_in<S>(w);
    layer.bias = bias_in<S>(bias, kept);
    return layer;
}

template <class S> nn::ScoreParams<S> score_in(const nn::ScoreParams<float>& from) {
    return {from.query.cast<S>(), from.key.cast<S>(), from.hidden.cast<S>(),
            from.bilinear.cast<S>()};
}

template <class S>
nn::SegmentAttention<S> attention_in(const models::Run& run, AttentionKind kind, int layer,
                                     const nn::AttentionParams<float>& p, Biases<S>& kept) {
    const auto& all = models::transformer(*run.model)->usual_parameters();
    const auto attention = run.trace.attention(kind, layer);
    nn::SegmentAttention<S> to;
    to.name = attention->name;
    to.directed = kind == AttentionKind::decoder_self;
    to.positions = models::position_settings(all.config.attention);
    to.query = linear_in<S>(p.query, p.query_bias, kept);
    to.key = linear_in<S>(p.key, p.key_bias, kept);
    to.value = linear_in<S>(p.value, p.value_bias, kept);
    to.output = linear_in<S>(p.output, p.output_bias, kept);
    bool relative = false, scored = false;
    for (const trace::Head& head : attention->heads) {
        to.heads.push_back(nn::trained_settings<S>(head.settings));
        relative = relative || head.settings.positions == nn::Positions::relative;
        scored = scored || head.score_params;
    }
    if (relative) to.relative = all.relative[static_cast<int>(kind)].cast<S>();
    for (const trace::Head& head : attention->heads) {
        if (!scored) break;
        to.scores.push_back(head.score_params ? score_in<S>(*head.score_params)
                                              : nn::ScoreParams<S>{});
    }
    return to;
}

template <class S>
nn::LearnedFeedForward<S> feed_forward_in(const nn::FeedForwardParams<float>& p,
                                          nn::Activation activation, Biases<S>& kept) {
    nn::LearnedFeedForward<S> to;
    to.linear1 = linear_in<S>(p.linear1, p.bias1, kept);
    to.linear2 = linear_in<S>(p.linear2, p.bias2, kept);
    to.activation = activation;
    if (p.gated()) to.gate = linear_in<S>(p.gate, p.gate_bias, kept);
    return to;
}

/// Room for gradients of parameters, which nobody reads.
template <class S> struct Unread {
    explicit Unread(const nn::TransformerLayer<S>& layer) {
        const auto norm = [&](nn::NormGradient<S>& to) {
            to.gain = to.shift = room(std::max<Index>(1, layer.self_norm.gain.size()));
        };
        norm(gradient.self_norm);
        norm(gradient.cross_norm);
        norm(gradient.feed_forward_norm);
        scores(layer.self, gradient.self);
        if (layer.cross) scores(*layer.cross, gradient.cross);
    }
    void scores(const nn::SegmentAttention<S>& of, nn::SegmentAttentionGradient<S>& to) {
        for (const nn::ScoreParams<S>& p : of.scores) {
            to.scores.push_back({room(p.query.size()), room(p.key.size()), room(p.hidden.size()),
                                 room(p.bilinear.size())});
        }
    }
    S* room(Index size) {
        rooms.emplace_back(static_cast<std::size_t>(size));
        return rooms.back().data();
    }

    std::deque<std::vector<S>> rooms;
    nn::TransformerLayerGradient<S> gradient;
};

/// y = x + attention(read) + feed_forward(read), each read a norm of x.
template <class S>
void parallel_back(const PassLayer<S>& of, const PassCache<S>& c, const Matrix<S>& x,
                   const nn::Segments& segments, const nn::TransformerLayerGradient<S>& gradient,
                   Matrix<S>& dy) {
    const nn::TransformerLayer<S>& layer = of.layer;
    const bool own = layer.feed_forward_norm.gain.size() > 0;
    const Matrix<S>& read = c.self_frame.norm.y;
    Matrix<S> d_read = Matrix<S>::Zero(x.rows(), x.cols()), d_fed = d_read;
    nn::feed_forward_backward(layer.feed_forward, c.feed_forward,
                              own ? c.feed_forward_frame.norm.y : read, dy, gradient.feed_forward,
                              own ? d_fed : d_read);
    nn::segment_attention_backward(layer.self, c.self, read, segments, read, segments, dy,
                                   gradient.self, d_read, d_read);
    if (own) {
        nn::sublayer_read_backward(layer.feed_forward_norm, c.feed_forward_frame, x,
                                   gradient.feed_forward_norm, d_fed, dy);
    }
    nn::sublayer_read_backward(layer.self_norm, c.self_frame, x, gradient.self_norm, d_read, dy);
}

const char* unknown_part(const models::ModelSpec& spec) {
    if (spec.norms.after) return "has norms after its sublayers, which pass no gradient back yet";
    if (spec.attention.head_norm) return "has norms of its heads, which pass no gradient back yet";
    if (spec.attention.softcap > 0 || spec.word_logits.softcap > 0) {
        return "has a softcap, which passes no gradient back yet";
    }
    return nullptr;
}

const char* unknown_setting(const models::Run& run) {
    if (run.controls.dropout.rate > 0) return "dropout changes the run; turn it off";
    if (run.replaced) return "activations of the run were replaced; run it as it is";
    for (const auto& layer : run.trace.layers) {
        for (const auto& attention : layer->attentions) {
            if (attention->valid_keys < attention->n_keys())
                return "padding changes the run; turn it off";
            for (const trace::Head& head : attention->heads) {
                const trace::HeadSettings& s = head.settings;
                if (!s.edits.empty()) return "edited weights pass no gradient; restore them";
                if (s.dropout > 0) return "dropout changes the weights; turn it off";
            }
        }
    }
    return nullptr;
}

} // namespace

base::Result<void> check_passes(const models::Run& run) {
    const auto readout = readout_of(run);
    if (!readout) return tl::make_unexpected(readout.error());
    if (const char* part = unknown_part(readout->model->config())) {
        return fail(ErrorKind::mismatch, "model", std::string(part));
    }
    if (const char* setting = unknown_setting(run)) {
        return fail(ErrorKind::mismatch, "run", std::string(setting));
    }
    return {};
}

template <class S> nn::LayerNormParams<S> norm_in(const nn::LayerNormParams<float>& from) {
    nn::LayerNormParams<S> to;
    to.gain = from.gain.cast<S>();
    to.shift = from.shift.cast<S>();
    to.epsilon = static_cast<S>(from.epsilon);
    to.kind = from.kind;
    return to;
}

template <class S> num::Weights<S> weights_in(const num::Weights<float>& from) {
    if constexpr (std::is_same_v<S, float>) {
        return from;
    } else {
        return num::Weights<S>(from.dense().template cast<S>());
    }
}

template <class S> PassLayer<S> pass_layer(const models::Run& run, AttentionKind stack, int index) {
    const auto& p = models::transformer(*run.model)->usual_parameters();
    auto kept = std::make_shared<Biases<S>>();
    PassLayer<S> to;
    nn::TransformerLayer<S>& layer = to.layer;
    layer.name = layer_name(stack, index);
    layer.order = models::norm_order(p.config, run.controls);
    to.parallel = p.config.feed_forward.parallel;
    to.alone = p.config.layers == models::LayerKind::attention;
    const auto at = static_cast<std::size_t>(index);
    if (to.alone) {
        layer.self = attention_in<S>(run, stack, index, p.encoder[at].self_attention, *kept);
    } else if (stack == AttentionKind::encoder_self) {
        const auto& from = p.encoder[at];
        layer.self = attention_in<S>(run, stack, index, from.self_attention, *kept);
        layer.feed_forward = feed_forward_in<S>(from.feed_forward, p.config.activation, *kept);
        layer.self_norm = norm_in<S>(from.norm1);
        layer.feed_forward_norm = norm_in<S>(from.norm2);
    } else {
        const auto& from = p.decoder[at];
        layer.self = attention_in<S>(run, stack, index, from.self_attention, *kept);
        if (has_cross(p.config)) {
            layer.cross =
                attention_in<S>(run, AttentionKind::cross, index, from.cross_attention, *kept);
            layer.cross_norm = norm_in<S>(from.norm2);
        }
        layer.feed_forward = feed_forward_in<S>(from.feed_forward, p.config.activation, *kept);
        layer.self_norm = norm_in<S>(from.norm1);
        layer.feed_forward_norm = norm_in<S>(from.norm3);
    }
    to.kept = std::move(kept);
    return to;
}

template <class S> PassLayer<S> with_transposed(PassLayer<S> of) {
    const auto turn = [](nn::LinearLayer<S>& linear) {
        if (linear.weights.out() == 0) return;
        const Matrix<S> dense = linear.weights.dense();
        num::repack_transposed<S>(linear.transposed, num::view(dense));
    };
    nn::TransformerLayer<S>& layer = of.layer;
    for (auto* attention : {&layer.self, layer.cross ? &*layer.cross : nullptr}) {
        if (!attention) continue;
        for (auto* map :
             {&attention->query, &attention->key, &attention->value, &attention->output}) {
            turn(*map);
        }
    }
    for (auto* map :
         {&layer.feed_forward.linear1, &layer.feed_forward.linear2, &layer.feed_forward.gate}) {
        turn(*map);
    }
    return of;
}

template <class S>
const Matrix<S>& attended(const PassLayer<S>& of, const Matrix<S>& x, const nn::Segments& segments,
                          const nn::Memory<S>& memory, PassCache<S>& c) {
    const nn::TransformerLayer<S>& layer = of.layer;
    if (of.alone) {
        nn::segment_attention_forward<S>(layer.self, x, segments, x, segments, {}, nullptr, c.self,
                                         c.self_frame.sum);
        return c.self_frame.sum;
    }
    const nn::NormOrder order = layer.order;
    const auto finish = [&](const nn::LayerNormParams<S>& norm, const Matrix<S>& stream,
                            nn::SublayerCache<S>& frame) -> const Matrix<S>& {
        return nn::sublayer_finish(order, norm, {}, layer.name, stream, frame);
    };
    const Matrix<S>& read = nn::sublayer_read(order, layer.self_norm, x, c.self_frame);
    nn::segment_attention_forward(layer.self, read, segments, read, segments, {}, &x, c.self,
                                  c.self_frame.sum);
    const Matrix<S>& stream = finish(layer.self_norm, x, c.self_frame);
    if (!layer.cross) return stream;
    const Matrix<S>& asking = nn::sublayer_read(order, layer.cross_norm, stream, c.cross_frame);
    nn::segment_attention_forward(*layer.cross, asking, segments, *memory.rows, *memory.segments,
                                  {}, &stream, c.cross, c.cross_frame.sum);
    return finish(layer.cross_norm, stream, c.cross_frame);
}

template <class S>
const Matrix<S>& fed_forward(const PassLayer<S>& of, const Matrix<S>& x, const Matrix<S>& attended,
                             PassCache<S>& c) {
    if (of.alone) return attended;
    const nn::TransformerLayer<S>& layer = of.layer;
    const bool shares = of.parallel && layer.feed_forward_norm.gain.size() == 0;
    const Matrix<S>& read =
        shares ? c.self_frame.norm.y
               : nn::sublayer_read(layer.order, layer.feed_forward_norm, of.parallel ? x : attended,
                                   c.feed_forward_frame);
    nn::feed_forward_forward(layer.feed_forward, read, &attended, c.feed_forward,
                             c.feed_forward_frame.sum);
    return nn::sublayer_finish(layer.order, layer.feed_forward_norm, {}, layer.name, attended,
                               c.feed_forward_frame);
}

template <class S>
void pass_back(const PassLayer<S>& of, const PassCache<S>& cache, const Matrix<S>& x,
               const nn::Segments& segments, const nn::Memory<S>& memory, S* self_maps,
               S* cross_maps, Matrix<S>& dy, Matrix<S>* d_memory) {
    Unread<S> unread(of.layer);
    unread.gradient.self.maps = self_maps;
    unread.gradient.cross.maps = cross_maps;
    if (of.alone) {
        const Matrix<S> d_attended = std::exchange(dy, Matrix<S>::Zero(x.rows(), x.cols()));
        nn::segment_attention_backward(of.layer.self, cache.self, x, segments, x, segments,
                                       d_attended, unread.gradient.self, dy, dy);
        return;
    }
    if (of.parallel) return parallel_back(of, cache, x, segments, unread.gradient, dy);
    nn::transformer_layer_backward(of.layer, cache, x, segments, memory, unread.gradient, dy,
                                   d_memory);
}

#define HEED_PASS_LAYERS(S)                                                                        \
    template nn::LayerNormParams<S> norm_in(const nn::LayerNormParams<float>&);                    \
    template num::Weights<S> weights_in(const num::Weights<float>&);                               \
    template PassLayer<S> pass_layer(const models::Run&, AttentionKind, int);                      \
    template PassLayer<S> with_transposed(PassLayer<S>);                                           \
    template const Matrix<S>& attended(const PassLayer<S>&, const Matrix<S>&, const nn::Segments&, \
                                       const nn::Memory<S>&, PassCache<S>&);                       \
    template const Matrix<S>& fed_forward(const PassLayer<S>&, const Matrix<S>&, const Matrix<S>&, \
                                          PassCache<S>&);                                          \
    template void pass_back(const PassLayer<S>&, const PassCache<S>&, const Matrix<S>&,            \
                            const nn::Segments&, const nn::Memory<S>&, S*, S*, Matrix<S>&,         \
                            Matrix<S>*);
HEED_PASS_LAYERS(float)
HEED_PASS_LAYERS(double)
#undef HEED_PASS_LAYERS

} // namespace heed::inside
