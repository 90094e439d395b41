// Gradients of the functions of rows.hpp.
#pragma once

#include "num/rows.hpp"

#include <span>

namespace heed::num {

/// Gradients of y = (x − mean) · rstd · gain + shift, with mean and variance those of the row: dx,
/// and dgain and dshift are added to. All of one length; dx may be dy. Ba et al. 2016.
void normalise_row_backward(std::span<const float> x, RowMoments moments,
                            std::span<const float> gain, std::span<const float> dy,
                            std::span<float> dx, std::span<float> dgain, std::span<float> dshift);

/// Gradients of one query's scores s_j = Σ v · tanh(query + key_j) pass back. `ds` has one number a
/// key; keys and dkeys are rows of the query's length, one after another. dquery, dkeys and dv are
/// added to.
template <class S> struct AdditiveScores {
    std::span<const S> query, v;
    const S* keys;
    std::span<const S> ds;
    std::span<S> dquery, dv;
    S* dkeys;
};
void additive_backward(const AdditiveScores<float>& scores);
void additive_backward(const AdditiveScores<double>& scores);

} // namespace heed::num
