// The distribution of q · k for random q and k: why scores are divided by √d_k.
#pragma once

#include "num/matrix.hpp"

#include <cstdint>
#include <vector>

namespace heed::num {

/// The distribution of the features of q and k: both have mean 0 and variance 1.
enum class FeatureDraws { normal, uniform };

struct DotHistogramOptions {
    Index d_k = 64;
    bool scaled = false; // q · k / √d_k
    int draws = 8192;
    FeatureDraws features = FeatureDraws::normal;
    std::uint64_t seed = 1;
    float low = -32, high = 32; // what is drawn outside falls into no bin
    int bins = 64;
};

struct DotHistogram {
    Index d_k = 0;
    bool scaled = false;
    float low = 0, high = 0;
    std::vector<float> density;    // of each bin: its share of all draws over its width
    double mean = 0, variance = 0; // of all draws. Expected: 0, and d_k or, scaled, 1
};

/// 2 · draws · d_k features. The same seed gives the same draws on every machine, and unscaled and
/// scaled histograms those of the same vectors. ContractError for less than one draw, bin or
/// feature, or low ≥ high.
DotHistogram dot_histogram(const DotHistogramOptions& options);

} // namespace heed::num
