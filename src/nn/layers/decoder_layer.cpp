#include "nn/layers/decoder_layer.hpp"

#include "base/check.hpp"
#include "nn/layers/sublayer.hpp"

#include <utility>

namespace heed::nn {

template <class S>
DecoderLayerCache<S>
decoder_layer_forward(num::ThreadPool& pool, const DecoderLayerParams<S>& params,
                      const Matrix<S>& x, const Matrix<S>* memory, std::vector<Head<S>> self_heads,
                      std::vector<Head<S>> cross_heads, const DecoderLayerOptions<S>& options) {
    HEED_CHECK(!memory || !params.cross_attention.empty(),
               "{} has no cross-attention to read the memory with", options.name);
    DecoderLayerCache<S> c;
    const bool pre = options.norm == NormOrder::pre;
    auto self = named(options.self_attention, options.name, "self_attn");
    auto cross = named(options.cross_attention, options.name, "multihead_attn");
    self.next = memory ? &params.cross_attention.query : &params.feed_forward.linear1;
    cross.next = &params.feed_forward.linear1;
    const Dropout dropout1(options.dropout, options.name + ".dropout1");
    const Dropout dropout2(options.dropout, options.name + ".dropout2");
    const Dropout dropout3(options.dropout, options.name + ".dropout3");

    if (pre) c.norm1 = layer_norm_forward(pool, params.norm1, x);
    const Matrix<S>& read1 = pre ? c.norm1.y : x;
    c.self_attention =
        attention_forward(pool, params.self_attention, read1, read1, std::move(self_heads), self);
    if (options.change_self) options.change_self(num::view(c.self_attention.output));
    finish_sublayer(pool, options.norm, params.norm1, params.after1, dropout1, x,
                    c.self_attention.output, c.norm1, c.residual1);
    const Matrix<S>* stream = pre ? &c.residual1 : &c.norm1.y;

    if (memory) {
        if (pre) c.norm2 = layer_norm_forward(pool, params.norm2, *stream);
        c.cross_attention =
            attention_forward(pool, params.cross_attention, pre ? c.norm2.y : *stream, *memory,
                              std::move(cross_heads), cross);
        if (options.change_cross) options.change_cross(num::view(c.cross_attention.output));
        finish_sublayer(pool, options.norm, params.norm2, params.after2, dropout2, *stream,
                        c.cross_attention.output, c.norm2, c.residual2);
        stream = pre ? &c.residual2 : &c.norm2.y;
    }

    const bool shared = options.parallel && params.norm3.gain.size() == 0;
    if (pre && !shared) {
        c.norm3 = layer_norm_forward(pool, params.norm3, options.parallel ? x : *stream);
    }
    const Matrix<S>& read3 = !pre ? *stream : shared ? c.norm1.y : c.norm3.y;
    c.feed_forward =
        feed_forward(pool, params.feed_forward, options.activation, read3, options.next);
    if (options.change_feed_forward) options.change_feed_forward(num::view(c.feed_forward.output));
    finish_sublayer(pool, options.norm, params.norm3, params.after3, dropout3, *stream,
                    c.feed_forward.output, c.norm3, c.residual3);
    return c;
}

template DecoderLayerCache<float>
decoder_layer_forward(num::ThreadPool&, const DecoderLayerParams<float>&, const Matrix<float>&,
                      const Matrix<float>*, std::vector<Head<float>>, std::vector<Head<float>>,
                      const DecoderLayerOptions<float>&);
template DecoderLayerCache<double>
decoder_layer_forward(num::ThreadPool&, const DecoderLayerParams<double>&, const Matrix<double>&,
                      const Matrix<double>*, std::vector<Head<double>>, std::vector<Head<double>>,
                      const DecoderLayerOptions<double>&);

} // namespace heed::nn
