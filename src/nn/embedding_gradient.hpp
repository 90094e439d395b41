// What an embedding passes back: rows of a table get what their tokens got, in the tokens' order,
// so that sums are the same in every run.
#pragma once

#include "num/matrix.hpp"

#include <span>

namespace heed::nn {

using num::Index;
using num::Matrix;

/// table(rows[i]) += factor · d_embedded(i). `factor` is sqrt(d_model) for embed(). d_table:
/// vocabulary × d_model.
template <class S>
void embedding_backward(std::span<const Index> rows, const Matrix<S>& d_embedded, S factor,
                        S* d_table);

} // namespace heed::nn
