#include "nn/norm.hpp"

#include "base/check.hpp"
#include "nn/row_blocks.hpp"

#include <cmath>

namespace heed::nn {

template <class S>
LayerNorm<S> layer_norm_forward(num::Team& team, const LayerNormParams<S>& params,
                                const Matrix<S>& x, const Matrix<S>* added) {
    const Index d = x.cols();
    HEED_CHECK(params.gain.cols() == d && params.shift.cols() == d,
               "rows are {} wide, gain {} and shift {}", d, params.gain.cols(),
               params.shift.cols());
    HEED_CHECK(!added || (added->rows() == x.rows() && added->cols() == d),
               "{} x {} is added to {} x {}", added->rows(), added->cols(), x.rows(), d);
    const auto rows = static_cast<std::size_t>(x.rows());
    LayerNorm<S> result{Matrix<S>(x.rows(), d), {std::vector<S>(rows), std::vector<S>(rows)}};
    for_row_blocks(team, x.rows(), 4 * d, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            auto y = result.y.row(r);
            if (added) {
                y = x.row(r) + added->row(r);
            } else {
                y = x.row(r);
            }
            const S mean = y.mean();
            const S variance = (y.array() - mean).square().mean();
            const S rstd = 1 / std::sqrt(variance + params.epsilon);
            y.array() = (y.array() - mean) * rstd * params.gain.array() + params.shift.array();
            result.cache.mean[static_cast<std::size_t>(r)] = mean;
            result.cache.rstd[static_cast<std::size_t>(r)] = rstd;
        }
    });
    return result;
}

template <class S>
Matrix<S> residual_sum(num::Team& team, const Matrix<S>& x, const Matrix<S>& added) {
    HEED_CHECK(x.rows() == added.rows() && x.cols() == added.cols(), "{} x {} is added to {} x {}",
               added.rows(), added.cols(), x.rows(), x.cols());
    Matrix<S> sum(x.rows(), x.cols());
    for_row_blocks(team, x.rows(), x.cols(), [&](Index begin, Index end) {
        const Index rows = end - begin;
        sum.middleRows(begin, rows) = x.middleRows(begin, rows) + added.middleRows(begin, rows);
    });
    return sum;
}

template LayerNorm<float> layer_norm_forward(num::Team&, const LayerNormParams<float>&,
                                             const Matrix<float>&, const Matrix<float>*);
template LayerNorm<double> layer_norm_forward(num::Team&, const LayerNormParams<double>&,
                                              const Matrix<double>&, const Matrix<double>*);
template Matrix<float> residual_sum(num::Team&, const Matrix<float>&, const Matrix<float>&);
template Matrix<double> residual_sum(num::Team&, const Matrix<double>&, const Matrix<double>&);

} // namespace heed::nn
