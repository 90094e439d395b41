// Equality of matrices that need not be of one shape.
#pragma once

#include "num/matrix.hpp"

namespace heed::num {

/// True where both have one shape and the same numbers. Eigen's == leaves the first to its caller.
template <class A, class B>
bool equal(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

} // namespace heed::num
