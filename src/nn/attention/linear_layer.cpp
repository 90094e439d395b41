#include "nn/attention/linear_layer.hpp"

namespace heed::nn {

num::ThreadPool& alone() {
    thread_local num::ThreadPool pool(1);
    return pool;
}

template <class S> void LinearLayer<S>::set(ConstView<S> w, std::span<const S> b) {
    num::repack<S>(weights, w);
    num::repack_transposed<S>(transposed, w);
    bias = b;
}

template <class S>
void linear_forward(const LinearLayer<S>& layer, ConstView<S> x, const LinearEnd<S>& end,
                    View<S> y) {
    num::linear<S>(alone(), x, layer.weights,
                   {.bias = layer.bias, .epilogue = end.epilogue, .residual = end.residual}, y);
}

template <class S>
void linear_forward(const LinearLayer<S>& layer, ConstView<S> x, const LinearEnd<S>& end,
                    Matrix<S>& y) {
    y.resize(x.rows(), layer.weights.out());
    linear_forward(layer, x, end, num::view(y));
}

template <class S>
void linear_gradient(ConstView<S> x, ConstView<S> dy, num::Store store, bool has_bias,
                     const LinearGradient<S>& gradient) {
    if (!gradient.weights) return;
    const Index in = x.cols(), out = dy.cols();
    num::product_of_transpose<S>(
        x, dy, store, View<S>(gradient.weights, in, out, Eigen::OuterStride<>(out)),
        has_bias ? std::span<S>(gradient.bias, static_cast<std::size_t>(out)) : std::span<S>());
}

template <class S>
void linear_backward(const LinearLayer<S>& layer, ConstView<S> dy, num::Store store,
                     Matrix<S>& dx) {
    // Where it is added, each number is read just before it is stored.
    num::linear<S>(alone(), dy, layer.transposed,
                   {.bias = {}, .residual = store == num::Store::add ? &dx : nullptr},
                   num::view(dx));
}

#define HEED_LINEAR_LAYER(S)                                                                       \
    template struct LinearLayer<S>;                                                                \
    template void linear_forward(const LinearLayer<S>&, ConstView<S>, const LinearEnd<S>&,         \
                                 View<S>);                                                         \
    template void linear_forward(const LinearLayer<S>&, ConstView<S>, const LinearEnd<S>&,         \
                                 Matrix<S>&);                                                      \
    template void linear_gradient(ConstView<S>, ConstView<S>, num::Store, bool,                    \
                                  const LinearGradient<S>&);                                       \
    template void linear_backward(const LinearLayer<S>&, ConstView<S>, num::Store, Matrix<S>&);
HEED_LINEAR_LAYER(float)
HEED_LINEAR_LAYER(double)
#undef HEED_LINEAR_LAYER

} // namespace heed::nn
