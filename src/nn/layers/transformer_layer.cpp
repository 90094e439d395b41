#include "nn/layers/transformer_layer.hpp"

#include "base/check.hpp"

namespace heed::nn {

namespace {

template <class S> const Matrix<S>& output_of(NormOrder order, const SublayerCache<S>& frame) {
    return order == NormOrder::pre ? frame.sum : frame.norm.y;
}
/// The rows that the sublayer read whose input was x.
template <class S>
const Matrix<S>& read_by(NormOrder order, const SublayerCache<S>& frame, const Matrix<S>& x) {
    return order == NormOrder::pre ? frame.norm.y : x;
}

/// One sublayer backward: pass(d_made, d_read) adds to d_read. dy becomes dx.
template <class S, class Pass>
void backward(NormOrder order, const LayerNormParams<S>& norm, const SublayerCache<S>& frame,
              const Matrix<S>& x, const NormGradient<S>& gradient, Matrix<S>& dy, Pass&& pass) {
    Matrix<S> scratch;
    const Matrix<S>& d_made = sublayer_backward(order, norm, frame, gradient, dy, scratch);
    if (order == NormOrder::post) {
        // f read x itself. By the time it adds to dy it has read all of d_made, which may be dy.
        pass(d_made, dy);
        return;
    }
    Matrix<S> d_read = Matrix<S>::Zero(x.rows(), x.cols());
    pass(d_made, d_read);
    sublayer_read_backward(norm, frame, x, gradient, d_read, dy);
}

} // namespace

template <class S>
const Matrix<S>& transformer_layer_forward(const TransformerLayer<S>& layer, const Matrix<S>& x,
                                           const Segments& segments, const Memory<S>& memory,
                                           const DropoutSettings& dropout,
                                           TransformerLayerCache<S>& c) {
    HEED_CHECK(!layer.cross == !memory.rows, "{} has {} cross-attention and {} memory", layer.name,
               layer.cross ? "a" : "no", memory.rows ? "a" : "no");
    const NormOrder order = layer.order;
    const bool itself = adds_itself(dropout);
    const Matrix<S>* stream = &x;
    int number = 0;
    const auto finish = [&](const LayerNormParams<S>& norm, SublayerCache<S>& frame) {
        const std::string place = layer.name + ".dropout" + std::to_string(++number);
        stream = &sublayer_finish(order, norm, dropout, place, *stream, frame);
    };
    const Matrix<S>& read1 = sublayer_read(order, layer.self_norm, *stream, c.self_frame);
    segment_attention_forward(layer.self, read1, segments, read1, segments, dropout,
                              itself ? stream : nullptr, c.self, c.self_frame.sum);
    finish(layer.self_norm, c.self_frame);
    if (layer.cross) {
        const Matrix<S>& read2 = sublayer_read(order, layer.cross_norm, *stream, c.cross_frame);
        segment_attention_forward(*layer.cross, read2, segments, *memory.rows, *memory.segments,
                                  dropout, itself ? stream : nullptr, c.cross, c.cross_frame.sum);
        finish(layer.cross_norm, c.cross_frame);
    }
    const Matrix<S>& read3 =
        sublayer_read(order, layer.feed_forward_norm, *stream, c.feed_forward_frame);
    feed_forward_forward(layer.feed_forward, read3, itself ? stream : nullptr, c.feed_forward,
                         c.feed_forward_frame.sum);
    finish(layer.feed_forward_norm, c.feed_forward_frame);
    return *stream;
}

template <class S>
void transformer_layer_backward(const TransformerLayer<S>& layer, const TransformerLayerCache<S>& c,
                                const Matrix<S>& x, const Segments& segments,
                                const Memory<S>& memory,
                                const TransformerLayerGradient<S>& gradient, Matrix<S>& dy,
                                Matrix<S>* d_memory) {
    const NormOrder order = layer.order;
    const Matrix<S>& x1 = output_of(order, c.self_frame);
    const Matrix<S>& x2 = layer.cross ? output_of(order, c.cross_frame) : x1;
    backward(order, layer.feed_forward_norm, c.feed_forward_frame, x2, gradient.feed_forward_norm,
             dy, [&](const Matrix<S>& d_made, Matrix<S>& d_read) {
                 feed_forward_backward(layer.feed_forward, c.feed_forward,
                                       read_by(order, c.feed_forward_frame, x2), d_made,
                                       gradient.feed_forward, d_read);
             });
    if (layer.cross) {
        backward(order, layer.cross_norm, c.cross_frame, x1, gradient.cross_norm, dy,
                 [&](const Matrix<S>& d_made, Matrix<S>& d_read) {
                     segment_attention_backward(
                         *layer.cross, c.cross, read_by(order, c.cross_frame, x1), segments,
                         *memory.rows, *memory.segments, d_made, gradient.cross, d_read, *d_memory);
                 });
    }
    backward(order, layer.self_norm, c.self_frame, x, gradient.self_norm, dy,
             [&](const Matrix<S>& d_made, Matrix<S>& d_read) {
                 const Matrix<S>& read = read_by(order, c.self_frame, x);
                 segment_attention_backward(layer.self, c.self, read, segments, read, segments,
                                            d_made, gradient.self, d_read, d_read);
             });
}

#define HEED_TRANSFORMER_LAYER(S)                                                                  \
    template const Matrix<S>& transformer_layer_forward(                                           \
        const TransformerLayer<S>&, const Matrix<S>&, const Segments&, const Memory<S>&,           \
        const DropoutSettings&, TransformerLayerCache<S>&);                                        \
    template void transformer_layer_backward(                                                      \
        const TransformerLayer<S>&, const TransformerLayerCache<S>&, const Matrix<S>&,             \
        const Segments&, const Memory<S>&, const TransformerLayerGradient<S>&, Matrix<S>&,         \
        Matrix<S>*);
HEED_TRANSFORMER_LAYER(float)
HEED_TRANSFORMER_LAYER(double)
#undef HEED_TRANSFORMER_LAYER

} // namespace heed::nn
