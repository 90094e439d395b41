#include "nn/layers/sublayer_gradient.hpp"

#include "nn/attention/linear_layer.hpp"

namespace heed::nn {

template <class S>
const Matrix<S>& sublayer_read(NormOrder order, const LayerNormParams<S>& norm, const Matrix<S>& x,
                               SublayerCache<S>& cache) {
    if (order == NormOrder::post) return x;
    cache.norm = layer_norm_forward(alone(), norm, x);
    return cache.norm.y;
}

template <class S>
const Matrix<S>& sublayer_finish(NormOrder order, const LayerNormParams<S>& norm,
                                 const DropoutSettings& settings, const std::string& place,
                                 const Matrix<S>& x, SublayerCache<S>& cache) {
    const Dropout dropout(settings, place);
    if (dropout.active()) {
        cache.factors.resize(x.rows(), x.cols());
        for (Index i = 0; i < x.size(); ++i) {
            cache.factors.data()[i] = dropout.template factor<S>(i);
        }
        cache.sum = x + cache.sum.cwiseProduct(cache.factors);
    } else {
        cache.factors.resize(0, 0);
    }
    if (order == NormOrder::pre) return cache.sum;
    cache.norm = layer_norm_forward(alone(), norm, cache.sum);
    return cache.norm.y;
}

template <class S>
const Matrix<S>& sublayer_backward(NormOrder order, const LayerNormParams<S>& norm,
                                   const SublayerCache<S>& cache, const NormGradient<S>& gradient,
                                   Matrix<S>& dy, Matrix<S>& d_made) {
    if (order == NormOrder::post) {
        layer_norm_backward(norm, cache.norm.cache, cache.sum, dy, gradient.gain, gradient.shift,
                            dy);
    }
    if (cache.factors.size() == 0) return dy;
    d_made = dy.cwiseProduct(cache.factors);
    return d_made;
}

template <class S>
void sublayer_read_backward(const LayerNormParams<S>& norm, const SublayerCache<S>& cache,
                            const Matrix<S>& x, const NormGradient<S>& gradient, Matrix<S>& d_read,
                            Matrix<S>& dx) {
    layer_norm_backward(norm, cache.norm.cache, x, d_read, gradient.gain, gradient.shift, d_read);
    dx += d_read;
}

#define HEED_SUBLAYER(S)                                                                           \
    template const Matrix<S>& sublayer_read(NormOrder, const LayerNormParams<S>&,                  \
                                            const Matrix<S>&, SublayerCache<S>&);                  \
    template const Matrix<S>& sublayer_finish(NormOrder, const LayerNormParams<S>&,                \
                                              const DropoutSettings&, const std::string&,          \
                                              const Matrix<S>&, SublayerCache<S>&);                \
    template const Matrix<S>& sublayer_backward(NormOrder, const LayerNormParams<S>&,              \
                                                const SublayerCache<S>&, const NormGradient<S>&,   \
                                                Matrix<S>&, Matrix<S>&);                           \
    template void sublayer_read_backward(const LayerNormParams<S>&, const SublayerCache<S>&,       \
                                         const Matrix<S>&, const NormGradient<S>&, Matrix<S>&,     \
                                         Matrix<S>&);
HEED_SUBLAYER(float)
HEED_SUBLAYER(double)
#undef HEED_SUBLAYER

} // namespace heed::nn
