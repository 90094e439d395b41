#include "nn/layers/encoder_layer.hpp"

#include "nn/layers/sublayer.hpp"

#include <utility>

namespace heed::nn {

template <class S>
EncoderLayerCache<S> encoder_layer_forward(num::ThreadPool& pool,
                                           const EncoderLayerParams<S>& params, const Matrix<S>& x,
                                           std::vector<Head<S>> heads,
                                           const EncoderLayerOptions<S>& options) {
    EncoderLayerCache<S> c;
    const bool pre = options.norm == NormOrder::pre;
    auto attention = named(options.self_attention, options.name, "self_attn");
    attention.next = &params.feed_forward.linear1;
    const Dropout dropout1(options.dropout, options.name + ".dropout1");
    const Dropout dropout2(options.dropout, options.name + ".dropout2");

    if (pre) c.norm1 = layer_norm_forward(pool, params.norm1, x);
    const Matrix<S>& read = pre ? c.norm1.y : x;
    c.self_attention =
        attention_forward(pool, params.self_attention, read, read, std::move(heads), attention);
    if (options.change_attention) options.change_attention(num::view(c.self_attention.output));
    finish_sublayer(pool, options.norm, params.norm1, params.after1, dropout1, x,
                    c.self_attention.output, c.norm1, c.residual1);
    const Matrix<S>& x1 = pre ? c.residual1 : c.norm1.y;

    const bool shared = options.parallel && params.norm2.gain.size() == 0;
    if (pre && !shared) c.norm2 = layer_norm_forward(pool, params.norm2, options.parallel ? x : x1);
    const Matrix<S>& read2 = !pre ? x1 : shared ? c.norm1.y : c.norm2.y;
    c.feed_forward =
        feed_forward(pool, params.feed_forward, options.activation, read2, options.next);
    if (options.change_feed_forward) options.change_feed_forward(num::view(c.feed_forward.output));
    finish_sublayer(pool, options.norm, params.norm2, params.after2, dropout2, x1,
                    c.feed_forward.output, c.norm2, c.residual2);
    return c;
}

template EncoderLayerCache<float>
encoder_layer_forward(num::ThreadPool&, const EncoderLayerParams<float>&, const Matrix<float>&,
                      std::vector<Head<float>>, const EncoderLayerOptions<float>&);
template EncoderLayerCache<double>
encoder_layer_forward(num::ThreadPool&, const EncoderLayerParams<double>&, const Matrix<double>&,
                      std::vector<Head<double>>, const EncoderLayerOptions<double>&);

} // namespace heed::nn
