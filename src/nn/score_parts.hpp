// What scores of whole matrices and scores of keys that stay are made of.
#pragma once

#include "nn/score.hpp"

namespace heed::nn {

/// a b
template <class S> Matrix<S> times(ConstView<S> a, const Matrix<S>& b);

/// Rows of length 1; a row without length stays 0.
template <class S> Matrix<S> unit_rows(ConstView<S> x);

/// ContractError when there are none.
template <class S> const ScoreParams<S>& required(Score score, const ScoreParams<S>* params);

/// ContractError, with both widths, when W does not take such queries.
template <class S> void check_additive_query(const ScoreParams<S>& params, Index d_q);

/// k U, m × a. ContractError, with both widths, when U does not take such keys, or W, U and v have
/// hidden layers of different widths.
template <class S> Matrix<S> additive_keys(const ScoreParams<S>& params, ConstView<S> k);

/// out(i, j) = v · tanh(queries_i + keys_j) · factor, of q W, rows × a, and k U, m × a.
template <class S>
void additive_scores_of(const Matrix<S>& queries, const Matrix<S>& keys, const RowVector<S>& v,
                        S factor, View<S> out);

} // namespace heed::nn
