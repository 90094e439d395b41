// Tokens become rows of numbers: their row of a table, times sqrt(d_model)
// (Vaswani et al. 2017, section 3.4).
#pragma once

#include "num/matrix.hpp"

#include <span>

namespace heed::nn {

using num::Index;
using num::Matrix;

/// table: vocabulary × d_model, rows: the row of each token; n × d_model.
template <class S> Matrix<S> embed(const Matrix<S>& table, std::span<const Index> rows);

} // namespace heed::nn
