// What the six scores pass back; see score.hpp for the scores themselves.
#pragma once

#include "nn/score.hpp"

#include <span>

namespace heed::nn {

/// Where gradients of score parameters are added; each as large as the parameter. Null where the
/// score has none.
template <class S> struct ScoreGradient {
    S *query = nullptr, *key = nullptr, *hidden = nullptr, *bilinear = nullptr;
};

/// Of z(i, j) = s(q_i, k_j) · factor: dq and dk, of the sizes of q and k, are set and gradients of
/// the parameters added to. dz: rows of q × rows of k. A vector of no length has the gradient 0
/// under the cosine. Throws ContractError when widths or parameters do not fit.
template <class S>
void scores_backward(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k,
                     S factor, ConstView<S> dz, View<S> dq, View<S> dk,
                     const ScoreGradient<S>& gradient);

/// What the division of a row by its length passes back: (d − (d · u) u) / |x| with u = x / |x|.
template <class S>
void unit_row_backward(std::span<const S> x, std::span<const S> d_unit, std::span<S> dx);

} // namespace heed::nn
