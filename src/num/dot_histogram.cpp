#include "num/dot_histogram.hpp"

#include "base/check.hpp"
#include "num/random.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::num {

namespace {

/// Two independent features: Box and Muller's pair, or two of a uniform of variance 1.
std::pair<double, double> two_features(const Rng& draws, FeatureDraws kind, std::uint64_t i) {
    if (kind == FeatureDraws::uniform) {
        constexpr float kBound = 1.7320508f; // variance bound² / 3
        return {draws.symmetric(2 * i, kBound), draws.symmetric(2 * i + 1, kBound)};
    }
    // 1 − u is above 0, so the logarithm is finite.
    const double radius = std::sqrt(-2 * std::log(1 - static_cast<double>(draws.uniform(2 * i))));
    const double angle = 6.283185307179586 * static_cast<double>(draws.uniform(2 * i + 1));
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

} // namespace

DotHistogram dot_histogram(const DotHistogramOptions& options) {
    HEED_CHECK(options.d_k > 0 && options.draws > 0 && options.bins > 0 &&
                   options.low < options.high,
               "a histogram of {} draws of {} features in {} bins from {} to {}", options.draws,
               options.d_k, options.bins, options.low, options.high);
    const Rng draws(options.seed, "dot products " + std::to_string(options.d_k));
    const auto bins = static_cast<double>(options.bins);
    const double width =
        (static_cast<double>(options.high) - static_cast<double>(options.low)) / bins;
    std::vector<int> counts(static_cast<std::size_t>(options.bins));
    const double factor = options.scaled ? 1 / std::sqrt(static_cast<double>(options.d_k)) : 1;
    double sum = 0, squares = 0;
    std::uint64_t next = 0;
    for (int draw = 0; draw < options.draws; ++draw) {
        double product = 0;
        for (Index i = 0; i < options.d_k; ++i) {
            const auto [q, k] = two_features(draws, options.features, next++);
            product += q * k;
        }
        product *= factor;
        sum += product;
        squares += product * product;
        const double place = std::floor((product - static_cast<double>(options.low)) / width);
        if (place >= 0 && place < bins) ++counts[static_cast<std::size_t>(place)];
    }
    DotHistogram result;
    result.d_k = options.d_k;
    result.scaled = options.scaled;
    result.low = options.low;
    result.high = options.high;
    for (const int count : counts) {
        result.density.push_back(static_cast<float>(count / (options.draws * width)));
    }
    result.mean = sum / options.draws;
    result.variance = std::max(squares / options.draws - result.mean * result.mean, 0.0);
    return result;
}

} // namespace heed::num
