#include "nn/norm.hpp"

#include "base/check.hpp"
#include "nn/row_blocks.hpp"
#include "num/rows.hpp"

#include <cmath>
#include <span>

namespace heed::nn {

namespace {

template <class S> std::span<const S> row_of(const Matrix<S>& m, Index row) {
    return {m.data() + row * m.cols(), static_cast<std::size_t>(m.cols())};
}

float normalise(std::span<const float> x, std::span<const float> added,
                const LayerNormParams<float>& p, std::span<float> y, float& mean) {
    const auto d = static_cast<std::size_t>(p.gain.size());
    const auto moments =
        num::normalise_row(x, added, {p.gain.data(), d}, {p.shift.data(), d}, p.epsilon, y);
    mean = moments.mean;
    return moments.rstd;
}

/// What the vector kernel does, for gradient tests.
double normalise(std::span<const double> x, std::span<const double> added,
                 const LayerNormParams<double>& p, std::span<double> row, double& mean) {
    using Row = Eigen::Map<const RowVector<double>>;
    const auto d = static_cast<Index>(x.size());
    Eigen::Map<RowVector<double>> y(row.data(), d);
    y = Row(x.data(), d);
    if (!added.empty()) y += Row(added.data(), d);
    mean = y.mean();
    const double rstd = 1 / std::sqrt((y.array() - mean).square().mean() + p.epsilon);
    y.array() = (y.array() - mean) * rstd * p.gain.array() + p.shift.array();
    return rstd;
}

} // namespace

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
    for_row_blocks(team, x.rows(), d, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            const auto i = static_cast<std::size_t>(r);
            result.cache.rstd[i] = normalise(
                row_of(x, r), added ? row_of(*added, r) : std::span<const S>(), params,
                {result.y.data() + r * d, static_cast<std::size_t>(d)}, result.cache.mean[i]);
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
