#include "num/softmax_sweep.hpp"

#include "base/check.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>

namespace heed::num {

template <class S> S jacobian_norm(const RowVector<S>& y) {
    // Sums of what is not negative: near one weight of 1 differences would lose every digit.
    S diagonal = 0, above = 0, squares = 0;
    for (const S p : y) {
        diagonal += p * p * (1 - p) * (1 - p);
        above += p * p * squares;
        squares += p * p;
    }
    return std::sqrt(diagonal + 2 * above);
}

SoftmaxSweep softmax_sweep(const RowVector<float>& logits, float low, float high, int steps,
                           std::optional<float> through) {
    HEED_CHECK(steps >= 2 && low > 0 && high > low, "{} factors from {} to {}", steps, low, high);
    SoftmaxSweep sweep;
    const double ratio = static_cast<double>(high) / static_cast<double>(low);
    for (int i = 0; i < steps; ++i) {
        const double share = static_cast<double>(i) / (steps - 1);
        sweep.factors.push_back(static_cast<float>(low * std::pow(ratio, share)));
    }
    if (through && *through >= low && *through <= high) {
        const double share = std::log(static_cast<double>(*through / low)) / std::log(ratio);
        sweep.factors[static_cast<std::size_t>(std::lround(share * (steps - 1)))] = *through;
    }
    sweep.weights.resize(steps, logits.size());
    for (int i = 0; i < steps; ++i) {
        const auto factor = static_cast<double>(sweep.factors[static_cast<std::size_t>(i)]);
        const RowVector<double> scaled = logits.cast<double>() * factor;
        const RowVector<double> y = softmax<double>(scaled);
        sweep.weights.row(i) = y.cast<float>();
        sweep.jacobian_norm.push_back(static_cast<float>(jacobian_norm<double>(y)));
        sweep.entropy_bits.push_back(static_cast<float>(entropy_bits<double>(y)));
    }
    return sweep;
}

template float jacobian_norm(const RowVector<float>&);
template double jacobian_norm(const RowVector<double>&);

} // namespace heed::num
