#include "nn/layers/cross_entropy.hpp"

#include "base/check.hpp"
#include "num/product.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::nn {

namespace {

/// exp(x − max) in place; max and sum.
std::pair<float, float> exponentiate(std::span<float> row) {
    const auto [max, sum] = num::exp_row(row);
    return {max, sum};
}
std::pair<double, double> exponentiate(std::span<double> row) {
    const double max = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& x : row) sum += x = std::exp(x - max);
    return {max, sum};
}

} // namespace

template <class S>
CrossEntropy cross_entropy(Matrix<S>& logits, std::span<const Index> targets, S smoothing,
                           S factor) {
    HEED_CHECK(static_cast<Index>(targets.size()) == logits.rows(), "{} targets for {} rows",
               targets.size(), logits.rows());
    const Index words = logits.cols();
    const S everywhere = smoothing / static_cast<S>(words);
    CrossEntropy result;
    for (Index i = 0; i < logits.rows(); ++i) {
        const Index target = targets[static_cast<std::size_t>(i)];
        auto row = logits.row(i);
        const std::span<S> numbers(row.data(), static_cast<std::size_t>(words));
        if (target == kNotCounted && factor != 0) {
            row.setZero();
            continue;
        }
        HEED_CHECK(target == kNotCounted || (target >= 0 && target < words),
                   "a target of row {} in a vocabulary of {}", target, words);
        const S sum_of_logits = smoothing > 0 ? row.sum() : S(0);
        const S at_target = target >= 0 ? row(target) : S(0);
        const auto [max, sum] = exponentiate(numbers);
        if (target >= 0) {
            const S log_sum = max + std::log(sum);
            result.loss += static_cast<double>(log_sum - at_target);
            result.smoothed += static_cast<double>(log_sum - (1 - smoothing) * at_target -
                                                   everywhere * sum_of_logits);
            result.right += at_target >= max;
            ++result.counted;
        }
        const S scale = (factor == 0 ? S(1) : factor) / sum;
        const S constant = factor * everywhere;
        for (S& x : numbers) x = x * scale - constant;
        if (factor != 0) row(target) -= factor * (1 - smoothing);
    }
    return result;
}

template CrossEntropy cross_entropy(Matrix<float>&, std::span<const Index>, float, float);
template CrossEntropy cross_entropy(Matrix<double>&, std::span<const Index>, double, double);

} // namespace heed::nn
