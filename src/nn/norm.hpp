// Layer normalisation (Ba et al. 2016): each row to mean 0 and variance 1, then gain and shift.
#pragma once

#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <vector>

namespace heed::nn {

using num::Index;
using num::Matrix;
using num::RowVector;

/// Where the norms of a layer stand: after each sublayer's residual sum, as in the 2017 paper, or
/// before each sublayer (Xiong et al. 2020).
enum class NormOrder { post, pre };

template <class S> struct LayerNormParams {
    RowVector<S> gain, shift; // d_model each: "weight" and "bias" in torch
    S epsilon = S(1e-5);
};

template <class S> struct LayerNormCache {
    std::vector<S> mean, rstd; // a row: its mean and 1/sqrt(variance + epsilon)
};

template <class S> struct LayerNorm {
    Matrix<S> y; // n × d_model
    LayerNormCache<S> cache;
};

/// y = (x − mean) · rstd · gain + shift along each row, with the biased variance.
/// With `added` (n × d_model) x + added is normalised, in one pass over both.
template <class S>
LayerNorm<S> layer_norm_forward(num::Team& team, const LayerNormParams<S>& params,
                                const Matrix<S>& x, const Matrix<S>* added = nullptr);

/// x + added; n × d_model.
template <class S>
Matrix<S> residual_sum(num::Team& team, const Matrix<S>& x, const Matrix<S>& added);

} // namespace heed::nn
