#include "num/softmax.hpp"

#include <cmath>
#include <limits>

namespace heed::num {

template <class S> RowVector<S> softmax(const RowVector<S>& x) {
    if (x.size() == 0) return x;
    const S max = x.template maxCoeff<Eigen::PropagateNaN>();
    if (max == -std::numeric_limits<S>::infinity()) return RowVector<S>::Zero(x.size());
    RowVector<S> y(x.size());
    for (Index i = 0; i < x.size(); ++i) y[i] = std::exp(x[i] - max);
    return y / y.sum();
}

template <class S> Matrix<S> softmax_jacobian(const RowVector<S>& y) {
    Matrix<S> jacobian = -y.transpose() * y;
    jacobian.diagonal() += y.transpose();
    return jacobian;
}

template <class S> S entropy_bits(const RowVector<S>& y) {
    S sum = 0;
    for (const S p : y) {
        if (p != 0) sum -= p * std::log2(p); // NaN stays NaN
    }
    return sum;
}

template RowVector<float> softmax(const RowVector<float>&);
template RowVector<double> softmax(const RowVector<double>&);
template Matrix<float> softmax_jacobian(const RowVector<float>&);
template Matrix<double> softmax_jacobian(const RowVector<double>&);
template float entropy_bits(const RowVector<float>&);
template double entropy_bits(const RowVector<double>&);

} // namespace heed::num
