// Shares of a map's attention that go out of some queries, and into some keys: what each row,
// column and head has to do with a choice of the others.
#pragma once

#include "num/matrix.hpp"

#include <vector>

namespace heed::trace {

using num::Index;
using num::Matrix;

// Of weights, n × m, and of rows and columns that are chosen: ascending, inside of the map; an
// empty list means all of them.

/// n × 1: what each query gives to the chosen keys, the sum of its weights there.
Matrix<float> given(const Matrix<float>& weights, const std::vector<int>& keys);
/// 1 × m: what each key gets from the chosen queries, the mean of its weights over those that have
/// a distribution (a row of zeros has none); 0 where none of them has one.
Matrix<float> received(const Matrix<float>& weights, const std::vector<int>& queries);
/// The share that the chosen queries give to the chosen keys: received() there, summed.
float share(const Matrix<float>& weights, const std::vector<int>& queries,
            const std::vector<int>& keys);

} // namespace heed::trace
