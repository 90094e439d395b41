// Tokens become rows of numbers, their row of a table times a factor, and what that passes back.
#pragma once

#include "num/matrix.hpp"

#include <span>

namespace heed::nn {

using num::Index;
using num::Matrix;

/// sqrt(d_model), the factor of Vaswani et al. 2017, section 3.4.
template <class S> S embedding_factor(Index d_model);

/// table: vocabulary × d_model, rows: the row of each token; n × d_model.
template <class S> Matrix<S> embed(const Matrix<S>& table, std::span<const Index> rows, S factor);
/// Rows of the table times embedding_factor().
template <class S> Matrix<S> embed(const Matrix<S>& table, std::span<const Index> rows);

/// table(rows[i]) += factor · d_embedded(i), in the tokens' order, so that sums are the same in
/// every run. d_table: vocabulary × d_model.
template <class S>
void embedding_backward(std::span<const Index> rows, const Matrix<S>& d_embedded, S factor,
                        S* d_table);

} // namespace heed::nn
