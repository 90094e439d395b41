#include "nn/attention/softmax_rows.hpp"

#include "base/check.hpp"
#include "num/product.hpp"
#include "num/transposed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::nn {

SoftmaxSum<float> softmax_row(std::span<float> row) {
    const auto [max, sum] = num::exp_row(row);
    if (sum == 0) return {max, sum};
    const float scale = 1 / sum;
    for (float& y : row) y *= scale;
    return {max, sum};
}

SoftmaxSum<double> softmax_row(std::span<double> row) {
    double max = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const double z : row) max = std::max(max, z);
    for (double& z : row) {
        z = std::isinf(max) ? 0 : std::exp(z - max);
        sum += z;
    }
    if (sum == 0) return {max, sum};
    for (double& y : row) y /= sum;
    return {max, sum};
}

template <class S>
void softmax_row_backward(std::span<const S> y, std::span<const S> dy, std::span<S> dz) {
    HEED_CHECK(y.size() == dy.size() && y.size() == dz.size(), "rows of {}, {} and {} numbers",
               y.size(), dy.size(), dz.size());
    const S along = num::dot(y, dy);
    for (std::size_t i = 0; i < y.size(); ++i) dz[i] = y[i] * (dy[i] - along);
}

template void softmax_row_backward(std::span<const float>, std::span<const float>,
                                   std::span<float>);
template void softmax_row_backward(std::span<const double>, std::span<const double>,
                                   std::span<double>);

} // namespace heed::nn
