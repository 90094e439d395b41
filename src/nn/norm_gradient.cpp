#include "nn/norm_gradient.hpp"

#include "base/check.hpp"
#include "num/row_gradients.hpp"

namespace heed::nn {

namespace {

using Row = Eigen::Map<Eigen::Array<double, 1, Eigen::Dynamic>>;
using ConstRow = Eigen::Map<const Eigen::Array<double, 1, Eigen::Dynamic>>;

void row_backward(const LayerNormParams<float>& p, float mean, float rstd, const float* x,
                  const float* dy, float* dgain, float* dshift, float* dx) {
    const auto d = static_cast<std::size_t>(p.gain.size());
    num::normalise_row_backward({x, d}, {mean, rstd}, {p.gain.data(), d}, {dy, d}, {dx, d},
                                {dgain, d}, {dshift, d});
}

void row_backward(const LayerNormParams<double>& p, double mean, double rstd, const double* x,
                  const double* dy, double* dgain, double* dshift, double* dx) {
    using Array = Eigen::Array<double, 1, Eigen::Dynamic>;
    const Index d = p.gain.size();
    const ConstRow given(dy, d);
    const Array unit = (ConstRow(x, d) - mean) * rstd, g = given * p.gain.array();
    Row(dgain, d) += given * unit;
    Row(dshift, d) += given;
    Row(dx, d) = (g - g.mean() - unit * (g * unit).mean()) * rstd;
}

} // namespace

template <class S>
void layer_norm_backward(const LayerNormParams<S>& params, const LayerNormCache<S>& cache,
                         const Matrix<S>& x, const Matrix<S>& dy, S* dgain, S* dshift,
                         Matrix<S>& dx) {
    const Index d = x.cols();
    HEED_CHECK(dy.rows() == x.rows() && dy.cols() == d && params.gain.size() == d &&
                   static_cast<Index>(cache.mean.size()) == x.rows(),
               "gradients of {} x {} for a norm of {} rows of {}", dy.rows(), dy.cols(),
               cache.mean.size(), params.gain.size());
    if (&dx != &dy) dx.resize(x.rows(), d);
    for (Index r = 0; r < x.rows(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        row_backward(params, cache.mean[i], cache.rstd[i], x.data() + r * d, dy.data() + r * d,
                     dgain, dshift, dx.data() + r * d);
    }
}

template void layer_norm_backward(const LayerNormParams<float>&, const LayerNormCache<float>&,
                                  const Matrix<float>&, const Matrix<float>&, float*, float*,
                                  Matrix<float>&);
template void layer_norm_backward(const LayerNormParams<double>&, const LayerNormCache<double>&,
                                  const Matrix<double>&, const Matrix<double>&, double*, double*,
                                  Matrix<double>&);

} // namespace heed::nn
