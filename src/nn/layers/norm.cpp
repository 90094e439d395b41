#include "nn/layers/norm.hpp"

#include "base/check.hpp"
#include "nn/attention/row_blocks.hpp"
#include "num/row_gradients.hpp"
#include "num/rows.hpp"

#include <cmath>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heed::nn {

namespace {

/// True where the vector kernels of num know such a norm: what is trained and run most.
template <class S> bool has_kernel(const LayerNormParams<S>& p) {
    return std::is_same_v<S, float> && p.kind == NormKind::layer && p.shift.size() > 0;
}

/// One row by its formula; `added` may be null. Returns mean and rstd.
template <class S>
std::pair<S, S> normalise(const LayerNormParams<S>& p, const S* x, const S* added, S* to) {
    const Index d = p.gain.size();
    num::RowArray<S> y(to, d);
    y = num::ConstRowArray<S>(x, d);
    if (added) y += num::ConstRowArray<S>(added, d);
    const S mean = p.kind == NormKind::layer ? y.mean() : S(0);
    const S rstd = 1 / std::sqrt((y - mean).square().mean() + p.epsilon);
    y = (y - mean) * rstd * p.gain.array();
    if (p.shift.size() > 0) y += p.shift.array();
    return {mean, rstd};
}

std::pair<float, float> normalise_by_kernel(const LayerNormParams<float>& p, const float* x,
                                            const float* added, float* to) {
    const auto d = static_cast<std::size_t>(p.gain.size());
    const auto moments = num::normalise_row(
        {x, d}, added ? std::span<const float>(added, d) : std::span<const float>(),
        {p.gain.data(), d}, {p.shift.data(), d}, p.epsilon, {to, d});
    return {moments.mean, moments.rstd};
}

template <class S>
void row_backward(const LayerNormParams<S>& p, S mean, S rstd, const S* x, const S* dy, S* dgain,
                  S* dshift, S* dx) {
    using Array = Eigen::Array<S, 1, Eigen::Dynamic>;
    const Index d = p.gain.size();
    const num::ConstRowArray<S> given(dy, d);
    const Array unit = (num::ConstRowArray<S>(x, d) - mean) * rstd, g = given * p.gain.array();
    num::RowArray<S>(dgain, d) += given * unit;
    if (p.shift.size() > 0) num::RowArray<S>(dshift, d) += given;
    const S along = (g * unit).mean(), level = p.kind == NormKind::layer ? g.mean() : S(0);
    num::RowArray<S>(dx, d) = (g - level - unit * along) * rstd;
}

void row_backward_by_kernel(const LayerNormParams<float>& p, float mean, float rstd, const float* x,
                            const float* dy, float* dgain, float* dshift, float* dx) {
    const auto d = static_cast<std::size_t>(p.gain.size());
    num::normalise_row_backward({x, d}, {mean, rstd}, {p.gain.data(), d}, {dy, d}, {dx, d},
                                {dgain, d}, {dshift, d});
}

} // namespace

template <class S>
LayerNorm<S> layer_norm_forward(num::ThreadPool& pool, const LayerNormParams<S>& params,
                                const Matrix<S>& x, const Matrix<S>* added) {
    const Index d = x.cols();
    HEED_CHECK(params.gain.cols() == d && (params.shift.cols() == d || params.shift.size() == 0),
               "rows are {} wide, gain {} and shift {}", d, params.gain.cols(),
               params.shift.cols());
    HEED_CHECK(!added || (added->rows() == x.rows() && added->cols() == d),
               "{} x {} is added to {} x {}", added->rows(), added->cols(), x.rows(), d);
    const auto rows = static_cast<std::size_t>(x.rows());
    LayerNorm<S> result{Matrix<S>(x.rows(), d), {std::vector<S>(rows), std::vector<S>(rows)}};
    const bool kernel = has_kernel(params);
    for_row_blocks(pool, x.rows(), d, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            const S* plus = added ? added->row(r).data() : nullptr;
            S* to = result.y.data() + r * d;
            std::pair<S, S> moments;
            if constexpr (std::is_same_v<S, float>) {
                moments = kernel ? normalise_by_kernel(params, x.row(r).data(), plus, to)
                                 : normalise(params, x.row(r).data(), plus, to);
            } else {
                moments = normalise(params, x.row(r).data(), plus, to);
            }
            const auto i = static_cast<std::size_t>(r);
            std::tie(result.cache.mean[i], result.cache.rstd[i]) = moments;
        }
    });
    return result;
}

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
    const bool kernel = has_kernel(params);
    for (Index r = 0; r < x.rows(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        const S mean = cache.mean[i], rstd = cache.rstd[i];
        S* to = dx.data() + r * d;
        if constexpr (std::is_same_v<S, float>) {
            if (kernel) {
                row_backward_by_kernel(params, mean, rstd, x.row(r).data(), dy.row(r).data(), dgain,
                                       dshift, to);
                continue;
            }
        }
        row_backward(params, mean, rstd, x.row(r).data(), dy.row(r).data(), dgain, dshift, to);
    }
}

template <class S>
Matrix<S> residual_sum(num::ThreadPool& pool, const Matrix<S>& x, const Matrix<S>& added) {
    HEED_CHECK(x.rows() == added.rows() && x.cols() == added.cols(), "{} x {} is added to {} x {}",
               added.rows(), added.cols(), x.rows(), x.cols());
    Matrix<S> sum(x.rows(), x.cols());
    for_row_blocks(pool, x.rows(), x.cols(), [&](Index begin, Index end) {
        const Index rows = end - begin;
        sum.middleRows(begin, rows) = x.middleRows(begin, rows) + added.middleRows(begin, rows);
    });
    return sum;
}

#define HEED_NORM(S)                                                                               \
    template LayerNorm<S> layer_norm_forward(num::ThreadPool&, const LayerNormParams<S>&,          \
                                             const Matrix<S>&, const Matrix<S>*);                  \
    template void layer_norm_backward(const LayerNormParams<S>&, const LayerNormCache<S>&,         \
                                      const Matrix<S>&, const Matrix<S>&, S*, S*, Matrix<S>&);     \
    template Matrix<S> residual_sum(num::ThreadPool&, const Matrix<S>&, const Matrix<S>&);
HEED_NORM(float)
HEED_NORM(double)
#undef HEED_NORM

} // namespace heed::nn
